/**
 * The operators on an instance of its own, which can own threads.
 *
 * @module onnx-reduce/threads
 */
import { startInlineCore } from './inline.js';
import { makeReducer, type Reducer, type ReducerOptions, type ReducerState, readReducerOptions } from './own_reducer.js';
import { startPool } from './pool.js';
import { kMaxMembers, machineThreads, whyNoThreads } from './pool_support.js';

export * from './exports.js';
export type { Reducer, ReducerOptions } from './own_reducer.js';

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
 * @param options how many threads, and where they come from
 * @returns the operators, and what became of the threads
 * @throws {@link ReduceError} with the code 'WASM_NOT_LOADED' when wasmUrl does not lead to
 *   core-mt.wasm; a TypeError or RangeError when an option is wrong. Never for want of threads
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
  return makeReducer(state, startInlineCore, onFallback);
}
