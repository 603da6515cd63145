// The built package as the exactness tests see it: the default entry and
// reducers with several threads; and beside it the bare core, which tells how
// many results its exact accumulator decided.
import { wayNames } from './paths.mjs';
import { openRawCore } from './raw_core.mjs';

const dist = new URL('../../dist/', import.meta.url);

/**
 * @param {number[]} threadCounts 1 stands for the default entry
 * @param {{bare?: boolean, strict?: boolean}} [options] `bare` adds the core without the package; not `strict`: where
 *   threads cannot be had it is said, not thrown
 */
export async function openLibrary(threadCounts, { bare = false, strict = true } = {}) {
  const targets = [];
  const closers = [];
  for (const count of threadCounts) {
    if (count === 1) {
      const api = await import(new URL('index.mjs', dist));
      targets.push({ name: 'index', api, ways: wayNames, statistics: () => null });
    } else {
      const { createReducer } = await import(new URL('threads.mjs', dist));
      const reducer = await createReducer({ threads: count });
      if (reducer.threads !== count && !strict) {
        console.log(`${count} threads are not to be had: ${reducer.threadsReason}`);
        await reducer.dispose();
        continue;
      }
      if (reducer.threads !== count) {
        throw new Error(`asked for ${count} threads, got ${reducer.threads}: ${reducer.threadsReason}`);
      }
      targets.push({ name: `${count} threads`, api: reducer, ways: wayNames, statistics: () => null });
      closers.push(() => reducer.dispose());
    }
  }
  if (bare) {
    const core = await openRawCore();
    if (core !== null) targets.push(core);
  }
  return {
    targets,
    async close() {
      for (const close of closers) await close();
    },
  };
}
