// The read limit of several threads: each reads its own part, in an instance of
// its own, and the calling thread takes part, as onnx-reduce's threads do.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { limitModule, limitsOf, streamCounts } from './limit_kernels.mjs';

const [kTurn, kStreams, kDone] = [0, 1, 2];

/** Subjects as Limits.reads() gives, run by `threads` threads; close() ends them. */
export async function readTogether(bytes, threads) {
  const module = limitModule();
  const control = new SharedArrayBuffer(12);
  const words = new Int32Array(control);
  const part = Math.ceil(bytes.length / threads / 512) * 512;
  const { run: own } = limitsOf(module, bytes.subarray(0, part));
  const workers = [];
  for (let i = 1; i < threads; i++) {
    const shared = new Uint8Array(new SharedArrayBuffer(Math.max(0, Math.min(part, bytes.length - i * part))));
    shared.set(bytes.subarray(i * part, i * part + shared.length));
    workers.push(new Worker(new URL('read_limit_worker.mjs', import.meta.url), { workerData: { module, bytes: shared, control } }));
  }
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const start = (streams) => {
    Atomics.store(words, kStreams, streams);
    Atomics.add(words, kTurn, 1);
    Atomics.notify(words, kTurn);
  };
  const run = (streams) => {
    Atomics.store(words, kDone, 0);
    start(streams);
    own(streams);
    while (Atomics.load(words, kDone) < workers.length);
  };
  return {
    subjects: streamCounts.map((streams) => ({ name: `read ${streams}`, run: () => run(streams) })),
    async close() {
      const ends = workers.map((worker) => once(worker, 'exit'));
      start(0);
      await Promise.all(ends);
    },
  };
}
