// What happens when: data is loaded, then reduced, then the others measure
// themselves. A change in the middle starts over; late answers are dropped.

import { call, cancel, type CallError } from './client';
import { announce } from './dom';
import { grouped, shape, timeText } from './format';
import { newestOpset, operatorOf, versionOf } from './operators';
import { samples } from './samples';
import { state, toHash, update, type Row, type Source } from './state';
import type { Contender, Loaded, Settings } from './protocol';

/** Plain loops over BigInts take this long for each million: more than a moment only when asked. */
const mostBigInts = 4e6;

let loadNumber = 0;
let files: File[] = [];
/** Once the visitor has paid for the download, later results are compared without asking. */
let ortWanted = false;

/** Loads data and runs the operator on it, over other axes where they are given. */
export async function load(source: Source, { dropped, axes }: { dropped?: File[]; axes?: number[] } = {}): Promise<void> {
  const mine = ++loadNumber;
  cancel();
  if (dropped) files = dropped;
  update({ source, loading: { text: source.kind === 'recipe' ? 'Generating' : 'Loading', fraction: 0 }, loadError: '' });
  const onProgress = (text: string, fraction: number) => {
    if (mine === loadNumber) update({ loading: { text, fraction } });
  };
  try {
    if (source.kind === 'sample') files = await fetchSample(source.name);
    if (mine !== loadNumber) return;
    const loaded = source.kind === 'recipe'
      ? await call('generate', { recipe: source.recipe }, onProgress)
      : await call('open', { files, imageScale: state.imageScale }, onProgress);
    if (mine !== loadNumber) return;
    accept(axes ? { ...loaded, model: { axes } } : loaded);
  } catch (error) {
    if (mine !== loadNumber) return;
    const { message, code } = error as CallError;
    update({ loading: undefined, loadError: code === 'CANCELLED' ? '' : message });
    if (code === 'CANCELLED') announce('Stopped');
  }
}

function accept(loaded: Loaded): void {
  const rank = loaded.dims.length;
  const settings = { ...state.settings, ...loaded.model };
  // The axes of a model and of a link stand as they are, right or wrong; those
  // chosen for other data are fitted to the new rank.
  if (!loaded.model && state.loaded) settings.axes = settings.axes.filter((axis) => axis >= -rank && axis < rank);
  // What is newest differs from type to type, and whoever has it wants it.
  const operator = operatorOf(settings.operator);
  if (!loaded.model?.opset && state.loaded && settings.opset === newestOpset(operator, state.loaded.type)) {
    settings.opset = newestOpset(operator, loaded.type);
  }
  update({ loaded, loading: undefined, settings, result: undefined });
  announce(`${loaded.name}: ${loaded.type} of shape ${shape(loaded.dims)}, ${grouped(loaded.elements)} elements`);
  rewriteHash();
  void run();
}

async function fetchSample(name: string): Promise<File[]> {
  const sample = samples.find((candidate) => candidate.name === name);
  if (!sample) throw new RangeError(`There is no sample named ${name}`);
  return Promise.all(sample.files.map(async (file) => {
    const response = await fetch(new URL(`./data/${file}`, document.baseURI));
    if (!response.ok) throw new Error(`The sample ${file} could not be loaded: ${response.status} ${response.statusText}`);
    return new File([await response.blob()], file, { type: response.headers.get('content-type') ?? '' });
  }));
}

/** Reads the same picture again with other values. */
export function rescale(imageScale: 'byte' | 'unit'): void {
  update({ imageScale });
  if (state.loaded?.imageScale) void load(state.source);
}

export function stop(): void {
  cancel();
}

export function change(settings: Partial<Settings>): void {
  update({ settings: { ...state.settings, ...settings } });
  rewriteHash();
  void run();
}

/** Another operator keeps the opset if it knows it, and the newest stays the newest. */
export function chooseOperator(name: string): void {
  const { operator, opset } = state.settings;
  const type = state.loaded?.type ?? 'float32';
  const newest = opset === newestOpset(operatorOf(operator), type);
  const version = versionOf(operatorOf(name), opset);
  change({ operator: name, ...(newest ? { opset: newestOpset(operatorOf(name), type) } : version ? { opset: version.since } : {}) });
}

export function rewriteHash(): void {
  const hash = `#${toHash(state)}`;
  if (location.hash !== hash) history.replaceState(null, '', hash);
}

let runNumber = 0;
let inFlight = false;

/** Runs the operator; while one run is under way, only the last of further wishes is kept. */
export async function run(): Promise<void> {
  const mine = ++runNumber;
  // Measurements of what is no longer wanted would only hold this one up.
  cancel();
  if (inFlight || !state.loaded) return;
  inFlight = true;
  update({ running: true });
  let done = mine;
  let fresh = false;
  do {
    done = runNumber;
    try {
      const result = await call('run', { settings: state.settings, budget: 300 });
      if (done === runNumber) {
        fresh = true;
        update({ result, runError: undefined, resultNumber: state.resultNumber + 1, rows: emptyRows() });
        announce(`${state.settings.operator}: result of shape ${shape(result.dims)} in ${timeText(result.milliseconds)}`);
      }
    } catch (error) {
      if (done === runNumber && (error as CallError).code !== 'CANCELLED') {
        update({ result: undefined, runError: error as CallError, resultNumber: state.resultNumber + 1, rows: emptyRows() });
      }
    }
  } while (done !== runNumber);
  inFlight = false;
  update({ running: false });
  if (fresh) void compareAll();
}

function emptyRows(): Record<Contender, Row> {
  return { other: { state: 'idle' }, loop: { state: 'idle' }, ort: { state: 'idle' } };
}

async function compareAll(): Promise<void> {
  const mine = state.resultNumber;
  const { type = 'float32', elements = 0 } = state.loaded ?? {};
  const slow = (type === 'int64' || type === 'uint64') && elements > mostBigInts;
  // Whoever clicks on should not wait for measurements of what is gone by then.
  await new Promise((resume) => { setTimeout(resume, 250); });
  const whom: Contender[] = ['other', ...(slow ? [] : ['loop' as const]), ...(ortWanted ? ['ort' as const] : [])];
  for (const who of whom) {
    if (mine !== state.resultNumber || inFlight) return;
    await compare(who);
  }
}

function setRow(who: Contender, row: Row): void {
  update({ rows: { ...state.rows, [who]: row } });
}

/** Measures one contender on the data and settings of the shown result. */
export async function compare(who: Contender): Promise<void> {
  const mine = state.resultNumber;
  if (!state.result) return;
  if (who === 'ort') ortWanted = true;
  setRow(who, { state: 'running' });
  const onProgress = (_: string, progress: number) => {
    if (mine === state.resultNumber) setRow(who, { state: 'running', progress });
  };
  try {
    const base = new URL('./', document.baseURI).href;
    const comparison = await call('compare', { settings: state.settings, who, base }, onProgress);
    if (mine === state.resultNumber) setRow(who, { state: 'done', comparison });
  } catch (error) {
    if (mine !== state.resultNumber) return;
    const { code, message } = error as CallError;
    setRow(who, code === 'CANCELLED' ? { state: 'idle' } : { state: 'failed', error: message });
  }
}
