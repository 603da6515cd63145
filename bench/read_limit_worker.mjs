// One of several threads that read the same bytes together; see readTogether.
import { parentPort, workerData } from 'node:worker_threads';
import { limitsOf } from './limit_kernels.mjs';

const { module, bytes, control } = workerData;
const [kTurn, kStreams, kDone] = [0, 1, 2];
const words = new Int32Array(control);
const { run: read } = limitsOf(module, bytes);
parentPort.postMessage('ready');
for (let turn = 0; ; turn++) {
  // Looked at again: the notification of a turn may come after it was noticed.
  while (Atomics.load(words, kTurn) === turn) Atomics.wait(words, kTurn, turn);
  const streams = Atomics.load(words, kStreams);
  if (streams === 0) break;
  read(streams);
  Atomics.add(words, kDone, 1);
}
