// Exact sums of long slices in a tenth of the time: the significands of all
// elements with one exponent are added in plain Numbers, which stay exact
// integers, and only the few sums become BigInts. A test holds it to ExactSum.
import { formats } from './formats.mjs';

// Sums of up to 2^27 halves of at most 2^26 stay below 2^53.
const kHalf = 2 ** 26;

/**
 * Adds elements of a floating type to `sum` (an ExactSum): those at `from`,
 * from + step, ... `count` of them, or their squares.
 */
export function addSlice(sum, type, bits, from, step, count, square) {
  const { width, precision, emax, emin } = formats[type];
  const wide = width === 64;
  const words = wide ? new Uint32Array(bits.buffer, bits.byteOffset, 2 * bits.length) : bits;
  const fraction = wide ? 20 : precision - 1;
  const hidden = 2 ** fraction;
  const top = 2 * emax + 1;
  const signShift = wide ? 31 : width - 1;
  // Two Numbers for each exponent: sums of upper and of lower halves.
  const high = new Float64Array(top);
  const low = new Float64Array(top);
  for (let i = 0, at = from; i < count; i += 1, at += step) {
    const word = wide ? words[2 * at + 1] : words[at];
    const biased = (word >>> fraction) & top;
    const below = word & (hidden - 1);
    const negative = (word >>> signShift) === 1;
    if (biased === top) {
      if (below !== 0 || (wide && words[2 * at] !== 0)) sum.nan = true;
      else if (negative && !square) sum.negative = true;
      else sum.positive = true;
      continue;
    }
    let m = biased === 0 ? below : below + hidden;
    if (wide) m = m * 4294967296 + words[2 * at];
    const upper = Math.floor(m / kHalf);
    const lower = m - upper * kHalf;
    if (!square) {
      high[biased] += negative ? -upper : upper;
      low[biased] += negative ? -lower : lower;
    } else if (wide) {
      const exact = BigInt(m);
      sum.add(exact * exact, 2 * (Math.max(biased, 1) - 1 + emin - precision + 1));
    } else {
      // Below 2^48, so the product is exact.
      const product = m * m;
      const part = Math.floor(product / kHalf);
      high[biased] += part;
      low[biased] += product - part * kHalf;
    }
  }
  for (let biased = 0; biased < top; biased += 1) {
    const n = BigInt(high[biased]) * BigInt(kHalf) + BigInt(low[biased]);
    const e = Math.max(biased, 1) - 1 + emin - precision + 1;
    if (n !== 0n) sum.add(n, square ? 2 * e : e);
  }
}
