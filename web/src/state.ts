// What the page shows, in one object; views subscribe to the parts they draw.

import { newestOpset, operators, operatorOf, types } from './operators';
import { ruleTable } from './rules';
import { parseShape } from './format';
import type { CallError } from './client';
import type { Comparison, Contender, ImageScale, Loaded, Noop, Recipe, Result, Settings, TypeName } from './protocol';

export type View = 'auto' | 'numbers' | 'heatmap' | 'line';

/** What data was asked for; a file cannot be named in a link, the others can. */
export type Source =
  | { kind: 'recipe'; recipe: Recipe }
  | { kind: 'sample'; name: string }
  | { kind: 'file' };

export interface Row {
  state: 'idle' | 'running' | 'done' | 'failed';
  comparison?: Comparison;
  error?: string;
  progress?: number;
}

export interface State {
  source: Source;
  settings: Settings;
  view: View;
  imageScale: ImageScale;
  loaded?: Loaded | undefined;
  loading?: { text: string; fraction: number } | undefined;
  loadError: string;
  result?: Result | undefined;
  /** Goes up with each new result, so that late answers about older ones are dropped. */
  resultNumber: number;
  runError?: CallError | undefined;
  running: boolean;
  rows: Record<Contender, Row>;
}

export const defaultRecipe: Recipe = { rule: 'ripples', type: 'float32', dims: [1024, 1024], seed: 1 };

export const defaultSettings: Settings = {
  operator: operators[0]!.name, opset: 18, axes: [1], keepdims: false, noop: 'off', threads: 'auto',
};

export const state: State = {
  source: { kind: 'recipe', recipe: defaultRecipe }, settings: defaultSettings, view: 'auto', imageScale: 'byte',
  loadError: '', resultNumber: 0, running: false,
  rows: { other: { state: 'idle' }, loop: { state: 'idle' }, ort: { state: 'idle' } },
};

type Key = keyof State;
const listeners: { keys: readonly Key[]; draw: () => void }[] = [];

/** Calls `draw` now and whenever one of the parts changes. */
export function watch(keys: readonly Key[], draw: () => void): void {
  listeners.push({ keys, draw });
  draw();
}

export function update(change: Partial<State>): void {
  Object.assign(state, change);
  const changed = Object.keys(change) as Key[];
  for (const { keys, draw } of listeners) {
    if (keys.some((key) => changed.includes(key))) draw();
  }
}

/** The part of the state that a link can carry. */
export function toHash({ source, settings, view }: State): string {
  const hash = new URLSearchParams();
  if (source.kind === 'recipe') {
    const { rule, dims, type, seed } = source.recipe;
    hash.set('data', rule);
    hash.set('shape', dims.join('x'));
    hash.set('type', type);
    hash.set('seed', String(seed));
  } else if (source.kind === 'sample') {
    hash.set('sample', source.name);
  }
  hash.set('op', settings.operator);
  hash.set('opset', String(settings.opset));
  if (settings.axes.length > 0) hash.set('axes', settings.axes.join('.'));
  hash.set('keepdims', settings.keepdims ? '1' : '0');
  if (settings.noop !== 'off') hash.set('noop', settings.noop);
  if (settings.threads !== 'auto') hash.set('threads', String(settings.threads));
  if (view !== 'auto') hash.set('view', view);
  return hash.toString();
}

function oneOf<T extends string>(value: string | null, allowed: readonly T[], otherwise: T): T {
  return allowed.includes(value as T) ? value as T : otherwise;
}

/** Reads a link. What is missing or makes no sense in it falls back to the default. */
export function fromHash(text: string): Pick<State, 'source' | 'settings' | 'view'> {
  const hash = new URLSearchParams(text.replace(/^#/, ''));
  const operator = operatorOf(hash.get('op') ?? '');
  const axesText = hash.get('axes');
  const axes = (axesText ?? '').split(/[.,]/).filter((part) => /^-?\d+$/.test(part)).map(Number);
  const opset = Number(hash.get('opset') ?? NaN);
  const threads = Number(hash.get('threads') ?? NaN);
  const bare = [...hash.keys()].length === 0;
  const source = sourceOf(hash);
  const settings: Settings = {
    operator: operator.name,
    opset: Number.isInteger(opset) ? opset : newestOpset(operator, source.kind === 'recipe' ? source.recipe.type : 'float32'),
    axes: bare ? defaultSettings.axes : axes,
    keepdims: hash.has('keepdims') ? hash.get('keepdims') !== '0' : bare ? defaultSettings.keepdims : true,
    noop: oneOf<Noop>(hash.get('noop'), ['off', 'map', 'identity'], 'off'),
    threads: Number.isInteger(threads) && threads > 0 ? threads : 'auto',
  };
  const view = oneOf<View>(hash.get('view'), ['auto', 'numbers', 'heatmap', 'line'], 'auto');
  return { source, settings, view };
}

function sourceOf(hash: URLSearchParams): Source {
  const sample = hash.get('sample');
  if (sample) return { kind: 'sample', name: sample };
  const dims = parseShape(hash.get('shape') ?? '1024x1024');
  const seed = Number(hash.get('seed') ?? 1);
  const recipe: Recipe = {
    rule: oneOf(hash.get('data'), Object.keys(ruleTable), defaultRecipe.rule),
    type: oneOf<TypeName>(hash.get('type'), types.map(({ name }) => name), 'float32'),
    // Too large a shape is left in: the panel says what is wrong with it.
    dims: dims ?? defaultRecipe.dims,
    seed: Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32 ? seed : 1,
  };
  return { kind: 'recipe', recipe };
}
