// The threads entry for the runtimes of workerd.ts, which have no workers to
// start: a reducer of one thread. Everything is as in threads.ts, which documents it.
import { startImportedCore } from './imported.js';
import { makeReducer, type Reducer, type ReducerOptions, readReducerOptions } from './own_reducer.js';

export * from './exports.js';

export async function createReducer(options: ReducerOptions = {}): Promise<Reducer> {
  const { threads, onFallback } = readReducerOptions(options);
  const reason = threads === 1 ? '' : 'this runtime (the condition "workerd" was set) has no workers that could share memory';
  return makeReducer({ pool: null, threads: 1, reason, disposed: false }, startImportedCore, onFallback);
}
