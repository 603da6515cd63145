// Side by side: this package, with its data in a JavaScript array and in wasm
// memory, a plain loop, and onnxruntime-web when asked.

import { compare, run } from '../controller';
import { byId, make } from '../dom';
import { grouped, placeNote, rate, shape, short, timeText } from '../format';
import { state, watch, type Row } from '../state';
import type { Comparison, Contender } from '../protocol';

type Who = 'ours' | Contender;

const names: Record<Who, string> = {
  ours: 'onnx-reduce', other: 'onnx-reduce', loop: 'Plain JavaScript loop', ort: 'onnxruntime-web',
};

export function startCompare(): void {
  byId('again').addEventListener('click', () => void run());
  watch(['result', 'rows'], draw);
}

function draw(): void {
  const { result, rows } = state;
  byId('compare').hidden = !result;
  if (!result) return;
  const ours: Row = {
    state: 'done',
    comparison: { milliseconds: result.milliseconds, runs: result.runs, worst: 0, different: 0, elements: result.elements, note: placeNote(result.place, result.threads) },
  };
  const all: [Who, Row][] = [['ours', ours], ['other', rows.other], ['loop', rows.loop], ['ort', rows.ort]];
  const longest = Math.max(...all.map(([, row]) => row.comparison?.milliseconds ?? 0));
  const body = byId('contenders');
  const focused = document.activeElement?.closest('tr')?.dataset.who;
  body.replaceChildren(...all.map(([who, row]) => tableRow(who, row, longest, result.milliseconds)));
  if (focused) body.querySelector<HTMLElement>(`tr[data-who="${focused}"] button`)?.focus();
}

function tableRow(who: Who, row: Row, longest: number, reference: number): HTMLTableRowElement {
  const { comparison } = row;
  const note = comparison?.note ?? (who === 'other' && state.result ? placeNote(state.result.place === 'array' ? 'memory' : 'array', 1)
    : who === 'ort' && row.state === 'idle' ? 'one download of 14 MB, from this site' : '');
  const head = make('th', { scope: 'row' }, names[who], note ? make('small', {}, note) : undefined);
  const element = make('tr', {}, head);
  element.dataset.who = who;
  if (comparison) element.append(...measured(who, comparison, longest, reference));
  else element.append(make('td', { colSpan: 3 }, waiting(who, row)));
  return element;
}

function measured(who: Who, comparison: Comparison, longest: number, reference: number): HTMLElement[] {
  const factor = comparison.milliseconds / reference;
  const beside = who === 'ours' ? '' : factor >= 1.05 ? `${Number(factor.toPrecision(2))} times as long`
    : factor <= 0.95 ? `${Number((1 / factor).toPrecision(2))} times as fast` : 'the same';
  const bytes = state.loaded?.bytes ?? 0;
  const speed = rate(bytes, comparison.milliseconds, 'B/s');
  const bar = make('i', { className: `bar ${who}` });
  bar.style.inlineSize = `${Math.max(0.6, comparison.milliseconds / longest * 100)}%`;
  return [
    make('td', { className: 'time' }, make('b', {}, timeText(comparison.milliseconds)), bytes > 0 ? make('small', {}, `${speed.value}\u202f${speed.unit}`) : undefined),
    make('td', { className: 'bars', 'aria-hidden': 'true' }, bar, make('small', {}, beside)),
    make('td', { className: 'error-cell' }, ...errorText(who, comparison)),
  ];
}

function errorText(who: Who, { worst, different, elements, example }: Comparison): HTMLElement[] {
  if (worst === 0) return [make('b', { className: 'exact' }, who === 'ours' ? 'exactly rounded' : 'the same bits')];
  const floating = state.result && !state.result.type.includes('int');
  const unit = floating ? worst === 1 ? '\u202fulp' : '\u202fulps' : ' off';
  const size = worst === Infinity ? 'not even finite' : `${worst < 1e6 ? grouped(worst) : short(worst)}${unit}`;
  const share = elements === 1 ? '' : `${grouped(different)} of ${grouped(elements)} differ`;
  const detail = example ? `${elements === 1 ? '' : `at ${shape(example.index)}: `}${example.theirs}, exactly ${example.ours}` : '';
  return [
    make('b', { className: worst <= 1 ? 'close' : 'wrong' }, size),
    make('small', {}, [share, detail].filter(Boolean).join('; ')),
  ];
}

function waiting(who: Who, row: Row): HTMLElement {
  if (row.state === 'running') {
    const bar = row.progress !== undefined && row.progress < 1
      ? make('progress', { max: 1, value: row.progress, 'aria-label': `Loading ${names[who]}` })
      : make('span', { className: 'hint pulse' }, 'Measuring \u2026');
    return make('div', { className: 'waiting' }, bar);
  }
  const label = who === 'ort' ? 'Load it and compare' : 'Run it';
  const button = make('button', { type: 'button', className: 'quiet', 'aria-label': `${label}: ${names[who]}` }, row.state === 'failed' ? 'Try again' : label);
  button.addEventListener('click', () => void compare(who as Contender));
  const error = row.state === 'failed' ? make('span', { className: 'field-error', role: 'alert' }, row.error) : undefined;
  return make('div', { className: 'waiting' }, error, button);
}
