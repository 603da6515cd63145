// Single elements as people read them: the shortest decimal that names the
// value among all values of its type, so that no digit is noise and none is
// missing. The demo page and the command line print with it.

import type { FileTensor, TensorData, TensorType } from './tensor.js';

/** The number that the bits of a float16 stand for. */
export function float16Value(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 0x3ff;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

/** The number that the bits of a bfloat16 stand for: the upper half of a float32. */
export function bfloat16Value(bits: number): number {
  word[0] = bits << 16;
  return float[0]!;
}

/** The value of one element; the 16-bit floats are stored as bits. */
export function elementValue(type: TensorType, data: TensorData, index: number): number | bigint {
  const element = data[index]!;
  if (type === 'float16') return float16Value(element as number);
  if (type === 'bfloat16') return bfloat16Value(element as number);
  return element;
}

/** The shortest text that reads back, in its type, as the same value. */
export function shortestText(type: TensorType, value: number | bigint): string {
  if (typeof value === 'bigint') return value.toString();
  if (Object.is(value, -0)) return '-0';
  const spacing = spacings[type];
  if (!spacing || !Number.isFinite(value) || Number.isInteger(value)) return String(value);
  // A decimal nearer to the value than half the gap to its neighbours can
  // stand for no other value of the type.
  const half = spacing(value) / 2;
  for (let digits = 1; digits < 9; digits++) {
    const decimal = Number(value.toPrecision(digits));
    if (Math.abs(decimal - value) < half) return String(decimal);
  }
  return String(Number(value.toPrecision(9)));
}

// The smaller of the gaps to the two neighbours of a finite value, for types
// of which JavaScript's own numbers show too many digits.
const spacings: Partial<Record<TensorType, (value: number) => number>> = {
  float32: gap(24, -149),
  float16: gap(11, -24),
  bfloat16: gap(8, -133),
};

function gap(precision: number, smallest: number): (value: number) => number {
  return (value) => {
    const magnitude = Math.abs(value);
    let exponent = Math.floor(Math.log2(magnitude));
    // Math.log2 may round up across a power of two.
    if (2 ** exponent > magnitude) exponent--;
    const below = 2 ** exponent === magnitude ? 1 : 0;
    return 2 ** Math.max(exponent - precision + 1 - below, smallest);
  };
}

/** Every element's text, for the parts of a tensor that are shown. */
export function elementText(tensor: FileTensor, index: number): string {
  return shortestText(tensor.type, elementValue(tensor.type, tensor.data, index));
}
