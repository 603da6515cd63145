// Correctly rounded natural logarithms of exact dyadic rationals.
//
// Fixed-point BigInt arithmetic with an error bound, repeated with more bits
// until both ends of the error interval round to the same number (Ziv's loop).
// It ends because ln of a rational other than 1 is transcendental: it is never
// itself a number of the format, nor half-way between two.
import { bitLength, encodeFloat, encodeInteger, formats, lowestInteger } from './formats.mjs';

const abs = (n) => (n < 0n ? -n : n);

/**
 * 2 atanh(num/den) * 2^p with an error of less than `error` units, for
 * |num/den| < 1/2: the series 2 (z + z^3/3 + z^5/5 + ...).
 */
function twiceArctanh(num, den, p) {
  const scale = BigInt(p);
  const z = (abs(num) << scale) / den;
  const square = (z * z) >> scale;
  let power = z;
  let sum = z;
  let terms = 1n;
  for (let k = 3n; ; k += 2n) {
    power = (power * square) >> scale;
    if (power === 0n) break;
    sum += power / k;
    terms += 1n;
  }
  // Every truncation is below one unit; `power` carries at most a few of them
  // (each is multiplied by z^2 < 1/4 before the next is added: below 4 units,
  // plus the error of the square times power/square < 1). What follows the
  // first power below one unit is below one unit in all.
  return { value: 2n * (num < 0n ? -sum : sum), error: 2n * (8n * terms + 8n) };
}

const logTwoCache = new Map();

/** ln 2 * 2^p and its error, by the Machin-like formula of three arctanhs. */
function logTwo(p) {
  let entry = logTwoCache.get(p);
  if (entry === undefined) {
    const a = twiceArctanh(1n, 26n, p);
    const b = twiceArctanh(1n, 4801n, p);
    const c = twiceArctanh(1n, 8749n, p);
    entry = {
      value: 9n * a.value - b.value + 4n * c.value,
      error: 9n * a.error + b.error + 4n * c.error,
    };
    logTwoCache.set(p, entry);
  }
  return entry;
}

/**
 * ln(n * 2^e) * 2^p for n > 0: an interval [low, high] of BigInts.
 */
export function logarithmInterval(n, e, p) {
  // x = (n / 2^bits) * 2^k with the first factor in [0.7, 1.42].
  let bits = bitLength(n) - 1;
  if (n * 10n > 14n << BigInt(bits)) bits += 1;
  const k = BigInt(bits + e);
  const one = 1n << BigInt(bits);
  const main = twiceArctanh(n - one, n + one, p);
  if (k === 0n) return { low: main.value - main.error, high: main.value + main.error };
  const two = logTwo(p);
  const value = main.value + k * two.value;
  const error = main.error + abs(k) * two.error;
  return { low: value - error, high: value + error };
}

/**
 * Storage bits of ln(n * 2^e), n > 0, rounded once to a floating type.
 * @param {{steps?: number}} [statistics] counts the passes of Ziv's loop
 */
export function roundedLogarithm(type, n, e, statistics) {
  while ((n & 1n) === 0n) {
    const zeros = trailingZeros(n);
    n >>= BigInt(zeros);
    e += zeros;
  }
  if (n === 1n && e === 0) return 0n;
  // Next to 1 the logarithm is tiny: x - 1 tells how many places it starts
  // below the point.
  let leading = 0;
  const bits = bitLength(n);
  if (bits + e === 1 || bits + e === 0) {
    const distance = abs(n - (1n << BigInt(-e)));
    leading = Math.max(0, -(bitLength(distance) + e));
  }
  for (let extra = 40; ; extra *= 2) {
    if (statistics) statistics.steps = (statistics.steps ?? 0) + 1;
    const p = leading + formats[type].precision + extra;
    const { low, high } = logarithmInterval(n, e, p);
    if (low > 0n === high > 0n && low !== 0n && high !== 0n) {
      const bitsLow = encodeFloat(type, low, -p);
      if (bitsLow === encodeFloat(type, high, -p)) return bitsLow;
    }
  }
}

function trailingZeros(n) {
  const low = n & -n;
  return bitLength(low) - 1;
}

const kIntegerScale = 512n;
const powersOfE = [];

/** e^k * 2^512 as an interval, by multiplying intervals. */
function powerOfE(k) {
  if (powersOfE.length === 0) {
    // e = sum 1/j!, each term truncated; the tail after the last term that is
    // not zero is below two units.
    let term = 1n << kIntegerScale;
    let sum = 0n;
    let terms = 0n;
    for (let j = 1n; term > 0n; j += 1n) {
      sum += term;
      term /= j;
      terms += 1n;
    }
    powersOfE.push({ low: 1n << kIntegerScale, high: 1n << kIntegerScale });
    powersOfE.push({ low: sum - 1n, high: sum + 3n * terms + 2n });
  }
  while (powersOfE.length <= k) {
    const last = powersOfE[powersOfE.length - 1];
    powersOfE.push({
      low: (last.low * powersOfE[1].low) >> kIntegerScale,
      high: ((last.high * powersOfE[1].high) >> kIntegerScale) + 1n,
    });
  }
  return powersOfE[k];
}

/** ceil(e^k), k >= 0: the smallest integer whose logarithm is at least k. */
export function ceilingOfPower(k) {
  if (k === 0) return 1n;
  const { low, high } = powerOfE(k);
  const fromLow = (low >> kIntegerScale) + 1n;
  if (fromLow !== (high >> kIntegerScale) + 1n) throw new Error(`e^${k} needs more bits`);
  return fromLow;
}

/** Storage bits of ln(sum) truncated toward zero; sum <= 0 gives the lowest value. */
export function truncatedLogarithm(type, sum) {
  if (sum <= 0n) return lowestInteger(type);
  let k = 0;
  while (sum >= ceilingOfPower(k + 1)) k += 1;
  return encodeInteger(type, BigInt(k));
}
