/**
 * The operators on an instance of its own, which can own threads.
 *
 * @packageDocumentation
 */
import { lazyCore, type Core } from './core.js';
import { ReduceRangeError, ReduceTypeError, show } from './errors.js';
import { unknownOption } from './options.js';
import { makeOperators, type CoreProvider } from './reducer.js';
import type { AllocateShared, Operators } from './signatures.js';
import { makeDisposable, type MaybeDisposable } from './tensor.js';
import { startInlineCore } from './inline.js';

export * from './exports.js';

/** How a reducer is made. */
export interface ReducerOptions {
  /** How many threads, the caller's included; 'auto' takes what the machine has. Default: 'auto'. */
  readonly threads?: number | 'auto' | undefined;
  /** Where core-mt.wasm is (a string or URL), if it is not to be taken from inside the package. */
  readonly wasmUrl?: string | { readonly href: string } | undefined;
  /** Where reduce-worker.mjs is (a string or URL), for pages whose Content-Security-Policy allows no blob: workers. */
  readonly workerUrl?: string | { readonly href: string } | undefined;
  /** Called with the reason when the reducer goes on with fewer threads than were asked for. */
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

/** What a reducer runs on: one core, and the threads that help it. */
interface Backend {
  readonly provider: CoreProvider;
  readonly threads: number;
  readonly reason: string;
  dispose(): void;
}

const optionNames = ['threads', 'wasmUrl', 'workerUrl', 'onFallback'];

/**
 * Makes a reducer. Where threads cannot be had it works with one, and
 * `threadsReason` says why.
 *
 * @example
 * using reducer = await createReducer({ threads: 'auto' });
 * reducer.reduceLogSum(x, { axes: [-1] });
 */
export async function createReducer(options: ReducerOptions = {}): Promise<Reducer> {
  const wanted = readReducerOptions(options);
  const backend = oneThread(wanted.threads === 1 ? '' : 'this build has no threads');
  if (backend.reason !== '') wanted.onFallback?.(backend.reason);
  return makeReducer(backend);
}

function readReducerOptions(options: unknown): { threads: number | 'auto'; onFallback: ((reason: string) => void) | undefined } {
  if (options === null || typeof options !== 'object') {
    throw new ReduceTypeError('WRONG_OPTIONS', `createReducer: the options must be an object such as { threads: 4 }, not ${show(options)}`);
  }
  for (const name in options) {
    if (!optionNames.includes(name)) throw unknownOption(name, optionNames, 'createReducer');
  }
  const { threads = 'auto', onFallback } = options as ReducerOptions;
  if (threads !== 'auto' && typeof threads !== 'number') {
    throw new ReduceTypeError('WRONG_THREADS', `createReducer: threads must be 'auto' or a number, not ${show(threads)}`);
  }
  if (threads !== 'auto' && !(Number.isInteger(threads) && threads >= 1)) {
    throw new ReduceRangeError('WRONG_THREADS', `createReducer: threads must be an integer of at least 1, not ${show(threads)}`);
  }
  if (onFallback !== undefined && typeof onFallback !== 'function') {
    throw new ReduceTypeError('WRONG_OPTIONS', `createReducer: onFallback must be a function, not ${show(onFallback)}`);
  }
  return { threads, onFallback };
}

function oneThread(reason: string): Backend {
  return { provider: lazyCore(startInlineCore), threads: 1, reason, dispose() {} };
}

function makeReducer(backend: Backend): Reducer {
  let disposed = false;
  const provider = (): Core => {
    if (disposed) throw new ReduceTypeError('DISPOSED', 'Reducer: it was disposed of');
    return backend.provider();
  };
  const reducer = {
    ...makeOperators(provider),
    threads: backend.threads,
    threadsReason: backend.reason,
    dispose() {
      if (disposed) return;
      disposed = true;
      backend.dispose();
    },
  };
  makeDisposable(reducer);
  return reducer as unknown as Reducer;
}
