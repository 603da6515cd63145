// A tensor as text, laid out as NumPy lays it out: nested brackets, aligned
// columns, and the middle left out where there is too much of it.

import { elementText } from '../formats/numbers.js';
import type { FileTensor } from '../formats/tensor.js';

// With more elements than this, only the ends of each axis are shown: so many
// on either side that at most `showAtMost` are left.
const showAll = 200;
const showAtMost = 1000;
const edges = [3, 2, 1];
// An axis cut short shows this in place of its middle.
const gap = '...';

/** The elements of a tensor in C order, within lines of `width` characters. */
export function tensorText(tensor: FileTensor, width: number): string {
  const { dims } = tensor;
  const count = dims.reduce((product, dim) => product * dim, 1);
  // Brackets around nothing would not tell [0, 3] from [3, 0]; the shape does.
  if (count === 0) return '[]';
  if (dims.length === 0) return elementText(tensor, 0);
  if (count <= showAll) return nested(tensor, dims, Infinity, width);
  const edge = edges.find((size) => shownCount(dims, size) <= showAtMost);
  // Many axes of one or two elements: nothing in them can be left out, so they
  // are shown as the one row they are in memory.
  return edge === undefined ? nested(tensor, [count], edges[0]!, width) : nested(tensor, dims, edge, width);
}

function shownCount(dims: readonly number[], edge: number): number {
  return dims.reduce((product, dim) => product * Math.min(dim, 2 * edge), 1);
}

function nested(tensor: FileTensor, dims: readonly number[], edge: number, width: number): string {
  // Per axis the indexes to show, null standing for those left out.
  const shown = dims.map((dim): (number | null)[] =>
    dim > 2 * edge ? [...range(0, edge), null, ...range(dim - edge, dim)] : range(0, dim));

  const cells = new Map<number, string>();
  visit(shown, dims, (index) => cells.set(index, elementText(tensor, index)));
  let column = 0;
  for (const cell of cells.values()) column = Math.max(column, cell.length);

  const lines = (axis: number, base: number): string => {
    const indent = ' '.repeat(axis + 1);
    if (axis === dims.length - 1) {
      const row = shown[axis]!.map((i) => (i === null ? gap : cells.get(base + i)!.padStart(column)));
      return `[${wrap(row, indent, width)}]`;
    }
    const step = dims.slice(axis + 1).reduce((product, dim) => product * dim, 1);
    const parts = shown[axis]!.map((i) => (i === null ? gap : lines(axis + 1, base + i * step)));
    // As in NumPy, a blank line for every axis above the rows.
    return `[${parts.join('\n'.repeat(dims.length - axis - 1) + indent)}]`;
  };
  return lines(0, 0);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

function visit(shown: (number | null)[][], dims: readonly number[], see: (index: number) => void): void {
  const walk = (axis: number, base: number): void => {
    if (axis === dims.length) see(base);
    else for (const i of shown[axis]!) if (i !== null) walk(axis + 1, base * dims[axis]! + i);
  };
  walk(0, 0);
}

function wrap(cells: string[], indent: string, width: number): string {
  let text = '';
  let used = indent.length;
  cells.forEach((cell, i) => {
    if (i > 0 && used + 2 + cell.length > width - 1) {
      text += `\n${indent}`;
      used = indent.length;
    } else if (i > 0) {
      text += '  ';
      used += 2;
    }
    text += cell;
    used += cell.length;
  });
  return text;
}

/** A shape as JavaScript writes it. */
export function shapeText(dims: readonly (number | null)[]): string {
  return `[${dims.map((dim) => dim ?? '?').join(', ')}]`;
}

/** A size in bytes for people. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  let size = bytes;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 ? size : threeDigits(size)} ${units[unit]}`;
}

/** A time for people. */
export function timeText(milliseconds: number): string {
  if (milliseconds < 1) return `${threeDigits(milliseconds * 1000)} us`;
  if (milliseconds < 1000) return `${threeDigits(milliseconds)} ms`;
  return `${threeDigits(milliseconds / 1000)} s`;
}

function threeDigits(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

/**
 * The elements as JSON, in pieces. What JSON's numbers cannot say is a string:
 * 64-bit integers, which most parsers would round, and "NaN", "Infinity",
 * "-Infinity".
 */
export function* elementsJson(tensor: FileTensor): Generator<string> {
  const quoted = tensor.type === 'int64' || tensor.type === 'uint64';
  let piece = '[';
  for (let i = 0; i < tensor.data.length; i++) {
    const text = elementText(tensor, i);
    piece += i > 0 ? ',' : '';
    piece += quoted || !/\d/.test(text) ? `"${text}"` : text;
    if (piece.length > 65536) {
      yield piece;
      piece = '';
    }
  }
  yield `${piece}]`;
}
