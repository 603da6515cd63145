// Numbers, sizes, times and shapes as a reader wants to see them.

import type { Place } from './protocol';

const thin = '\u202f';

/** 16777216 as "16 777 216", with thin spaces. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, thin);
}

/** A count short enough for a label: "16.8 M". */
export function short(count: number): string {
  for (const [size, unit] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']] as const) {
    if (count >= size) return `${Number((count / size).toPrecision(3))}${thin}${unit}`;
  }
  return String(count);
}

/** "1 element", "1.05 M elements". */
export function elementCount(count: number): string {
  return `${short(count)} ${count === 1 ? 'element' : 'elements'}`;
}

export function bytes(count: number): string {
  for (const [size, unit] of [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB']] as const) {
    if (count >= size) return `${Number((count / size).toPrecision(3))}${thin}${unit}`;
  }
  return `${count}${thin}B`;
}

/** A time in the unit that leaves one to three digits before the point. */
export function time(milliseconds: number): { value: string; unit: string } {
  const [value, unit] = milliseconds >= 1000 ? [milliseconds / 1000, 's']
    : milliseconds >= 1 ? [milliseconds, 'ms']
    : [milliseconds * 1000, '\u00b5s'];
  if (value < 0.01) return { value: '<\u20090.01', unit };
  return { value: value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3))), unit };
}

export function timeText(milliseconds: number): string {
  const { value, unit } = time(milliseconds);
  return `${value}${thin}${unit}`;
}

/** A rate per second, in the given base unit: "24.1 GB/s". */
export function rate(amount: number, milliseconds: number, unit: string): { value: string; unit: string } {
  const each = amount / Math.max(milliseconds, 1e-6) * 1000;
  for (const [size, prefix] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']] as const) {
    if (each >= size) return { value: String(Number((each / size).toPrecision(3))), unit: `${prefix}${unit}` };
  }
  return { value: String(Number(each.toPrecision(3))), unit };
}

/** Where the package finds the data, and how many threads read it there. */
export function placeNote(place: Place, threads: number): string {
  return `data in ${place === 'memory' ? 'wasm memory' : 'a JavaScript array'}, ${threads === 1 ? 'one thread' : `${threads} threads`}`;
}

export function shape(dims: readonly number[]): string {
  return `[${dims.join(', ')}]`;
}

export function product(dims: readonly number[]): number {
  return dims.reduce((all, dim) => all * dim, 1);
}

/** A number for an axis or a legend: four digits, an exponent when it is far from 1. */
export function tick(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+\u221e' : '-\u221e';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-3)) return value.toExponential(2).replace('e+', 'e');
  return String(Number(value.toPrecision(4)));
}

/** Reads "4096 x 4096", "4096,4096", "[2, 3]" or "" (a scalar); undefined when it is no shape. */
export function parseShape(text: string): number[] | undefined {
  const inside = text.trim().replace(/^[[(]|[\])]$/g, '').trim();
  if (inside === '') return [];
  const parts = inside.split(/\s*[x\u00d7,*;]\s*|\s+/i).filter((part) => part !== '');
  const dims = parts.map((part) => power(part));
  return dims.every((dim) => Number.isSafeInteger(dim) && dim >= 0) ? dims : undefined;
}

/** "2^20" as well as "1048576" and "1_048_576". */
function power(text: string): number {
  const [base = '', exponent] = text.replaceAll('_', '').split('^');
  if (!/^\d+$/.test(base)) return NaN;
  if (exponent === undefined) return Number(base);
  return /^\d+$/.test(exponent) ? Number(base) ** Number(exponent) : NaN;
}

/** Dims that remain after a reduction, as ONNX defines them. */
export function reducedDims(dims: readonly number[], axes: ReadonlySet<number>, keepdims: boolean): number[] {
  return dims.flatMap((dim, axis) => (!axes.has(axis) ? [dim] : keepdims ? [1] : []));
}

/** Index along each dim of the element at a flat position. */
export function unravel(position: number, dims: readonly number[]): number[] {
  const index = new Array<number>(dims.length);
  let rest = position;
  for (let axis = dims.length - 1; axis >= 0; axis -= 1) {
    const dim = Math.max(1, dims[axis] ?? 1);
    index[axis] = rest % dim;
    rest = Math.floor(rest / dim);
  }
  return index;
}
