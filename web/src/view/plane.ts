// Which two axes of a tensor a picture shows, and the picture itself.

import { interpolateViridis } from 'd3-scale-chromatic';
import type { Grid, Plane } from '../protocol';

/** Axes longer than one: the others have nothing to show. */
export function longAxes(dims: readonly number[]): number[] {
  return dims.flatMap((dim, axis) => (dim > 1 ? [axis] : []));
}

/**
 * The two axes to begin with: the last two, but for a few channels at the end,
 * as pictures have them, the two before. Rows -1 means that there is one axis.
 */
export function defaultPlane(dims: readonly number[]): Plane {
  const axes = longAxes(dims);
  const last = axes.at(-1) ?? -1;
  const channels = axes.length > 2 && (dims[last] ?? 0) <= 4;
  const columns = channels ? axes.at(-2)! : last;
  const rows = (channels ? axes.at(-3) : axes.at(-2)) ?? -1;
  return { rows, columns, at: dims.map(() => 0) };
}

const palette = new Uint32Array(256);
for (let i = 0; i < 256; i += 1) {
  // "#rrggbb" to the byte order of ImageData.
  const rgb = parseInt(interpolateViridis(i / 255).slice(1), 16);
  palette[i] = 0xff000000 | ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16);
}

/** What stands for NaN and the infinities: no colour of the scale. */
const odd = { nan: 0xff9a9a9a, high: 0xff3c3cff, low: 0xffd2609a };

/** The keys to those that a grid holds: a name and a CSS colour. */
export function oddKeys({ values }: Grid): [string, string][] {
  const css = (word: number) => `rgb(${word & 255} ${(word >> 8) & 255} ${(word >> 16) & 255})`;
  const keys: [string, string, boolean][] = [
    ['-\u221e', css(odd.low), values.includes(-Infinity)],
    ['+\u221e', css(odd.high), values.includes(Infinity)],
    ['NaN', css(odd.nan), values.includes(NaN)],
  ];
  return keys.flatMap(([name, colour, there]) => (there ? [[name, colour] as [string, string]] : []));
}

/** The colour scale as a CSS gradient, for the legend. */
export const gradient = `linear-gradient(to right, ${Array.from({ length: 9 }, (_, i) => interpolateViridis(i / 8)).join(', ')})`;

/** Paints a grid, one pixel a cell; the style stretches the canvas. */
export function drawGrid(canvas: HTMLCanvasElement, { width, height, values, low, high }: Grid): void {
  if (width === 0 || height === 0) return;
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const scale = high > low ? 255 / (high - low) : 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!;
    pixels[i] = Number.isFinite(value) ? palette[Math.max(0, Math.min(255, Math.round((value - low) * scale)))]!
      : Number.isNaN(value) ? odd.nan : value > 0 ? odd.high : odd.low;
  }
  context.putImageData(image, 0, 0);
}
