// The operator panel: which operator, over which dims, with which options.

import { change, chooseOperator } from '../controller';
import { byId, make, showError } from '../dom';
import { elementCount, reducedDims, shape } from '../format';
import { canIsolate, isolate } from '../isolation';
import { formulaOf, opsetChoices, operatorOf, operators, versionOf } from '../operators';
import { state, watch } from '../state';
import type { Noop, Settings } from '../protocol';

const opset = byId<HTMLSelectElement>('opset');
const keepdims = byId<HTMLInputElement>('keepdims');
const noop = byId<HTMLSelectElement>('noop');
const threads = byId<HTMLSelectElement>('threads');

export function startOperation(): void {
  startOperators();
  opset.addEventListener('change', () => change({ opset: Number(opset.value) }));
  keepdims.addEventListener('change', () => change({ keepdims: keepdims.checked }));
  noop.addEventListener('change', () => change({ noop: noop.value as Noop }));
  startThreads();
  watch(['settings', 'loaded'], draw);
  watch(['runError'], drawErrors);
  watch(['result', 'runError'], drawThreadsNote);
}

function startOperators(): void {
  byId('operators').append(...operators.map(({ name }) => {
    const radio = make('input', { type: 'radio', name: 'operator', value: name });
    radio.addEventListener('change', () => chooseOperator(name));
    return make('label', {}, radio, make('span', {}, name));
  }));
}

function startThreads(): void {
  const cores = navigator.hardwareConcurrency || 1;
  const counts = [1, 2, 4, 8, 16, 32].filter((count) => count <= Math.max(2, cores));
  threads.append(make('option', { value: 'auto' }, 'auto'), ...counts.map((count) => make('option', { value: String(count) }, String(count))));
  threads.addEventListener('change', () => change({ threads: threads.value === 'auto' ? 'auto' : Number(threads.value) }));
}

/** Axes as positions; what lies outside of the rank is left to the package to refuse. */
function chosenAxes({ axes }: Settings, rank: number): Set<number> {
  return new Set(axes.map((axis) => (axis < 0 ? axis + rank : axis)).filter((axis) => axis >= 0 && axis < rank));
}

function draw(): void {
  const { settings, loaded } = state;
  const operator = operatorOf(settings.operator);
  for (const radio of byId('operators').querySelectorAll('input')) radio.checked = radio.value === settings.operator;
  const choices = opsetChoices(operator);
  const version = versionOf(operator, settings.opset);
  opset.replaceChildren(...choices.map(({ value, label }) => make('option', { value: String(value) }, label)));
  if (!version || settings.opset !== version.since) {
    opset.append(make('option', { value: String(settings.opset) }, String(settings.opset)));
  }
  opset.value = String(settings.opset);
  byId('formula').textContent = formulaOf(operator);
  keepdims.checked = settings.keepdims;
  noop.value = settings.noop;
  if (![...threads.options].some(({ value }) => value === String(settings.threads))) {
    threads.append(make('option', { value: String(settings.threads) }, String(settings.threads)));
  }
  threads.value = String(settings.threads);
  drawShapes(settings, loaded?.dims ?? []);
}

function drawShapes(settings: Settings, dims: readonly number[]): void {
  const chosen = chosenAxes(settings, dims.length);
  const none = settings.axes.length === 0;
  const everything = none && settings.noop === 'off';
  const reduced = everything ? new Set(dims.keys()) : chosen;
  const chips = byId('chips');
  if (chips.querySelectorAll('button').length !== dims.length || dims.length === 0) {
    chips.replaceChildren(...dims.map((_, axis) => {
      const button = make('button', { type: 'button', className: 'chip' }, make('b'), ' ', make('small', {}, `axis ${axis}`));
      button.addEventListener('click', () => toggle(axis));
      return button;
    }));
    if (dims.length === 0 && state.loaded) chips.append(make('span', { className: 'chip ghost' }, make('b', {}, 'scalar'), make('small', {}, 'no axes')));
  }
  dims.forEach((dim, axis) => {
    const chip = chips.children[axis]!;
    chip.setAttribute('aria-pressed', String(chosen.has(axis)));
    chip.classList.toggle('implied', everything);
    chip.firstElementChild!.textContent = String(dim);
  });
  const keep = settings.keepdims || (none && settings.noop !== 'off');
  const out = dims.map((dim, axis) => {
    const isReduced = reduced.has(axis);
    const text = !isReduced ? String(dim) : keep ? '1' : '\u00b7';
    return make('span', { className: `chip${isReduced ? keep ? ' one' : ' ghost' : ''}` }, make('b', {}, text));
  });
  const result = reducedDims(dims, reduced, keep);
  if (dims.length === 0 && state.loaded) out.push(make('span', { className: 'chip ghost scalar-chip' }, make('b', {}, 'scalar')));
  byId('out-chips').replaceChildren(...out);
  byId('out-text').textContent = `\u2192 ${loadedType()} ${result.length === 0 ? 'scalar' : shape(result)}`;
  byId('chips').parentElement!.hidden = !state.loaded;
  if (!state.loaded) {
    byId('chips-label').textContent = 'Its dims appear here once there is data.';
    byId('out-text').textContent = '';
    return;
  }
  const label = dims.length === 0 ? 'A scalar has no axis to choose.'
    : everything ? 'No axis chosen, so every one is reduced: click dims to choose.'
    : none ? 'No axis chosen, so none is reduced: click dims to choose.'
    : `Reducing ${chosen.size === 1 ? 'axis' : 'axes'} ${[...chosen].sort((a, b) => a - b).map((axis) => `${axis}`).join(', ')}: ${perResult(dims, reduced)}.`;
  byId('chips-label').textContent = label;
}

function loadedType(): string {
  return state.loaded?.type ?? '';
}

function perResult(dims: readonly number[], reduced: ReadonlySet<number>): string {
  const count = dims.reduce((all, dim, axis) => (reduced.has(axis) ? all * dim : all), 1);
  return `${elementCount(count)} per result`;
}

function toggle(axis: number): void {
  const rank = state.loaded?.dims.length ?? 0;
  const chosen = chosenAxes(state.settings, rank);
  if (!chosen.delete(axis)) chosen.add(axis);
  change({ axes: [...chosen].sort((a, b) => a - b) });
}

/** Where each kind of error is shown; what is not named here goes to the result. */
const places: Record<string, string> = {
  AXIS_OUT_OF_RANGE: 'axes-error', AXIS_NOT_INTEGER: 'axes-error', WRONG_AXES: 'axes-error',
  NOOP_NOT_ALLOWED: 'noop-error', WRONG_NOOP: 'noop-error',
  OPSET_OUT_OF_RANGE: 'opset-error', TYPE_NOT_ALLOWED: 'opset-error',
};

/** The field that an error belongs to, if it is one of this panel. */
export function placeOf(code: string | undefined): string | undefined {
  return code === undefined ? undefined : places[code];
}

function drawErrors(): void {
  const error = state.runError;
  const place = placeOf(error?.code);
  for (const id of new Set(Object.values(places))) showError(byId(id), id === place ? error!.message : '');
  opset.setAttribute('aria-invalid', String(place === 'opset-error'));
  noop.setAttribute('aria-invalid', String(place === 'noop-error'));
}

function drawThreadsNote(): void {
  const { result } = state;
  const note = byId('threads-note');
  note.replaceChildren();
  if (!result || result.threads > 1 || state.settings.threads === 1) return;
  note.append(`One thread${result.threadsReason ? `: ${result.threadsReason.replace(/\.$/, '')}` : ''}. `);
  if (!canIsolate()) return;
  const button = make('button', { type: 'button', className: 'link' }, 'Turn threads on (reloads the page)');
  button.addEventListener('click', () => {
    button.disabled = true;
    isolate().catch((error: Error) => {
      note.textContent = `Threads cannot be turned on here: ${error.message}`;
    });
  });
  note.append(button);
}
