/**
 * The operators on an instance of its own, which can own threads.
 *
 * @packageDocumentation
 */
import { lazyCore, type Core } from './core.js';
import { ReduceRangeError, ReduceTypeError, show } from './errors.js';
import { unknownOption } from './options.js';
import type { Source } from './input.js';
import { type Pool, startPool } from './pool.js';
import { kTeamBytes } from './pool_core.js';
import { kMaxMembers, machineThreads, whyNoThreads } from './pool_support.js';
import { makeOperators } from './reducer.js';
import type { AllocateShared, Operators } from './signatures.js';
import { makeDisposable, type MaybeDisposable } from './tensor.js';
import { startInlineCore } from './inline.js';
import { isShared } from './views.js';

export * from './exports.js';

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

const optionNames = ['threads', 'wasmUrl', 'workerUrl', 'onFallback'];

/**
 * Makes a reducer. Where threads cannot be had it works with one, and
 * `threadsReason` says why.
 *
 * Its threads share the work on what they can read: tensors of its `allocate`,
 * and data in a SharedArrayBuffer. Everything else the caller reduces alone, as
 * the plain functions do.
 *
 * @example
 * using reducer = await createReducer({ threads: 'auto' });
 * reducer.reduceLogSum(x, { axes: [-1] });
 *
 * @throws {ReduceError} with code 'WASM_NOT_LOADED' when wasmUrl does not lead to core-mt.wasm
 */
export async function createReducer(options: ReducerOptions = {}): Promise<Reducer> {
  const { threads, wasmUrl, workerUrl, onFallback } = readReducerOptions(options);
  const state: ReducerState = { pool: null, threads: 1, reason: '', disposed: false };
  const wanted = threads === 'auto' ? machineThreads() : threads;
  if (wanted > 1) {
    const reason = whyNoThreads();
    const started = reason !== '' ? reason : await startPool({
      threads: Math.min(wanted, kMaxMembers), wasmUrl, workerUrl,
      onLoss() {
        const { pool } = state;
        if (pool === null) return;
        state.threads = pool.threads;
        state.reason = pool.reason;
        onFallback?.(state.reason);
      },
    });
    if (typeof started === 'string') {
      state.reason = started;
    } else {
      state.pool = started;
      state.threads = started.threads;
      state.reason = started.reason || (wanted > kMaxMembers ? `at most ${kMaxMembers} threads work together` : '');
    }
  }
  const reducer = makeReducer(state);
  if (state.reason !== '') {
    try {
      onFallback?.(state.reason);
    } catch (error) {
      reducer.dispose();
      throw error;
    }
  }
  return reducer;
}

/** What a reducer runs on. */
interface ReducerState {
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

function makeReducer(state: ReducerState): Reducer {
  let single = lazyCore(startInlineCore);
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
      single = lazyCore(startInlineCore);
    },
  };
  makeDisposable(reducer);
  return reducer as unknown as Reducer;
}

interface ReadOptions {
  readonly threads: number | 'auto';
  readonly wasmUrl: string | undefined;
  readonly workerUrl: string | undefined;
  readonly onFallback: ((reason: string) => void) | undefined;
}

function readReducerOptions(options: unknown): ReadOptions {
  if (options === null || typeof options !== 'object') {
    throw new ReduceTypeError('WRONG_OPTIONS', `createReducer: the options must be an object such as { threads: 4 }, not ${show(options)}`);
  }
  for (const name in options) {
    if (!optionNames.includes(name)) throw unknownOption(name, optionNames, 'createReducer');
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
