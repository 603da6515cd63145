// A reducer: what it is asked for and what it runs on, for the entry that can
// start threads and for the one that can not.
import { type Core, lazyCore } from './core.js';
import { ReduceRangeError, ReduceTypeError, show } from './errors.js';
import type { Source } from './input.js';
import { isEverywhere, unknownOption } from './options.js';
import type { Pool } from './pool.js';
import { kTeamBytes } from './pool_core.js';
import { makeOperators } from './reducer.js';
import type { AllocateShared, Operators } from './signatures.js';
import { makeDisposable, type MaybeDisposable } from './tensor.js';
import { isShared } from './views.js';

/** How a reducer is made. */
export interface ReducerOptions {
  /** How many threads, the caller's included; 'auto' takes what the machine has. Default: 'auto'. */
  readonly threads?: number | 'auto' | undefined;
  /** Where core-mt.wasm is (a string or URL), if it is not to be taken from inside the package. */
  readonly wasmUrl?: string | { readonly href: string } | undefined;
  /**
   * Where reduce-worker.mjs is (a string or URL), for pages whose
   * Content-Security-Policy allows no blob: workers and whose bundler doesn't
   * bring that file along. Workers are then started from there only.
   */
  readonly workerUrl?: string | { readonly href: string } | undefined;
  /**
   * Called with the reason when the reducer goes on with fewer threads than were
   * asked for: at most once while it is made, and later whenever workers are lost.
   */
  readonly onFallback?: ((reason: string) => void) | undefined;
}

/** The operators on an instance of its own. Dispose of it when it is no longer needed. */
export interface Reducer extends Operators, MaybeDisposable {
  /** Makes a tensor of zeros in the reducer's memory, which its threads read in place. */
  readonly allocate: AllocateShared;
  /** How many threads really work, the caller's included. */
  readonly threads: number;
  /** Why there are not more; empty when there are as many as were asked for. */
  readonly threadsReason: string;
  /** Ends the threads and lets go of the memory. Calls after that throw. */
  dispose(): void;
}

/** What a reducer runs on. */
export interface ReducerState {
  pool: Pool | null;
  threads: number;
  reason: string;
  disposed: boolean;
}

/**
 * Whether an input is large and in ordinary memory. Other threads can't read it,
 * and engines copy from there into shared memory a fifth slower than into a core
 * whose memory is its own.
 */
function isForOne({ buffer, count, type }: Source): boolean {
  return count * type.bytes >= kTeamBytes && !isShared(buffer);
}

/**
 * The reducer that runs on `state`. `startSingle` starts a core for one thread;
 * `onFallback` is told at once if there are fewer threads than were asked for.
 */
export function makeReducer(state: ReducerState, startSingle: () => Core, onFallback: ReducerOptions['onFallback']): Reducer {
  let single = lazyCore(startSingle);
  const provider = (source?: Source): Core => {
    if (state.disposed) throw new ReduceTypeError('DISPOSED', 'Reducer: it was disposed of');
    const { pool } = state;
    if (pool?.core.broken) {
      pool.end('the core stopped; a new one works with one thread');
      Object.assign(state, { pool: null, threads: 1, reason: pool.reason });
    }
    return state.pool === null || (source !== undefined && isForOne(source)) ? single() : state.pool.core;
  };
  const reducer = {
    ...makeOperators(provider),
    get threads() {
      return state.threads;
    },
    get threadsReason() {
      return state.reason;
    },
    dispose() {
      state.disposed = true;
      state.pool?.end('');
      state.pool = null;
      single = lazyCore(startSingle);
    },
  };
  makeDisposable(reducer);
  if (state.reason !== '') {
    try {
      onFallback?.(state.reason);
    } catch (error) {
      reducer.dispose();
      throw error;
    }
  }
  return reducer as unknown as Reducer;
}

const optionNames = ['threads', 'wasmUrl', 'workerUrl', 'onFallback'];

/** The options, read. */
export interface ReadOptions {
  readonly threads: number | 'auto';
  readonly wasmUrl: string | undefined;
  readonly workerUrl: string | undefined;
  readonly onFallback: ((reason: string) => void) | undefined;
}

/** Reads and checks the options of createReducer. */
export function readReducerOptions(options: unknown): ReadOptions {
  if (options === null || typeof options !== 'object') {
    throw new ReduceTypeError('WRONG_OPTIONS', `createReducer: the options must be an object such as { threads: 4 }, not ${show(options)}`);
  }
  for (const name in options) {
    if (!optionNames.includes(name) && !isEverywhere(name)) throw unknownOption(name, optionNames, 'createReducer');
  }
  const { threads = 'auto', wasmUrl, workerUrl, onFallback } = options as ReducerOptions;
  if (threads !== 'auto' && typeof threads !== 'number') {
    throw new ReduceTypeError('WRONG_THREADS', `createReducer: threads must be 'auto' or a number, not ${show(threads)}`);
  }
  if (threads !== 'auto' && !(Number.isInteger(threads) && threads >= 1)) {
    throw new ReduceRangeError('WRONG_THREADS', `createReducer: threads must be an integer of at least 1, not ${show(threads)}`);
  }
  if (onFallback !== undefined && typeof onFallback !== 'function') {
    throw new ReduceTypeError('WRONG_OPTIONS', `createReducer: onFallback must be a function, not ${show(onFallback)}`);
  }
  return { threads, wasmUrl: readUrl('wasmUrl', wasmUrl), workerUrl: readUrl('workerUrl', workerUrl), onFallback };
}

function readUrl(name: string, value: unknown): string | undefined {
  const text = typeof value === 'object' && value !== null ? (value as { href?: unknown }).href : value;
  if (text !== undefined && typeof text !== 'string') {
    throw new ReduceTypeError('WRONG_OPTIONS', `createReducer: ${name} must be a string or a URL, not ${show(value)}`);
  }
  return text;
}
