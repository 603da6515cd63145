// The squared norm of every row of an .npy file, however large: it is read in
// blocks of whole rows, and each block is reduced while it is here.
//
//   node main.mjs FILE.npy > norms.txt
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { reduceSumSquare } from 'onnx-reduce';
import { readRows } from './rows.mjs';

const file = process.argv[2];
if (!file) {
  console.error('usage: node main.mjs FILE.npy');
  process.exit(2);
}

let rows = 0;
try {
  await pipeline(
    createReadStream(file),
    (bytes) => readRows(bytes, 1 << 22),
    async function* (blocks) {
      for await (const block of blocks) {
        // Every axis but the first, so that a row gives one number.
        const axes = block.dims.slice(1).map((_, i) => i + 1);
        const norms = axes.length ? reduceSumSquare(block, { axes, keepdims: false }) : reduceSumSquare(block, { noopWithEmptyAxes: true });
        rows += block.dims[0];
        yield `${norms.data.join('\n')}\n`;
      }
    },
    process.stdout,
    { end: false },
  );
  console.error(`${rows} rows`);
} catch (error) {
  // The reader of our output has seen enough.
  if (error.code === 'EPIPE') process.exit(0);
  console.error(`${file}: ${error.message}`);
  process.exit(1);
}
