// The result panel: how fast, and the numbers, the heatmap or the line.

import { call } from '../client';
import { rewriteHash } from '../controller';
import { byId, download, make, showError, tabs } from '../dom';
import { grouped, rate, shape, short, time } from '../format';
import { state, update, watch, type View } from '../state';
import { showHeatmap } from './heatmap';
import { closeLine, showLine } from './line';
import { showScalar, showTable } from './numbers';
import { placeOf } from './operation';
import { defaultPlane, longAxes } from './plane';
import type { Plane, Result } from '../protocol';

const views: Exclude<View, 'auto'>[] = ['numbers', 'heatmap', 'line'];
const holder = byId('result-view');
let plane: Plane = { rows: -1, columns: -1, at: [] };
let drawing = 0;

export function startResult(): void {
  const select = (at: number) => {
    update({ view: views[at]! });
    rewriteHash();
  };
  const mark = tabs(views.map((view) => byId<HTMLButtonElement>(`tab-${view}`)), select);
  watch(['result', 'view'], () => mark(views.indexOf(shownView())));
  watch(['resultNumber', 'runError', 'loadError'], drawFigures);
  watch(['resultNumber'], () => {
    plane = state.result ? linePlane(state.result, defaultPlane(state.result.dims)) : plane;
    drawView();
  });
  watch(['view'], () => {
    plane = state.result ? linePlane(state.result, defaultPlane(state.result.dims)) : plane;
    drawView();
  });
  watch(['running'], () => byId('result').setAttribute('aria-busy', String(state.running)));
  byId('save').addEventListener('click', () => void save());
}

/** What is shown when nobody has chosen: whatever suits the shape. */
function shownView(): Exclude<View, 'auto'> {
  const { result, view } = state;
  if (view !== 'auto') return view;
  const axes = result ? longAxes(result.dims) : [];
  if (!result || result.elements <= 1) return 'numbers';
  if (axes.length === 1) return result.elements <= 12 ? 'numbers' : 'line';
  return 'heatmap';
}

/** Lines run along the longest axis; a short second axis gives one line each. */
function linePlane({ dims }: Result, otherwise: Plane): Plane {
  if (shownView() !== 'line') return otherwise;
  const axes = longAxes(dims);
  const columns = axes.reduce((best, axis) => (dims[axis]! > (dims[best] ?? 0) ? axis : best), axes[0] ?? -1);
  const rows = axes.find((axis) => axis !== columns && dims[axis]! <= 8) ?? -1;
  return { rows, columns, at: dims.map(() => 0) };
}

function figure(term: string, value: string, unit: string, title = ''): HTMLElement {
  return make('div', { title }, make('dt', {}, term), make('dd', {}, make('b', {}, value), make('span', {}, unit ? `\u202f${unit}` : '')));
}

function drawFigures(): void {
  const { result, runError, loaded, loading } = state;
  const elsewhere = placeOf(runError?.code) !== undefined;
  showError(byId('result-error'), runError && !elsewhere ? runError.message : '');
  const nothing = elsewhere ? 'No result: the operator does not take these settings. The reason stands beside them.'
    : loaded || loading ? '' : 'No result yet: there is no data.';
  byId('result-none').hidden = nothing === '';
  byId('result-none').textContent = nothing;
  byId('result-body').hidden = !result;
  if (!result || !loaded) return;
  const spent = time(result.milliseconds);
  const read = rate(loaded.bytes, result.milliseconds, 'B/s');
  const elements = rate(loaded.elements, result.milliseconds, '/s');
  byId('figures').replaceChildren(
    figure('Time', spent.value, spent.unit, `Best of ${grouped(result.runs)} runs`),
    ...(loaded.elements > 0 ? [figure('Throughput', read.value, read.unit), figure('Elements', elements.value, elements.unit)] : []),
    figure('Threads', String(result.threads), ''),
    figure('Result', result.dims.length === 0 ? 'scalar' : shape(result.dims), result.type, `${grouped(result.elements)} elements`),
  );
  byId('result-status').textContent = `${state.settings.operator} gave ${result.type} ${shape(result.dims)} in ${spent.value} ${spent.unit}`;
}

function drawView(): void {
  const mine = ++drawing;
  const { result } = state;
  const isCurrent = () => mine === drawing;
  byId('readout').textContent = '';
  closeLine();
  if (!result) return;
  const view = shownView();
  holder.dataset.view = view;
  drawSlices(result, view);
  const drawn = result.elements === 1 ? showScalar(holder, result)
    : result.elements === 0 || view === 'numbers' ? showTable(holder, result)
    : view === 'heatmap' ? showHeatmap(holder, result, plane, isCurrent)
    : showLine(holder, result, plane, isCurrent);
  Promise.resolve(drawn).catch((error: Error) => {
    if (isCurrent()) holder.replaceChildren(make('p', { className: 'notice bad', role: 'alert' }, error.message));
  });
}

/** Pickers for tensors with more dims than a picture has: which axes, and where along the others. */
function drawSlices(result: Result, view: Exclude<View, 'auto'>): void {
  const axes = longAxes(result.dims);
  const slices = byId('slices');
  slices.replaceChildren();
  const wanted = view === 'heatmap' ? 2 : 1;
  if (view === 'numbers' || axes.length <= wanted) return;
  const again = () => {
    drawView();
  };
  slices.append(axisPicker(view === 'heatmap' ? 'Across' : 'Along', axes, result, plane.columns, (axis) => {
    if (plane.rows === axis) plane.rows = plane.columns;
    plane.columns = axis;
    again();
  }));
  if (view === 'heatmap') {
    slices.append(axisPicker('Down', axes, result, plane.rows, (axis) => {
      if (plane.columns === axis) plane.columns = plane.rows;
      plane.rows = axis;
      again();
    }));
  } else if (plane.rows >= 0 && result.dims[plane.rows]! > 8) {
    plane.rows = -1;
  }
  for (const axis of axes.filter((candidate) => candidate !== plane.rows && candidate !== plane.columns)) {
    slices.append(slider(axis, result.dims[axis]!));
  }
}

function axisPicker(label: string, axes: number[], { dims }: Result, chosen: number, choose: (axis: number) => void): HTMLElement {
  const select = make('select', {}, ...axes.map((axis) => make('option', { value: String(axis), selected: axis === chosen }, `axis ${axis} (${short(dims[axis]!)})`)));
  select.addEventListener('change', () => choose(Number(select.value)));
  return make('label', { className: 'inline-field' }, make('span', {}, label), select);
}

function slider(axis: number, dim: number): HTMLElement {
  const at = plane.at[axis] ?? 0;
  const value = make('output', {}, String(at));
  const range = make('input', { type: 'range', min: '0', max: String(dim - 1), value: String(at) });
  range.addEventListener('input', () => {
    plane.at[axis] = Number(range.value);
    value.textContent = range.value;
    redrawPicture();
  });
  return make('label', { className: 'inline-field slider' }, make('span', {}, `axis ${axis} at`), range, value);
}

/** Draws the picture anew but leaves the slider that asks for it in place. */
function redrawPicture(): void {
  const mine = ++drawing;
  const { result } = state;
  if (!result) return;
  const isCurrent = () => mine === drawing;
  const show = shownView() === 'heatmap' ? showHeatmap : showLine;
  show(holder, result, plane, isCurrent).catch((error: Error) => {
    if (isCurrent()) showError(byId('result-error'), error.message);
  });
}

async function save(): Promise<void> {
  const button = byId<HTMLButtonElement>('save');
  button.disabled = true;
  try {
    const name = (state.loaded?.recipe?.rule ?? state.loaded?.name ?? 'data').replace(/\.\w+$/, '');
    download(await call('save', { which: 'result' }), `${name}-${state.settings.operator}.npy`);
  } catch (error) {
    showError(byId('result-error'), (error as Error).message);
  } finally {
    button.disabled = false;
  }
}
