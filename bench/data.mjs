// The data of the cases: seeded, so that every process makes the same.
import { Random } from '../tests/exact/random.mjs';

export const arrayClasses = {
  float32: Float32Array, float64: Float64Array, float16: Uint16Array, bfloat16: Uint16Array,
  int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array,
};

// Positive values, so that a sum has a logarithm; the integers span the whole
// positive range, so that no kernel gets away with less than its widest sum.
const fillers = {
  float32: (array, random) => fill(array, () => (random.next() >>> 8) * 2 ** -24),
  float64: (array, random) => fill(array, () => random.unit()),
  // Bits below those of 1, but few subnormals.
  float16: (array, random) => fill(array, () => 0x1000 + (random.next() % 0x2c00)),
  bfloat16: (array, random) => fill(array, () => 0x3800 + (random.next() % 0x0780)),
  int32: (array, random) => fill(array, () => random.next() >>> 1),
  uint32: (array, random) => fill(array, () => random.next()),
  int64: (array, random) => fillWords(array, random, 0x7fffffff),
  uint64: (array, random) => fillWords(array, random, 0xffffffff),
};

function fill(array, next) {
  for (let i = 0; i < array.length; i++) array[i] = next();
}

function fillWords(array, random, highMask) {
  const words = new Uint32Array(array.buffer);
  for (let i = 0; i < words.length; i += 2) {
    words[i] = random.next();
    words[i + 1] = random.next() & highMask;
  }
}

/** An array of `count` elements of a type; `shared` puts it into a SharedArrayBuffer. */
export function makeData(type, count, { shared = false, seed = 20 } = {}) {
  const Kind = arrayClasses[type];
  const bytes = count * Kind.BYTES_PER_ELEMENT;
  const array = new Kind(shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
  fillers[type](array, new Random(seed));
  return array;
}

export const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
