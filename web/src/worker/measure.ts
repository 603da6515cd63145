// Timing in a page: clocks tick in steps of 5 to 1000 microseconds, so a short
// call is repeated until a batch of it is long enough to be read off.

export interface Timing {
  milliseconds: number;
  runs: number;
}

const shortestBatch = 4;

/**
 * Repeats a call for about `budget` milliseconds and gives its best time; the
 * first run is always made. Between two batches `pause` lets messages in.
 */
export async function measure(call: () => void, budget: number, pause: () => Promise<void>): Promise<Timing> {
  const begin = performance.now();
  call();
  const first = performance.now() - begin;
  await pause();
  if (first >= budget) return { milliseconds: first, runs: 1 };
  let batch = 1;
  let best = first > 0 ? first : Infinity;
  let runs = 1;
  while (performance.now() - begin < budget) {
    const start = performance.now();
    for (let i = 0; i < batch; i += 1) call();
    const spent = performance.now() - start;
    runs += batch;
    if (spent >= shortestBatch || batch >= 1 << 20) best = Math.min(best, spent / batch);
    else batch = spent < shortestBatch / 16 ? batch * 8 : batch * 2;
    await pause();
  }
  return { milliseconds: best === Infinity ? first : best, runs };
}
