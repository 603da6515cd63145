// The eight tensor types as bit patterns, and exact conversion to and from them.
//
// Everything here is BigInt arithmetic on storage bits: no float is ever used,
// so the host's own rounding cannot hide a mistake of the code under test. An
// exact value is a dyadic rational n * 2^e with n a BigInt and e a Number.

/**
 * @typedef {object} Format a binary floating-point format
 * @property {number} width storage bits
 * @property {number} precision significand bits, the hidden one included
 * @property {number} emin exponent of the smallest normal number
 * @property {number} emax exponent of the largest finite numbers
 */

const floating = (width, precision, emax) => ({
  kind: 'floating', width, precision, emax, emin: 1 - emax,
  fraction: BigInt(precision - 1),
  exponentMask: BigInt(2 * emax + 1),
  signBit: 1n << BigInt(width - 1),
  infinity: BigInt(2 * emax + 1) << BigInt(precision - 1),
  nan: (BigInt(2 * emax + 1) << BigInt(precision - 1)) | (1n << BigInt(precision - 2)),
});
const integer = (width, signed) => ({ kind: 'integer', width, signed });

export const formats = {
  float32: floating(32, 24, 127),
  float64: floating(64, 53, 1023),
  float16: floating(16, 11, 15),
  bfloat16: floating(16, 8, 127),
  int32: integer(32, true),
  uint32: integer(32, false),
  int64: integer(64, true),
  uint64: integer(64, false),
};

export const typeNames = Object.keys(formats);
export const floatNames = typeNames.filter((name) => formats[name].kind === 'floating');

/** The kind of array that holds storage bits of a type. */
export function bitsArrayOf(type) {
  const { width } = formats[type];
  return width === 16 ? Uint16Array : width === 32 ? Uint32Array : BigUint64Array;
}

/** The kind of array in which JavaScript users hand over a type. */
export function userArrayOf(type) {
  return {
    float32: Float32Array, float64: Float64Array, float16: Uint16Array, bfloat16: Uint16Array,
    int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array,
  }[type];
}

/** The same memory seen as storage bits. */
export function asBits(type, array) {
  const Kind = bitsArrayOf(type);
  return new Kind(array.buffer, array.byteOffset, array.length);
}

/** The same memory seen as a user's array. */
export function asUser(type, bits) {
  const Kind = userArrayOf(type);
  return new Kind(bits.buffer, bits.byteOffset, bits.length);
}

/** Number of significant bits of a BigInt > 0. */
export function bitLength(n) {
  const hex = n.toString(16);
  return hex.length * 4 - Math.clz32(parseInt(hex[0], 16)) + 28;
}

/**
 * Decodes storage bits (BigInt or Number) of a floating type.
 * @returns {{kind: 'nan'} | {kind: 'infinity', sign: 1|-1} | {kind: 'finite', n: bigint, e: number}}
 */
export function decodeFloat(type, storage) {
  const format = formats[type];
  const bits = BigInt(storage);
  const negative = (bits & format.signBit) !== 0n;
  const biased = (bits >> format.fraction) & format.exponentMask;
  const fraction = bits & ((1n << format.fraction) - 1n);
  if (biased === format.exponentMask) {
    return fraction !== 0n ? { kind: 'nan' } : { kind: 'infinity', sign: negative ? -1 : 1 };
  }
  const lowest = format.emin - (format.precision - 1);
  const n = biased === 0n ? fraction : fraction | (1n << format.fraction);
  const e = biased === 0n ? lowest : lowest + Number(biased) - 1;
  return { kind: 'finite', n: negative ? -n : n, e };
}

/** Decodes storage bits (BigInt or Number) of an integer type to a BigInt. */
export function decodeInteger(type, storage) {
  const { width, signed } = formats[type];
  return signed ? BigInt.asIntN(width, BigInt(storage)) : BigInt.asUintN(width, BigInt(storage));
}

/** Storage bits of an integer taken modulo 2^width. */
export function encodeInteger(type, value) {
  return BigInt.asUintN(formats[type].width, value);
}

/** The lowest value of an integer type, as storage bits. */
export function lowestInteger(type) {
  const { width, signed } = formats[type];
  return signed ? 1n << BigInt(width - 1) : 0n;
}

/**
 * Storage bits of n * 2^e rounded once: nearest, ties to even, subnormals kept,
 * overflow to infinity. Zero gives +0.
 */
export function encodeFloat(type, n, e) {
  const format = formats[type];
  if (n === 0n) return 0n;
  const sign = n < 0n ? format.signBit : 0n;
  const magnitude = n < 0n ? -n : n;
  const top = bitLength(magnitude) - 1 + e;
  // The exponent of the last place that the result keeps.
  let last = Math.max(top, format.emin) - (format.precision - 1);
  let kept;
  if (last <= e) {
    kept = magnitude << BigInt(e - last);
  } else {
    const drop = BigInt(last - e);
    kept = magnitude >> drop;
    const rest = magnitude - (kept << drop);
    const half = 1n << (drop - 1n);
    if (rest > half || (rest === half && (kept & 1n) === 1n)) kept += 1n;
    if (kept === 1n << BigInt(format.precision)) {
      kept >>= 1n;
      last += 1;
    }
  }
  if (kept === 0n) return sign;
  if (kept < 1n << format.fraction) return sign | kept;
  const exponent = last + format.precision - 1;
  if (exponent > format.emax) return sign | format.infinity;
  return sign | (BigInt(exponent + format.emax) << format.fraction) | (kept - (1n << format.fraction));
}

/** Storage bits as people write them in a report. */
export function hex(type, bits) {
  return `0x${BigInt(bits).toString(16).padStart(formats[type].width / 4, '0')}`;
}
