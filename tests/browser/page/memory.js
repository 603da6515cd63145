// Inputs that are large, and the core's memory as it grows.
import { bitsOf } from './bits.js';
import { equal, ok, thrownBy } from './harness.js';

const period = 250;

/** float32 values that repeat, none of which has a short square. */
function fillPeriodic(data) {
  const pattern = new Float32Array(period);
  for (let i = 0; i < period; i++) pattern[i] = 0.1 + i / 7;
  data.set(pattern);
  // Each copy doubles what is filled.
  for (let filled = period; filled < data.length; filled *= 2) {
    data.copyWithin(filled, 0, Math.min(filled, data.length - filled));
  }
  return pattern;
}

/** The integer m with value = m * 2^-40: exact for the pattern's values, which have no bits below that. */
const scaled = (value) => BigInt(value * 2 ** 40);

/** round(sum * 2^-scale) to float32: once, ties to even, for positive normal results. */
function roundToFloat32(sum, scale) {
  const shift = BigInt(Math.max(sum.toString(2).length - 24, 0));
  const half = shift > 0n ? 1n << (shift - 1n) : 0n;
  const rest = sum & ((1n << shift) - 1n);
  let kept = sum >> shift;
  if (rest > half || (rest === half && half > 0n && (kept & 1n))) kept++;
  return Number(kept) * 2 ** (Number(shift) - scale);
}

const sumSquare = (values, times) => roundToFloat32(values.reduce((sum, value) => sum + scaled(value) ** 2n, 0n) * times, 80);

/** 300 MB of float32 in ordinary (or shared) memory. */
export async function checkLarge(checks, library) {
  const count = 75_000_000;
  const buffers = { 'ordinary memory': ArrayBuffer, ...(typeof SharedArrayBuffer === 'function' ? { 'shared memory': SharedArrayBuffer } : {}) };
  for (const [name, Buffer] of Object.entries(buffers)) {
    await checks.check(`300 MB in ${name}`, () => {
      const data = new Float32Array(new Buffer(count * 4));
      const pattern = fillPeriodic(data);
      const all = library.reduceSumSquare(data, { keepdims: false });
      equal(all.data[0], sumSquare([...pattern], BigInt(count / period)), 'the sum of squares');
      // Columns, then rows, of the same values.
      const rows = 300;
      const columns = count / rows;
      const down = library.reduceSumSquare({ data, dims: [rows, columns] }, { axes: 0, keepdims: false });
      equal(down.dims, [columns], 'dims');
      const expected = [...pattern].map((value) => sumSquare([value], BigInt(rows)));
      for (let i = 0; i < columns; i++) {
        if (down.data[i] !== expected[i % period]) throw new Error(`column ${i} is ${down.data[i]}, not ${expected[i % period]}`);
      }
      const across = library.reduceSumSquare({ data, dims: [rows, columns] }, { axes: 1, keepdims: false });
      const row = sumSquare([...pattern], BigInt(columns / period));
      ok(across.data.length === rows && across.data.every((value) => value === row), `a row is ${across.data.find((value) => value !== row)}, not ${row}`);
    });
  }
}

/** Allocated tensors stay right while the memory grows, and running out of it is an error like any other. */
export async function checkGrowth(checks, library) {
  await checks.check('allocated tensors survive growth', () => {
    const count = 16_000_000;
    const first = library.allocate('float32', [4, 250]);
    const pattern = fillPeriodic(first.data);
    const kept = bitsOf(first.data);
    const others = [];
    const expected = sumSquare([...pattern], BigInt(count / period));
    for (let i = 0; i < 4; i++) {
      const other = library.allocate('float32', [count]);
      others.push(other);
      fillPeriodic(other.data);
      equal(library.reduceSumSquare(other, { keepdims: false }).data[0], expected, `the sum over tensor ${i}`);
      equal(bitsOf(first.data), kept, `the first tensor after ${i + 1} more`);
      equal(library.reduceSumSquare(first, { keepdims: false }).data[0], sumSquare([...pattern], 4n), 'the sum over the first tensor');
    }
    for (const tensor of [first, ...others]) tensor.dispose();
    thrownBy(() => first.data);
  });
  await checks.check('too much memory is a RangeError, and the library goes on', () => {
    const error = thrownBy(() => library.allocate('float64', [1 << 20, 1 << 10]));
    ok(error instanceof RangeError && error instanceof library.ReduceError, `${error} is no RangeError of the library`);
    equal(error.code, 'OUT_OF_MEMORY', 'code');
    equal(bitsOf(library.reduceSumSquare(new Float32Array([1, 2, 3])).data), ['0x41600000'], 'the next result');
  });
}
