// The result as lines. Where many elements share a point, a band shows their
// range behind the line of their means.

import type uPlot from 'uplot';
import { call } from '../client';
import { byId, make } from '../dom';
import { grouped, shape, tick } from '../format';
import { colour, onTheme } from './theme';
import type { Lines, Plane, Result } from '../protocol';

let chart: uPlot | undefined;
let redraw: (() => void) | undefined;
onTheme(() => redraw?.());

/** Loads the chart library, when the first line is to be drawn. */
async function library(): Promise<typeof uPlot> {
  try {
    Intl.NumberFormat(navigator.language);
  } catch {
    // In the C locale WebKitGTK calls its language "C", which is none, and
    // uPlot asks for number formats in it as soon as it is loaded.
    Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
  }
  return (await import('uplot')).default;
}

export function closeLine(): void {
  chart?.destroy();
  chart = undefined;
  redraw = undefined;
}

export async function showLine(into: HTMLElement, result: Result, plane: Plane, isCurrent: () => boolean): Promise<void> {
  const [Chart, lines] = await Promise.all([
    library(), call('lines', { which: 'result', plane, points: Math.max(200, Math.round(into.clientWidth)) }),
  ]);
  if (!isCurrent()) return;
  closeLine();
  const long = lines.x.length === 0 ? 0 : result.dims[plane.columns] ?? 1;
  const box = make('div', { className: 'chart', role: 'img', 'aria-label': describe(lines, result, plane) });
  into.replaceChildren(box);
  if (lines.series.length > 1) into.append(keys(lines));
  const { gaps, points } = gapsOf(lines);
  if (gaps === points) into.replaceChildren(make('p', { className: 'empty' }, 'No line: every value is NaN or infinite.'));
  else if (gaps > 0) into.append(make('p', { className: 'hint' }, `${grouped(gaps)} of ${grouped(points)} points are NaN or infinite and leave gaps.`));
  if (!box.isConnected) return;
  redraw = () => {
    chart?.destroy();
    chart = new Chart(options(lines, box.clientWidth, plane, result, long), data(lines), box);
  };
  redraw();
  const observer = new ResizeObserver(() => {
    if (!box.isConnected) observer.disconnect();
    else if (chart && chart.width !== box.clientWidth) chart.setSize({ width: box.clientWidth, height: heightFor(box.clientWidth) });
  });
  observer.observe(box);
}

/** Which colour is which element of the second axis. */
function keys({ series }: Lines): HTMLElement {
  return make('p', { className: 'keys' }, ...series.map(({ label }, row) => {
    const swatch = make('i');
    swatch.style.background = `var(--series-${row + 1})`;
    return make('span', {}, swatch, label);
  }));
}

/** How many points have no place on the chart. */
function gapsOf({ series }: Lines): { gaps: number; points: number } {
  let gaps = 0;
  let points = 0;
  for (const { values } of series) {
    points += values.length;
    for (const value of values) if (!Number.isFinite(value)) gaps += 1;
  }
  return { gaps, points };
}

function heightFor(width: number): number {
  return Math.round(Math.max(220, Math.min(380, width * 0.42)));
}

function describe({ series }: Lines, { dims }: Result, plane: Plane): string {
  let low = Infinity;
  let high = -Infinity;
  for (const { values } of series) {
    for (const value of values) {
      if (Number.isFinite(value) && value < low) low = value;
      if (Number.isFinite(value) && value > high) high = value;
    }
  }
  return `Line chart of ${shape(dims)} along axis ${plane.columns}, ${series.length} lines, values from ${tick(low)} to ${tick(high)}`;
}

/** uPlot draws a gap for null; neither NaN nor an infinity has a place on the scale. */
function plottable(values: Float64Array): (number | null)[] {
  return Array.from(values, (value) => (Number.isFinite(value) ? value : null));
}

function data({ x, series }: Lines): uPlot.AlignedData {
  const columns: (number | null)[][] = [Array.from(x)];
  for (const { values, low, high } of series) {
    columns.push(plottable(values));
    if (low && high) columns.push(plottable(high), plottable(low));
  }
  return columns as uPlot.AlignedData;
}

function options(lines: Lines, width: number, plane: Plane, result: Result, long: number): uPlot.Options {
  const ink = colour('--ink-soft');
  const grid = { stroke: colour('--line'), width: 1 };
  const axis = { stroke: ink, grid, ticks: grid, font: '12px "Inter Variable", system-ui, sans-serif' };
  const series: uPlot.Series[] = [{}];
  const bands: uPlot.Band[] = [];
  lines.series.forEach(({ label, low }, row) => {
    const stroke = colour(`--series-${row + 1}`);
    series.push({ label, stroke, width: 1.5, points: { show: lines.x.length < (gapsOf(lines).gaps > 0 ? 400 : 40) } });
    if (!low) return;
    series.push({ stroke: 'transparent', points: { show: false } }, { stroke: 'transparent', points: { show: false } });
    bands.push({ series: [series.length - 2, series.length - 1], fill: `color-mix(in srgb, ${stroke} 22%, transparent)` });
  });
  return {
    width, height: heightFor(width), series, bands,
    legend: { show: false },
    cursor: { y: false, points: { show: true }, drag: { x: true, y: false } },
    scales: { x: { time: false } },
    axes: [
      { ...axis, label: plane.columns < 0 ? '' : `axis ${plane.columns} (${long})`, labelFont: axis.font, labelSize: 22, values: (_, splits) => splits.map(tick) },
      { ...axis, size: 68, values: (_, splits) => splits.map(tick) },
    ],
    hooks: { setCursor: [({ cursor }) => readout(lines, cursor.idx, plane, result)] },
  };
}

function readout({ x, series }: Lines, at: number | null | undefined, plane: Plane, { dims }: Result): void {
  if (at === null || at === undefined) {
    byId('readout').textContent = '';
    return;
  }
  const texts = series.map(({ values, low, high }, row) => {
    const index = plane.at.slice(0, dims.length);
    if (plane.columns >= 0) index[plane.columns] = x[at]!;
    if (plane.rows >= 0) index[plane.rows] = row;
    const range = low && high ? ` (${tick(low[at]!)} to ${tick(high[at]!)})` : '';
    return `${shape(index)} = ${tick(values[at]!)}${range}`;
  });
  byId('readout').textContent = texts.slice(0, 4).join('   ');
}
