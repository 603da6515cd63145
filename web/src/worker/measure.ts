// Timing in a page: clocks tick in steps of 5 to 1000 microseconds, so a short
// call is repeated until a batch of it is long enough to be read off.

/** A call that takes longer than this is made only once. */
const longest = 3000;

export interface Timing {
  milliseconds: number;
  runs: number;
}

/** A batch this long (in milliseconds) can be read off even a coarse clock; a quarter of it is taken for lack of better. */
const longEnough = 4;

/**
 * Repeats a call for about `budget` milliseconds and gives its best time.
 * Between two batches `pause` lets messages in.
 */
export async function measure(call: () => void, budget: number, pause: () => Promise<void>): Promise<Timing> {
  const begin = performance.now();
  call();
  const first = performance.now() - begin;
  await pause();
  if (first >= longest) return { milliseconds: first, runs: 1 };
  let batch = 1;
  let best = first > 0 ? first : Infinity;
  let runs = 1;
  // The first run compiles and warms up, so it is never the only one that
  // counts, and the others get the whole budget.
  const end = performance.now() + budget;
  do {
    const start = performance.now();
    for (let i = 0; i < batch; i += 1) call();
    const spent = performance.now() - start;
    runs += batch;
    if (spent >= longEnough / 4) best = Math.min(best, spent / batch);
    if (spent < longEnough) batch *= spent < longEnough / 16 ? 8 : 2;
    await pause();
  } while (performance.now() < end);
  return { milliseconds: best === Infinity ? first : best, runs };
}
