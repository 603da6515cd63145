// Slices whose exact sum (or sum of squares) is a number chosen to be hard:
// half-way between two results, half-way but for one far tiny term, next to 1,
// zero after cancellation, or so close to e^y that the logarithm's rounding
// depends on hundreds of bits.
import { bitLength, decodeInteger, encodeFloat, encodeInteger, formats } from '../oracle/formats.mjs';
import { ceilingOfPower, logarithmInterval } from '../oracle/logarithm.mjs';
import { ExactSum } from '../oracle/reduction.mjs';

const abs = (n) => (n < 0n ? -n : n);

/** Exponent of the smallest positive number of a format. */
export const quantumOf = (type) => formats[type].emin - (formats[type].precision - 1);

/** a - b of dyadic rationals {n, e}. */
function subtract(a, b) {
  const e = Math.min(a.e, b.e);
  return { n: (a.n << BigInt(a.e - e)) - (b.n << BigInt(b.e - e)), e };
}

function integerRoot(n) {
  if (n < 2n) return n;
  // Newton's steps from above; the host's root of the top bits starts them.
  const shift = Math.max(0, bitLength(n) - 100) & ~1;
  let x = (BigInt(Math.floor(Math.sqrt(Number(n >> BigInt(shift))))) + 2n) << BigInt(shift / 2);
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

/** The largest magnitude of the type that is at most n * 2^e (n > 0), or null. */
function largestBelow(type, n, e) {
  const { precision, emax } = formats[type];
  const top = bitLength(n) - 1 + e;
  if (top > emax) return { n: (1n << BigInt(precision)) - 1n, e: emax - precision + 1 };
  const last = Math.max(top - precision + 1, quantumOf(type));
  const kept = last >= e ? n >> BigInt(last - e) : n << BigInt(e - last);
  return kept === 0n ? null : { n: kept, e: last };
}

/**
 * Elements whose sum (or sum of squares) is exactly `difference`, as far as
 * the type can express it in at most `places` elements.
 */
export function makeUp(type, difference, square, places) {
  const elements = [];
  let left = difference;
  while (left.n !== 0n && elements.length < places) {
    if (square) {
      if (left.n < 0n) break;
      const even = left.e % 2 === 0 ? left : { n: left.n << 1n, e: left.e - 1 };
      // Enough bits for the root, but none below the type's quantum.
      const widen = Math.max(0, 2 * formats[type].precision + 4 - bitLength(even.n));
      const shift = widen + (widen % 2);
      const root = largestBelow(type, integerRoot(even.n << BigInt(shift)), (even.e - shift) / 2);
      if (root === null) break;
      elements.push(encodeFloat(type, root.n, root.e));
      left = subtract(left, { n: root.n * root.n, e: 2 * root.e });
    } else {
      const piece = largestBelow(type, abs(left.n), left.e);
      if (piece === null) break;
      const n = left.n < 0n ? -piece.n : piece.n;
      elements.push(encodeFloat(type, n, piece.e));
      left = subtract(left, { n, e: piece.e });
    }
  }
  return elements;
}

/** About e^(n * 2^e) with `p` good bits, as a dyadic rational. */
export function exponential(n, e, p) {
  const scale = p + 80;
  const two = logarithmInterval(2n, 0, scale).low;
  const y = e + scale >= 0 ? n << BigInt(e + scale) : n >> BigInt(-e - scale);
  const k = y / two;
  // e^r = (e^(r / 2^16))^(2^16)
  const r = (y - k * two) >> 16n;
  const one = 1n << BigInt(scale);
  let term = one;
  let sum = 0n;
  for (let j = 1n; term !== 0n && term !== -1n; j += 1n) {
    sum += term;
    term = ((term * r) >> BigInt(scale)) / j;
  }
  for (let i = 0; i < 16; i += 1) sum = (sum * sum) >> BigInt(scale);
  return { n: sum, e: Number(k) - scale };
}

/** Rounds {n > 0, e} to a grid of 2^last. */
function toGrid(x, last) {
  if (last <= x.e) return x;
  const drop = BigInt(last - x.e);
  return { n: (x.n + (1n << (drop - 1n))) >> drop, e: last };
}

/** A sum for which the logarithm lies next to the middle of two numbers of the type. */
function hardSumForLogarithm(random, type) {
  const { precision, emax } = formats[type];
  const smallest = quantumOf(type);
  // ln of what can be summed: from ln 2^smallest to a bit beyond ln 2^emax.
  const largestExponent = Math.floor(Math.log2((random.chance(0.5) ? emax : -smallest) * 0.693));
  const exponent = random.chance(0.5)
    ? largestExponent - random.below(4)
    : largestExponent - random.below(Math.min(largestExponent + 5 - smallest, precision * 3));
  let n = (1n << BigInt(precision - 1)) | (random.next64() & ((1n << BigInt(precision - 1)) - 1n));
  if (random.chance(0.5)) n = -n;
  const e = Math.max(exponent - precision + 1, smallest);
  // Half an ulp on: the middle of two neighbours.
  const exact = exponential(2n * n + 1n, e - 1, 64 + 2 * precision + Math.max(0, -smallest));
  const top = bitLength(exact.n) - 1 + exact.e;
  const keep = random.chance(0.3) ? 5000 : random.between(precision, 4 * precision);
  return toGrid(exact, Math.max(smallest, top - keep));
}

const floatTargets = {
  /** Half-way between two neighbours, perhaps with a far tiny term to either side. */
  tie(random, type, op, sum) {
    const { precision, emin } = formats[type];
    const now = abs(sum.n) === 0n ? { n: 1n, e: 0 } : { n: abs(sum.n), e: sum.e };
    const top = Math.max(bitLength(now.n) - 1 + now.e, emin);
    const half = top - precision;
    const floor = now.e > half ? now.n << BigInt(now.e - half) : now.n >> BigInt(half - now.e);
    const odd = (floor | 1n) + 2n * BigInt(random.between(1, 3));
    const least = op === 'ReduceSumSquare' ? 2 * quantumOf(type) : quantumOf(type);
    const way = random.below(3);
    if (way === 0 || half <= least) return { n: odd, e: half };
    const far = random.chance(0.5) ? least : random.between(least, half - 1);
    const nudge = way === 1 ? 1n : -1n;
    return { n: (odd << BigInt(half - far)) + nudge, e: far };
  },
  nextToOne(random, type) {
    const { precision } = formats[type];
    const smallest = quantumOf(type);
    const far = random.pick([random.between(-4, 4) - precision, -2 * precision, smallest, random.between(smallest, 0), -60]);
    const e = Math.max(far, smallest);
    return { n: (1n << BigInt(-e)) + BigInt(random.between(-3, 3)), e };
  },
  zero() {
    return { n: 0n, e: 0 };
  },
  tiny(random, type) {
    return { n: BigInt(random.between(-2, 9)), e: quantumOf(type) };
  },
  powerOfTwo(random, type) {
    const { emax } = formats[type];
    const e = random.between(quantumOf(type), emax + 3);
    if (e - 60 <= quantumOf(type) || random.chance(0.3)) return { n: 1n, e };
    return { n: (1n << 60n) + BigInt(random.between(-1, 1)), e: e - 60 };
  },
  hardLogarithm(random, type) {
    return hardSumForLogarithm(random, type);
  },
};

export const floatTargetNames = Object.keys(floatTargets);

/**
 * Overwrites some elements of a finite slice so that its exact sum (of
 * squares) becomes a chosen one. The elements stand at random places.
 */
export function craftFloat(random, type, op, slice, store) {
  const square = op === 'ReduceSumSquare';
  if (slice.length === 0) return;
  const name = square ? 'tie' : random.pick(floatTargetNames);
  const places = Math.min(slice.length, random.pick([4, 12, 45]));
  const kept = slice.length - places;
  // Few terms of few bits make true ties likely; many make broken ones.
  if (square && random.chance(0.5)) slice.fill(store(0n), Math.min(kept, random.between(1, 2)));
  const sum = new ExactSum();
  for (let i = 0; i < kept; i += 1) sum.addElement(type, slice[i], square);
  const now = sum.value();
  const target = floatTargets[name](random, type, op, now);
  const elements = makeUp(type, subtract(target, now), square, places);
  for (let i = kept; i < slice.length; i += 1) slice[i] = store(elements[i - kept] ?? 0n);
  if (random.chance(0.6)) shuffle(random, slice, kept);
}

/** As craftFloat, for the logarithm of integer sums. */
export function craftInteger(random, type, slice, store) {
  const { width, signed } = formats[type];
  const high = (1n << BigInt(signed ? width - 1 : width)) - 1n;
  const low = signed ? -high - 1n : 0n;
  const places = Math.min(slice.length, 8);
  const kept = slice.length - places;
  let sum = 0n;
  for (let i = 0; i < kept; i += 1) sum += decodeInteger(type, slice[i]);
  const power = ceilingOfPower(random.below(Math.ceil(width * 0.7)));
  const target = random.pick([power, power - 1n, power + 1n, 0n, 1n, -1n, high, low, high + 1n]);
  let left = target - sum;
  for (let i = kept; i < slice.length; i += 1) {
    const piece = left > high ? high : left < low ? low : left;
    slice[i] = store(encodeInteger(type, piece));
    left -= piece;
  }
  if (random.chance(0.6)) shuffle(random, slice, kept);
}

/** Exchanges each element from `from` on with one anywhere. */
export function shuffle(random, slice, from = 0) {
  for (let i = from; i < slice.length; i += 1) {
    const j = random.below(slice.length);
    [slice[i], slice[j]] = [slice[j], slice[i]];
  }
}
