// The corpus: case number i of a seed, made from nothing but these two numbers.
import { bitsArrayOf, formats, typeNames } from '../oracle/formats.mjs';
import { Random } from './random.mjs';
import { layoutNames, randomShape } from './shapes.mjs';
import { bitsOfNumber, randomTensor } from './values.mjs';

export const operators = ['ReduceSumSquare', 'ReduceLogSum'];

/** Share of the elements that a case may have at most. */
function randomBudget(random) {
  const way = random.below(100);
  if (way < 55) return random.between(1, 400);
  if (way < 85) return random.between(100, 2000);
  if (way < 97) return random.between(1000, 9000);
  return random.pick([16500, 20000, 33000, 66000, 70000]);
}

/**
 * @returns {{seed: number, index: number, op: string, type: string, layout: string, kind: string, dims: number[],
 *   axes?: number[], keepdims: boolean, noopWithEmptyAxes: boolean, bits: Uint16Array|Uint32Array|BigUint64Array}}
 */
export function makeCase(seed, index) {
  const random = new Random(seed, index);
  // Floating types have more to get wrong: two cases of three are theirs.
  const type = random.pick(typeNames.filter((name) => formats[name].kind === 'floating' || random.chance(0.5)));
  const op = random.pick(operators);
  const shape = randomShape(random, randomBudget(random), random.pick(layoutNames));
  const { kind, bits } = randomTensor(random, type, op, shape);
  return { seed, index, op, type, kind, ...shape, bits };
}

/** A large rank-1 or rank-2 case of a floating type with cheap random values. */
export function makeLargeCase(seed, type, op, elements) {
  const random = new Random(seed, elements);
  const { width, precision, emax } = formats[type];
  const Bits = width === 16 ? Uint16Array : Uint32Array;
  const words = new Bits((elements * width) / Math.min(width, 32));
  // Exponents in a narrow window or in a wide one; no overflow of the result.
  const square = op === 'ReduceSumSquare';
  const room = square ? Math.floor((emax - Math.log2(elements)) / 2) - 1 : emax >> 1;
  const top = emax + room;
  const low = Math.max(0, top - (random.chance(0.5) ? 16 : 2 * emax));
  const fraction = Math.min(width, 32) - 1 - (width - precision);
  const step = width === 64 ? 2 : 1;
  for (let i = 0; i < elements; i += 1) {
    const biased = low + random.below(top - low);
    const word = (random.below(2) << (Math.min(width, 32) - 1)) | (biased << fraction) | (random.next() >>> (32 - fraction));
    words[i * step + step - 1] = word >>> 0;
    if (step === 2) words[2 * i] = random.next();
  }
  // LogSum: the second half takes the first one back but for a positive rest.
  if (op === 'ReduceLogSum') {
    const half = (elements >> 1) * step;
    const sign = 2 ** (Math.min(width, 32) - 1);
    for (let i = 0; i < half; i += 1) {
      words[half + i] = i % step === step - 1 ? (words[i] ^ sign) >>> 0 : words[i];
    }
    words[words.length - 1] &= sign - 1;
    for (let i = 0; i < 50; i += 1) words[random.below(half / step) * step + step - 1] &= sign - 1;
  }
  const bits = width === 64 ? new BigUint64Array(words.buffer) : words;
  return {
    seed, index: elements, op, type, kind: 'large', layout: 'all', dims: [elements], axes: undefined,
    keepdims: true, noopWithEmptyAxes: false, bits,
  };
}

/**
 * Ordinary data: uniform in [0, 1) or, for squares, normal, in slices of a few
 * or many elements. On it the exact accumulator should hardly ever be needed.
 */
export function makeOrdinaryCase(seed, index, type, op, results) {
  const random = new Random(seed, 0x40000000 + index);
  const length = random.between(2, 30);
  const outer = random.chance(0.5);
  const bits = new (bitsArrayOf(type))(results * length);
  const store = bits instanceof BigUint64Array ? (value) => value : Number;
  const normal = op === 'ReduceSumSquare' && random.chance(0.5);
  for (let i = 0; i < bits.length; i += 1) {
    bits[i] = store(bitsOfNumber(type, normal ? random.normal() : random.unit()));
  }
  return {
    seed, index, op, type, kind: normal ? 'normal' : 'uniform', layout: 'ordinary',
    dims: outer ? [length, results] : [results, length], axes: [outer ? 0 : 1], keepdims: false, noopWithEmptyAxes: false, bits,
  };
}
