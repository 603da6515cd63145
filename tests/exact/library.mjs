// The built package as the exactness tests see it: the default entry and
// reducers with several threads, and the statistics of the last call where the
// package lets tests read them.
const dist = new URL('../../dist/', import.meta.url);

/**
 * @param {number[]} threadCounts 1 stands for the default entry
 */
export async function openLibrary(threadCounts) {
  const targets = [];
  const closers = [];
  for (const count of threadCounts) {
    if (count === 1) {
      const api = await import(new URL('index.mjs', dist));
      targets.push({ name: 'index', api, statistics: () => null });
    } else {
      const { createReducer } = await import(new URL('threads.mjs', dist));
      const reducer = await createReducer({ threads: count });
      if (reducer.threads !== count) {
        throw new Error(`asked for ${count} threads, got ${reducer.threads}: ${reducer.threadsReason}`);
      }
      targets.push({ name: `${count} threads`, api: reducer, statistics: () => null });
      closers.push(() => reducer.dispose());
    }
  }
  return {
    targets,
    async close() {
      for (const close of closers) await close();
    },
  };
}
