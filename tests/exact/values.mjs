// Random and hostile values of every type, made as storage bits.
import { asBits, bitsArrayOf, encodeFloat, formats } from '../oracle/formats.mjs';
import { forEachElement, reducedFlags, resultDims } from '../oracle/reduction.mjs';
import { craftFloat, craftInteger, shuffle } from './crafted.mjs';

const doubleBits = new BigUint64Array(1);
const doubleValue = new Float64Array(doubleBits.buffer);

/** Storage bits (BigInt) of a finite double rounded to a type. */
export function bitsOfNumber(type, number) {
  doubleValue[0] = number;
  if (type === 'float64') return doubleBits[0];
  if (type === 'float32') return BigInt(asBits('float32', new Float32Array(doubleValue))[0]);
  const bits = doubleBits[0];
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const n = biased === 0 ? fraction : fraction | (1n << 52n);
  return encodeFloat(type, bits >> 63n ? -n : n, Math.max(biased, 1) - 1075);
}

/** Storage bits from sign, biased exponent and a random fraction. */
function assemble(random, type, sign, biased) {
  const { precision, width } = formats[type];
  if (width === 64) {
    return (BigInt(((sign << 31) | (biased << 20) | (random.next() >>> 12)) >>> 0) << 32n) | BigInt(random.next());
  }
  const fraction = precision - 1;
  return ((sign << (width - 1)) | (biased << fraction) | (random.next() >>> (32 - fraction))) >>> 0;
}

const topExponent = (type) => 2 * formats[type].emax;

/** Extreme finite numbers and the neighbours of 1, both signs. */
function extremes(type) {
  const { precision, width } = formats[type];
  const fraction = BigInt(precision - 1);
  const one = BigInt(formats[type].emax) << fraction;
  const top = BigInt(topExponent(type) + 1) << fraction;
  const positive = [0n, 1n, 2n, (1n << fraction) - 1n, 1n << fraction, one - 1n, one, one + 1n, top - 1n, top - 2n, top >> 1n];
  return [...positive, ...positive.map((bits) => bits | (1n << BigInt(width - 1)))];
}

// Each maker returns a function of the element's number in the slice.
const floatKinds = {
  uniform: (random, type) => () => bitsOfNumber(type, random.unit()),
  normal(random, type) {
    const shift = random.chance(0.5) ? 0 : random.between(-3, 3) * 100;
    return () => bitsOfNumber(type, random.normal() + shift);
  },
  wide: (random, type) => () => assemble(random, type, random.below(2), random.below(topExponent(type) + 1)),
  window(random, type) {
    const top = topExponent(type);
    const low = random.below(top + 1);
    const width = random.between(0, random.pick([3, 12, 60, top - low]));
    const positive = random.chance(0.5);
    return () => assemble(random, type, positive ? 0 : random.below(2), Math.min(top, low + random.below(width + 1)));
  },
  subnormal(random, type) {
    const reach = random.below(4);
    return () => assemble(random, type, random.below(2), random.below(reach + 1));
  },
  integers(random, type) {
    const reach = random.pick([2, 16, 256, 65536]);
    const low = random.chance(0.5) ? 0 : -reach;
    return () => bitsOfNumber(type, random.between(low, reach));
  },
  constant(random, type) {
    const value = random.chance(0.3)
      ? random.pick(extremes(type))
      : assemble(random, type, random.below(2), random.below(topExponent(type) + 1));
    return () => value;
  },
  tenths(random, type) {
    const value = bitsOfNumber(type, random.pick([0.1, 1 / 3, 1e-3, 0.7]));
    return () => value;
  },
  extremes(random, type) {
    const list = extremes(type);
    const few = random.chance(0.5) ? list : [random.pick(list), random.pick(list)];
    return () => random.pick(few);
  },
  // max, -max, max ... with small numbers between: the sum passes overflow.
  alternating(random, type) {
    const { width } = formats[type];
    const high = random.chance(0.5) ? topExponent(type) : random.below(topExponent(type) + 1);
    const huge = BigInt(assemble(random, type, 0, high));
    const every = random.between(1, 3);
    return (i) => (i % every === 0
      ? huge | (BigInt((i / every) % 2) << BigInt(width - 1))
      : assemble(random, type, random.below(2), random.below(high + 1)));
  },
  // One large number and many that are about half its last place.
  aroundHalfUlp(random, type) {
    const { precision } = formats[type];
    const high = random.between(Math.min(precision + 2, topExponent(type) - 1), topExponent(type) - 1);
    return (i) => (i === 0
      ? assemble(random, type, 0, high)
      : assemble(random, type, random.below(2), Math.max(0, high - precision + random.between(-2, 0))));
  },
  bits(random, type) {
    return () => assemble(random, type, random.below(2), random.below(topExponent(type) + 2));
  },
};

const integerKinds = {
  bits: (random) => () => random.next64(),
  small(random, type) {
    const { width, signed } = formats[type];
    const low = signed && random.chance(0.5) ? -100 : 0;
    return () => BigInt.asUintN(width, BigInt(random.between(low, 100)));
  },
  extremes(random, type) {
    const { width } = formats[type];
    const half = 1n << BigInt(width - 1);
    const list = [0n, 1n, 2n, half - 1n, half, half + 1n, 2n * half - 1n, 2n * half - 2n, 1n << BigInt(width / 2)];
    const few = random.chance(0.5) ? list : [random.pick(list)];
    return () => random.pick(few);
  },
  shifted(random, type) {
    const { width } = formats[type];
    return () => {
      const value = random.next64() >> BigInt(random.below(64));
      return random.chance(0.5) ? value : BigInt.asUintN(width, -value);
    };
  },
};

export const floatKindNames = Object.keys(floatKinds);
export const integerKindNames = Object.keys(integerKinds);

/** Replaces some elements by their negatives' twins, so that most cancels. */
function cancel(random, type, slice) {
  const sign = bitsArrayOf(type) === BigUint64Array ? 1n << 63n : 2 ** (formats[type].width - 1);
  const pairs = slice.length >> 1;
  for (let i = 0; i < pairs; i += 1) {
    const value = slice[2 * i];
    slice[2 * i + 1] = typeof sign === 'bigint' ? value ^ sign : (value ^ sign) >>> 0;
  }
  shuffle(random, slice);
}

function placeSpecials(random, type, slice, store) {
  const { infinity, nan, signBit } = formats[type];
  const specials = [nan, nan | signBit | 1n, infinity + 1n, infinity, infinity | signBit, signBit];
  const few = random.chance(0.6) ? [random.pick(specials)] : specials;
  for (let count = random.between(1, 3); count > 0; count -= 1) {
    slice[random.below(slice.length)] = store(random.pick(few));
  }
}

/** Fills one slice with values of a kind. */
export function fillSlice(random, type, op, kind, slice) {
  const store = slice instanceof BigUint64Array ? BigInt : Number;
  const { width } = formats[type];
  if (formats[type].kind === 'integer') {
    const next = integerKinds[kind](random, type);
    for (let i = 0; i < slice.length; i += 1) slice[i] = store(BigInt.asUintN(width, next(i)));
    if (op === 'ReduceLogSum' && random.chance(0.5)) craftInteger(random, type, slice, store);
    return;
  }
  const next = floatKinds[kind](random, type);
  for (let i = 0; i < slice.length; i += 1) slice[i] = store(next(i));
  if (slice.length === 0 || kind === 'bits') return;
  const way = random.unit();
  if (way < 0.25 && op === 'ReduceLogSum') cancel(random, type, slice);
  if (way < 0.4) craftFloat(random, type, op, slice, store);
  else if (way < 0.5) placeSpecials(random, type, slice, store);
  else if (way < 0.55) slice.sort();
}

/**
 * Storage bits of a whole tensor. Each output's slice is made by itself (so
 * that hostile sums occur in every layout) and then dealt to its places.
 */
export function randomTensor(random, type, op, shape) {
  const { dims, axes, noopWithEmptyAxes } = shape;
  const flags = reducedFlags(dims.length, axes, noopWithEmptyAxes);
  const outputs = resultDims(dims, flags, false).reduce((product, dim) => product * dim, 1);
  const total = dims.reduce((product, dim) => product * dim, 1);
  const Bits = bitsArrayOf(type);
  const names = formats[type].kind === 'integer' ? integerKindNames : floatKindNames;
  const kind = random.pick(names);
  const mixed = random.chance(0.3);
  const bits = new Bits(total);
  if (total === 0) return { kind, bits };
  const length = total / outputs;
  const slices = new Bits(total);
  for (let i = 0; i < outputs; i += 1) {
    fillSlice(random, type, op, mixed ? random.pick(names) : kind, slices.subarray(i * length, (i + 1) * length));
  }
  const filled = new Uint32Array(outputs);
  forEachElement(dims, flags, (output, input) => {
    bits[input] = slices[output * length + filled[output]];
    filled[output] += 1;
  });
  return { kind: mixed ? 'mixed' : kind, bits };
}
