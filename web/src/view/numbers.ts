// The result as numbers: one large figure for a scalar, else a table that
// scrolls over any number of elements and holds only the rows in sight.

import { call } from '../client';
import { make } from '../dom';
import { grouped, shape, unravel } from '../format';
import type { Result, TypeName } from '../protocol';

const rowHeight = 30;
/** Characters that a value of each type may take. */
const digits: Record<TypeName, number> = {
  float32: 13, float64: 22, float16: 8, bfloat16: 9, int32: 11, uint32: 10, int64: 20, uint64: 20,
};
/** Widest a column gets: a few numbers are easier to read side by side than spread over the card. */
const widest = 200;
/** Browsers stop at some ten million pixels; beyond this the scroll bar is a scale of its own. */
const tallest = 6_000_000;

export function showScalar(into: HTMLElement, { single, dims, type }: Result): void {
  into.replaceChildren(make('div', { className: 'scalar' },
    make('output', { className: 'scalar-value' }, single!.value),
    make('p', { className: 'hint' }, `${type} ${shape(dims)}, bits ${single!.bits}`)));
}

/** Columns that fit: a row of the table is a run of neighbours along the last dim. */
function layout(result: Result, width: number) {
  const long = result.dims.filter((dim) => dim !== 1);
  const run = long.at(-1) ?? 1;
  const fit = Math.max(1, Math.min(8, Math.floor((width - 96) / (digits[result.type] * 7.8 + 20))));
  const columns = Math.min(fit, Math.max(1, run));
  const perRun = Math.ceil(run / columns);
  const runs = run === 0 ? 0 : result.elements / run;
  return { run, columns, perRun, rows: perRun * runs };
}

export function showTable(into: HTMLElement, result: Result): void {
  if (result.elements === 0) {
    into.replaceChildren(make('p', { className: 'empty' }, `The result has the shape ${shape(result.dims)}: no elements.`));
    return;
  }
  const body = make('tbody');
  const table = make('table', { className: 'numbers', 'aria-rowcount': 0 },
    make('caption', { className: 'visually-hidden' }, `The ${grouped(result.elements)} elements of the result`),
    make('colgroup', {}, make('col', { className: 'index' })), body);
  const sheet = make('div', { className: 'numbers-sheet' }, table);
  const spacer = make('div', { className: 'numbers-spacer' }, sheet);
  const scroller = make('div', { className: 'numbers-scroller', tabIndex: 0, role: 'region', 'aria-label': 'Elements of the result, scroll for more' }, spacer);
  const go = make('input', { type: 'number', min: '0', max: String(result.elements - 1), step: '1', 'aria-label': 'Go to element number' });
  const where = make('span', { className: 'hint' });
  const form = make('form', { className: 'go' }, make('label', {}, make('span', {}, 'Go to element'), go), make('button', { className: 'quiet' }, 'Go'), where);
  into.replaceChildren(scroller, form);
  form.hidden = result.elements <= 40;

  let { run, columns, perRun, rows } = layout(result, into.clientWidth);
  let latest = 0;

  const sight = () => Math.ceil(scroller.clientHeight / rowHeight) + 1;
  const firstRow = () => {
    const height = spacer.offsetHeight - scroller.clientHeight;
    const most = Math.max(0, rows - sight() + 2);
    return height <= 0 ? 0 : Math.min(most, Math.round(scroller.scrollTop / height * most));
  };
  const startOf = (row: number) => Math.floor(row / perRun) * run + (row % perRun) * columns;

  async function draw(): Promise<void> {
    const mine = ++latest;
    const first = firstRow();
    const count = Math.min(sight(), rows - first);
    const start = startOf(first);
    const end = Math.min(result.elements, startOf(first + count - 1) + columns);
    const window = await call('numbers', { which: 'result', start, count: end - start }).catch(() => undefined);
    // Scrolled on, or another result since; the worker has let go of this one then.
    if (!window || mine !== latest || !scroller.isConnected) return;
    table.setAttribute('aria-rowcount', String(rows));
    body.replaceChildren(...Array.from({ length: count }, (_, i) => tableRow(first + i, window.start, window.values, window.bits)));
    where.textContent = `${grouped(start)} to ${grouped(end - 1)} of ${grouped(result.elements)}`;
  }

  function tableRow(row: number, from: number, values: string[], bits: string[]): HTMLTableRowElement {
    const start = startOf(row);
    const count = Math.min(columns, run - (row % perRun) * columns, result.elements - start);
    const cells = Array.from({ length: columns }, (_, i) => {
      if (i >= count) return make('td');
      const at = start + i - from;
      return make('td', { title: `${shape(unravel(start + i, result.dims))}  ${bits[at]}` }, values[at]);
    });
    const head = make('th', { scope: 'row' }, shape(unravel(start, result.dims)));
    return make('tr', { 'aria-rowindex': row + 1 }, head, ...cells);
  }

  const resize = () => {
    ({ run, columns, perRun, rows } = layout(result, into.clientWidth));
    spacer.style.height = `${Math.min(tallest, rows * rowHeight)}px`;
    scroller.style.height = `${Math.min(12, rows) * rowHeight + 2}px`;
    scroller.style.maxWidth = `${96 + columns * widest}px`;
    void draw();
  };
  scroller.addEventListener('scroll', () => void draw(), { passive: true });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const element = Math.max(0, Math.min(result.elements - 1, Math.trunc(Number(go.value)) || 0));
    const row = Math.floor(element / run) * perRun + Math.floor((element % run) / columns);
    const most = Math.max(1, rows - sight() + 2);
    // A pixel may stand for several rows; a few before the wanted one keep it in sight.
    scroller.scrollTop = Math.max(0, row - 4) / most * (spacer.offsetHeight - scroller.clientHeight);
    void draw();
  });
  let width = 0;
  const observer = new ResizeObserver(() => {
    if (!scroller.isConnected) observer.disconnect();
    else if (into.clientWidth !== width) {
      width = into.clientWidth;
      resize();
    }
  });
  observer.observe(into);
}
