// The result as a heatmap on a canvas, with a legend and a readout that follows
// the pointer or the arrow keys.

import { call } from '../client';
import { byId, make } from '../dom';
import { shape, tick } from '../format';
import { drawGrid, gradient, oddKeys } from './plane';
import type { Grid, Plane, Result } from '../protocol';

export async function showHeatmap(into: HTMLElement, result: Result, plane: Plane, isCurrent: () => boolean): Promise<void> {
  const width = Math.max(64, Math.min(1024, Math.round(into.clientWidth)));
  const grid = await call('grid', { which: 'result', plane, width, height: 420 });
  if (!isCurrent()) return;
  const canvas = make('canvas', {
    className: 'heatmap', tabIndex: 0, role: 'application',
    'aria-label': `Heatmap of ${shape(result.dims)}, ${rangeText(grid)}. Arrow keys move the readout.`,
  });
  drawGrid(canvas, grid);
  const frame = make('div', { className: 'heatmap-frame' }, canvas, make('i', { className: 'cross', hidden: true }));
  frame.style.aspectRatio = String(aspect(grid));
  const legend = make('div', { className: 'legend', 'aria-hidden': 'true' },
    make('span', {}, `${grid.clipped ? '\u2264 ' : ''}${tick(grid.low)}`), make('i'), make('span', {}, `${grid.clipped ? '\u2265 ' : ''}${tick(grid.high)}`));
  (legend.children[1] as HTMLElement).style.background = gradient;
  if (grid.values.every((value) => !Number.isFinite(value))) legend.replaceChildren();
  for (const [name, colour] of oddKeys(grid)) {
    const swatch = make('i');
    swatch.style.background = colour;
    legend.append(make('span', { className: 'key' }, swatch, name));
  }
  into.replaceChildren(frame, legend);
  follow(frame, canvas, grid, plane, result);
}

function rangeText(grid: Grid): string {
  const keys = oddKeys(grid).map(([name]) => name);
  const finite = grid.values.some(Number.isFinite) ? [`values from ${tick(grid.low)} to ${tick(grid.high)}`] : [];
  return [...finite, ...keys].join(', ');
}

/** The data's own proportions as far as they make a picture one can look at. */
function aspect({ across, down }: Grid): number {
  return Math.max(0.8, Math.min(8, across / down));
}

function follow(frame: HTMLElement, canvas: HTMLCanvasElement, grid: Grid, plane: Plane, result: Result): void {
  const readout = byId('readout');
  const cross = frame.lastElementChild as HTMLElement;
  let x = 0;
  let y = 0;
  const show = () => {
    const index = plane.at.slice();
    if (plane.columns >= 0) index[plane.columns] = Math.floor(x * grid.across / grid.width);
    if (plane.rows >= 0) index[plane.rows] = Math.floor(y * grid.down / grid.height);
    const shared = grid.across > grid.width || grid.down > grid.height ? ' (mean around it)' : '';
    readout.textContent = `${shape(index.slice(0, result.dims.length))} = ${tick(grid.values[y * grid.width + x]!)}${shared}`;
    cross.hidden = false;
    cross.style.left = `${(x + 0.5) / grid.width * 100}%`;
    cross.style.top = `${(y + 0.5) / grid.height * 100}%`;
  };
  const hide = () => {
    cross.hidden = true;
    readout.textContent = '';
  };
  canvas.addEventListener('pointermove', ({ offsetX, offsetY }) => {
    x = Math.max(0, Math.min(grid.width - 1, Math.floor(offsetX / canvas.clientWidth * grid.width)));
    y = Math.max(0, Math.min(grid.height - 1, Math.floor(offsetY / canvas.clientHeight * grid.height)));
    show();
  });
  canvas.addEventListener('pointerleave', hide);
  canvas.addEventListener('blur', hide);
  canvas.addEventListener('focus', () => { if (canvas.matches(':focus-visible')) show(); });
  canvas.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const many = event.shiftKey ? 10 : 1;
    x = Math.max(0, Math.min(grid.width - 1, x + step[0]! * many));
    y = Math.max(0, Math.min(grid.height - 1, y + step[1]! * many));
    show();
  });
}
