// The two operators computed by their definition, in exact arithmetic.
//
// One plain loop finds for each element which output it belongs to; sums are
// kept as BigInts. Nothing is shared with the core: no plan, no blocks.
import { addSlice } from './buckets.mjs';
import {
  bitsArrayOf, decodeFloat, decodeInteger, encodeFloat, encodeInteger, formats,
} from './formats.mjs';
import { roundedLogarithm, truncatedLogarithm } from './logarithm.mjs';

/** Flags of the axes that a call reduces (numerics.md's rules 8, 9, 11 and 13). */
export function reducedFlags(rank, axes, noopWithEmptyAxes) {
  const none = axes === undefined || axes === null || axes.length === 0;
  const flags = new Array(rank).fill(none && !noopWithEmptyAxes);
  if (!none) {
    for (const axis of axes) flags[axis < 0 ? axis + rank : axis] = true;
  }
  return flags;
}

/** Dims of the result. */
export function resultDims(dims, flags, keepdims) {
  return dims.flatMap((dim, axis) => (flags[axis] ? (keepdims ? [1] : []) : [dim]));
}

/**
 * Calls visit(output index, input index) for every element in C order: an
 * odometer over all dims that steps the output's index along the kept ones.
 */
export function forEachElement(dims, flags, visit) {
  const rank = dims.length;
  const total = dims.reduce((product, dim) => product * dim, 1);
  const steps = new Array(rank).fill(0);
  for (let axis = rank - 1, size = 1; axis >= 0; axis -= 1) {
    if (!flags[axis]) {
      steps[axis] = size;
      size *= dims[axis];
    }
  }
  const digits = new Array(rank).fill(0);
  let output = 0;
  for (let index = 0; index < total; index += 1) {
    visit(output, index);
    for (let axis = rank - 1; axis >= 0; axis -= 1) {
      digits[axis] += 1;
      output += steps[axis];
      if (digits[axis] < dims[axis]) break;
      output -= steps[axis] * dims[axis];
      digits[axis] = 0;
    }
  }
}

/**
 * An exact sum of dyadic rationals: one BigInt for each exponent that occurs,
 * put together at the end (shifting every term to a common exponent at once
 * would make each addition thousands of bits long).
 */
export class ExactSum {
  constructor() {
    this.parts = new Map();
    this.nan = false;
    this.positive = false;
    this.negative = false;
  }

  add(n, e) {
    this.parts.set(e, (this.parts.get(e) ?? 0n) + n);
  }

  /** Adds one element of a floating type, or its square. */
  addElement(type, storage, square) {
    const value = decodeFloat(type, storage);
    if (value.kind === 'nan') this.nan = true;
    else if (value.kind === 'infinity') {
      if (value.sign > 0 || square) this.positive = true;
      else this.negative = true;
    } else if (square) this.add(value.n * value.n, 2 * value.e);
    else this.add(value.n, value.e);
  }

  /** The finite part as {n, e}. */
  value() {
    let least = Infinity;
    for (const [e, n] of this.parts) if (n !== 0n && e < least) least = e;
    if (least === Infinity) return { n: 0n, e: 0 };
    let total = 0n;
    for (const [e, n] of this.parts) if (n !== 0n) total += n << BigInt(e - least);
    return { n: total, e: least };
  }

  /** Storage bits of the sum itself. */
  rounded(type) {
    const special = this.special(type);
    if (special !== undefined) return special;
    const { n, e } = this.value();
    return encodeFloat(type, n, e);
  }

  /** Storage bits of the logarithm of the sum. */
  logarithm(type, statistics) {
    const { nan, infinity, signBit } = formats[type];
    const special = this.special(type);
    if (special !== undefined) return special === (infinity | signBit) ? nan : special;
    const { n, e } = this.value();
    if (n === 0n) return infinity | signBit;
    if (n < 0n) return nan;
    return roundedLogarithm(type, n, e, statistics);
  }

  special(type) {
    const { nan, infinity, signBit } = formats[type];
    if (this.nan || (this.positive && this.negative)) return nan;
    if (this.positive) return infinity;
    if (this.negative) return infinity | signBit;
    return undefined;
  }
}

/**
 * What an operator must give, in storage bits.
 * @param {{op: 'ReduceSumSquare'|'ReduceLogSum', type: string, dims: number[], bits: ArrayLike<number|bigint>,
 *   axes?: number[], keepdims?: boolean, noopWithEmptyAxes?: boolean}} request
 * @returns {{dims: number[], bits: Uint16Array|Uint32Array|BigUint64Array}}
 */
export function reduceExactly(request) {
  const { op, type, dims, bits, axes, keepdims = true, noopWithEmptyAxes = false } = request;
  const flags = reducedFlags(dims.length, axes, noopWithEmptyAxes);
  const noop = noopWithEmptyAxes && (axes === undefined || axes === null || axes.length === 0);
  const outDims = resultDims(dims, flags, keepdims || noop);
  const count = outDims.reduce((product, dim) => product * dim, 1);
  const square = op === 'ReduceSumSquare';
  const Bits = bitsArrayOf(type);
  const result = new Bits(count);
  const store = Bits === BigUint64Array ? (value) => value : Number;
  if (formats[type].kind === 'floating') {
    const sums = Array.from({ length: count }, () => new ExactSum());
    if (count === 1 && bits.length >= 1000 && ArrayBuffer.isView(bits)) {
      addSlice(sums[0], type, bits, 0, 1, bits.length, square);
    } else {
      forEachElement(dims, flags, (output, input) => sums[output].addElement(type, bits[input], square));
    }
    for (let i = 0; i < count; i += 1) {
      result[i] = store(square ? sums[i].rounded(type) : sums[i].logarithm(type));
    }
  } else {
    const sums = new Array(count).fill(0n);
    forEachElement(dims, flags, (output, input) => {
      const value = decodeInteger(type, bits[input]);
      sums[output] += square ? value * value : value;
    });
    for (let i = 0; i < count; i += 1) {
      result[i] = store(square ? encodeInteger(type, sums[i]) : truncatedLogarithm(type, sums[i]));
    }
  }
  return { dims: outDims, bits: result };
}
