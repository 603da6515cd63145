// Small windows of a tensor for the page to draw: a grid for the heatmap, lines
// for the chart, a run of numbers for the table. Whatever the tensor's size,
// each costs a bounded number of reads.

import { elementText } from '../../../formats/numbers';
import type { FileTensor } from '../../../formats/tensor';
import type { Grid, Lines, NumberWindow, Plane, Series } from '../protocol';
import { bits, reader } from './values';

/** Most elements read for one pixel or one point of a line. */
const readsPerCell = 64;

function stridesOf(dims: readonly number[]): number[] {
  const strides = new Array<number>(dims.length).fill(1);
  for (let axis = dims.length - 2; axis >= 0; axis -= 1) strides[axis] = strides[axis + 1]! * dims[axis + 1]!;
  return strides;
}

/** Where the plane starts, and the size and stride of its two axes. */
function place(tensor: FileTensor, plane: Plane) {
  const strides = stridesOf(tensor.dims);
  let start = 0;
  tensor.dims.forEach((_, axis) => {
    if (axis !== plane.rows && axis !== plane.columns) start += (plane.at[axis] ?? 0) * strides[axis]!;
  });
  return {
    start,
    down: plane.rows < 0 ? 1 : tensor.dims[plane.rows]!, rowStride: plane.rows < 0 ? 0 : strides[plane.rows]!,
    across: plane.columns < 0 ? 1 : tensor.dims[plane.columns]!, columnStride: plane.columns < 0 ? 1 : strides[plane.columns]!,
  };
}

/** A grid of at most width by height means; a long vector is folded into rows when `rows` is -2. */
export function grid(tensor: FileTensor, plane: Plane, width: number, height: number): Grid {
  const read = reader(tensor);
  let { start, down, rowStride, across, columnStride } = place(tensor, { ...plane, rows: Math.max(-1, plane.rows) });
  if (plane.rows === -2 && across > width) {
    const fold = Math.ceil(Math.sqrt(across * 2));
    down = Math.floor(across / fold);
    rowStride = fold * columnStride;
    across = fold;
  }
  const columns = Math.min(width, across);
  const rows = Math.min(height, down);
  const values = new Float32Array(columns * rows);
  for (let y = 0; y < rows; y += 1) {
    const [top, bottom, rowStep] = span(y, rows, down, 8);
    for (let x = 0; x < columns; x += 1) {
      const [left, right, columnStep] = span(x, columns, across, readsPerCell / 8);
      let sum = 0;
      let count = 0;
      let special = NaN;
      for (let row = top; row < bottom; row += rowStep) {
        for (let column = left; column < right; column += columnStep) {
          const value = read(start + row * rowStride + column * columnStride);
          if (Number.isFinite(value)) { sum += value; count += 1; } else special = value;
        }
      }
      values[y * columns + x] = count > 0 ? sum / count : special;
    }
  }
  return { width: columns, height: rows, values, ...colourRange(values), across, down };
}

/**
 * The values that the ends of the colour scale stand for. A few outliers would
 * press all others into one colour, so where the outermost half percent on a
 * side lies far out, the scale ends before it.
 */
function colourRange(values: Float32Array): Pick<Grid, 'low' | 'high' | 'clipped'> {
  const sorted = values.filter((value) => Number.isFinite(value)).sort();
  if (sorted.length === 0) return { low: 0, high: 0, clipped: false };
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!;
  const inside = at(0.995) - at(0.005);
  const far = (from: number, to: number) => Math.abs(from - to) > 0.5 * inside && inside > 0;
  const low = far(at(0), at(0.005)) ? at(0.005) : at(0);
  const high = far(at(1), at(0.995)) ? at(0.995) : at(1);
  return { low, high, clipped: low !== at(0) || high !== at(1) };
}

/** The elements that cell `at` of `cells` stands for, thinned to `most` reads. */
function span(at: number, cells: number, elements: number, most: number): [number, number, number] {
  const from = Math.floor(at * elements / cells);
  const to = Math.max(from + 1, Math.floor((at + 1) * elements / cells));
  return [from, to, Math.max(1, Math.floor((to - from) / most))];
}

/** One line per element of the plane's rows axis (at most eight), along its columns axis. */
export function lines(tensor: FileTensor, plane: Plane, points: number): Lines {
  const read = reader(tensor);
  const { start, down, rowStride, across, columnStride } = place(tensor, plane);
  const count = Math.min(points, across);
  const thinned = across > count;
  const x = Float64Array.from({ length: count }, (_, at) => Math.floor(at * across / count));
  const series: Series[] = [];
  for (let row = 0; row < Math.min(8, down); row += 1) {
    const values = new Float64Array(count);
    const low = new Float64Array(count);
    const high = new Float64Array(count);
    for (let point = 0; point < count; point += 1) {
      const [from, to] = span(point, count, across, Infinity);
      const step = Math.max(1, Math.floor((to - from) / 4096));
      let sum = 0;
      let seen = 0;
      low[point] = Infinity;
      high[point] = -Infinity;
      for (let at = from; at < to; at += step) {
        const value = read(start + row * rowStride + at * columnStride);
        if (value < low[point]!) low[point] = value;
        if (value > high[point]!) high[point] = value;
        sum += value;
        seen += 1;
      }
      values[point] = sum / seen;
    }
    const label = plane.rows < 0 ? 'value' : `axis ${plane.rows}: ${row}`;
    series.push(thinned ? { label, values, low, high } : { label, values });
  }
  return { x, series };
}

/** Elements `start` and on as text, with their bits. */
export function numbers(tensor: FileTensor, start: number, count: number): NumberWindow {
  const end = Math.min(tensor.data.length, start + count);
  const window: NumberWindow = { start, values: [], bits: [] };
  for (let at = start; at < end; at += 1) {
    window.values.push(elementText(tensor, at));
    window.bits.push(bits(tensor, at));
  }
  return window;
}
