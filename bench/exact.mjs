// Exact sums of float32 data, fast enough for tens of millions of elements, and
// independent of the library: significands are added up per exponent in numbers
// small enough for float64 to hold exactly. The oracle of the tests rounds them.
import { asBits, encodeFloat, ExactSum, formats, roundedLogarithm } from '../tests/oracle/index.mjs';

const kHalf = 2 ** 24;

/** The exact sum of elements data[start], data[start + step], ... (count of them), or of their squares, as {n, e}. */
function exactSum32(words, start, count, step, square) {
  // Two parts of each square, below 2^24 each: 2^29 of them stay below 2^53.
  const high = new Float64Array(256);
  const low = new Float64Array(256);
  for (let i = 0, at = start; i < count; i++, at += step) {
    const word = words[at];
    const biased = (word >>> 23) & 255;
    if (biased === 255) throw new Error('exactSum32: only finite data');
    const significand = (word & 0x7fffff) | (biased === 0 ? 0 : 0x800000);
    const exponent = biased || 1;
    if (square) {
      const product = significand * significand;
      const top = Math.floor(product / kHalf);
      high[exponent] += top;
      low[exponent] += product - top * kHalf;
    } else {
      low[exponent] += word >>> 31 ? -significand : significand;
    }
  }
  const exponentOf = (biased) => (square ? 2 : 1) * (biased - 150);
  let n = 0n;
  for (let biased = 1; biased < 255; biased++) {
    const part = BigInt(high[biased]) * BigInt(kHalf) + BigInt(low[biased]);
    n += part << BigInt(exponentOf(biased) - exponentOf(1));
  }
  return { n, e: exponentOf(1) };
}

/** The same for any floating type, by the oracle's BigInts. */
function exactSum(type, bits, start, count, step, square) {
  const sum = new ExactSum();
  for (let i = 0, at = start; i < count; i++, at += step) sum.addElement(type, bits[at], square);
  return sum.value();
}

/**
 * The bits every result should have, for a matrix [rows, columns].
 * @param {0 | 1 | null} axis which is reduced; null: both
 * @returns {bigint[]}
 */
export function exactResults(operator, type, data, [rows, columns], axis) {
  const bits = asBits(type, data);
  const square = operator === 'ReduceSumSquare';
  if (!square && operator !== 'ReduceLogSum') throw new Error(`no exact reference for ${operator}`);
  const [outputs, count, apart, step] = axis === null ? [1, rows * columns, 0, 1]
    : axis === 0 ? [columns, rows, 1, columns] : [rows, columns, columns, 1];
  const sumOf = type === 'float32' ? exactSum32 : (...rest) => exactSum(type, ...rest);
  return Array.from({ length: outputs }, (_, output) => {
    const { n, e } = sumOf(bits, output * apart, count, step, square);
    if (!square && n <= 0n) throw new Error('exactResults: the logarithm of a sum that is not positive');
    return square ? encodeFloat(type, n, e) : roundedLogarithm(type, n, e);
  });
}

/** Where a number stands in the order of all numbers of its type. */
function place(type, bits) {
  const { signBit } = formats[type];
  const value = BigInt(bits);
  return value & signBit ? -(value ^ signBit) : value;
}

/** How many numbers of the type a result is away from the right one. */
export function ulpsApart(type, bits, rightBits) {
  const distance = place(type, bits) - place(type, rightBits);
  return Number(distance < 0n ? -distance : distance);
}
