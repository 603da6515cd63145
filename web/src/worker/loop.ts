// What one writes by hand without a library: one pass over the data in memory
// order, adding up in float64 (or in 32- or 64-bit integers), and one rounding
// at the end. It is the honest yardstick of the comparison, so it is written
// as a careful programmer would: no index arithmetic per element.

import type { FileTensor, TensorData } from '../../../formats/tensor';
import { product } from '../format';
import { isFloating, operatorOf } from '../operators';
import { newArray, table16, writer } from './values';

interface Walk {
  /** Length of the innermost run, and whether it is one result's. */
  run: number;
  inward: boolean;
  outer: number[];
  steps: number[];
  outputs: number;
}

/** Folds neighbouring dims of the same fate, then splits off the innermost run. */
function plan(dims: readonly number[], reduced: readonly boolean[]): Walk {
  const folded: { size: number; reduced: boolean }[] = [];
  dims.forEach((size, axis) => {
    if (size === 1) return;
    const last = folded.at(-1);
    if (last && last.reduced === reduced[axis]) last.size *= size;
    else folded.push({ size, reduced: reduced[axis]! });
  });
  const inner = folded.pop() ?? { size: 1, reduced: true };
  let step = inner.reduced ? 1 : inner.size;
  const outer: number[] = [];
  const steps: number[] = [];
  for (const group of folded.reverse()) {
    outer.push(group.size);
    steps.push(group.reduced ? 0 : step);
    if (!group.reduced) step *= group.size;
  }
  return { run: inner.size, inward: inner.reduced, outer, steps, outputs: step };
}

/** Calls `visit(first element, first result)` for each innermost run, in memory order. */
function walk({ run, outer, steps }: Walk, visit: (from: number, to: number) => void): void {
  const index = outer.map(() => 0);
  let to = 0;
  for (let from = 0, runs = product(outer); runs > 0; runs -= 1, from += run) {
    visit(from, to);
    for (let level = 0; level < outer.length; level += 1) {
      to += steps[level]!;
      if (++index[level]! < outer[level]!) break;
      to -= steps[level]! * outer[level]!;
      index[level] = 0;
    }
  }
}

/** Reduces with plain JavaScript; the result's elements, without a shape. */
export function plainLoop(operator: string, input: FileTensor, reduced: readonly boolean[]): TensorData {
  const { map, finalize } = operatorOf(operator);
  const square = map === 'square';
  const plans = plan(input.dims, reduced);
  const empty = input.dims.includes(0);
  const outputs = empty ? product(input.dims.filter((_, axis) => !reduced[axis])) : plans.outputs;
  const result = newArray(input.type, outputs);
  if (input.data instanceof BigInt64Array || input.data instanceof BigUint64Array) {
    if (!empty) addBigInts(input.data, plans, square, result as BigInt64Array);
    if (finalize === 'log') logOfBigInts(result as BigInt64Array);
    return result;
  }
  if (square && !isFloating(input.type)) {
    if (!empty) addSquares32(input.data as Int32Array, plans, result as Int32Array);
    return result;
  }
  const sums = new Float64Array(outputs);
  if (!empty) {
    if (input.data instanceof Uint16Array) add16(input.data, table16(input.type), plans, square, sums);
    else addNumbers(input.data, plans, square, sums);
  }
  const store = writer(input.type, result);
  for (let at = 0; at < outputs; at += 1) store(at, finalize === 'log' ? Math.log(sums[at]!) : sums[at]!);
  return result;
}

function addNumbers(data: Float32Array | Float64Array | Int32Array | Uint32Array, plans: Walk, square: boolean, sums: Float64Array): void {
  const { run, inward } = plans;
  walk(plans, (from, to) => {
    if (inward) {
      let sum = 0;
      if (square) for (let i = from; i < from + run; i += 1) sum += data[i]! * data[i]!;
      else for (let i = from; i < from + run; i += 1) sum += data[i]!;
      sums[to]! += sum;
    } else if (square) {
      for (let i = 0; i < run; i += 1) sums[to + i]! += data[from + i]! * data[from + i]!;
    } else {
      for (let i = 0; i < run; i += 1) sums[to + i]! += data[from + i]!;
    }
  });
}

function add16(data: Uint16Array, table: Float64Array, plans: Walk, square: boolean, sums: Float64Array): void {
  const { run, inward } = plans;
  walk(plans, (from, to) => {
    let sum = 0;
    for (let i = 0; i < run; i += 1) {
      const value = table[data[from + i]!]!;
      const term = square ? value * value : value;
      if (inward) sum += term;
      else sums[to + i]! += term;
    }
    if (inward) sums[to]! += sum;
  });
}

function addSquares32(data: Int32Array, plans: Walk, sums: Int32Array): void {
  const { run, inward } = plans;
  walk(plans, (from, to) => {
    if (inward) {
      let sum = 0;
      for (let i = from; i < from + run; i += 1) sum = (sum + Math.imul(data[i]!, data[i]!)) | 0;
      sums[to]! += sum;
    } else {
      for (let i = 0; i < run; i += 1) sums[to + i]! += Math.imul(data[from + i]!, data[from + i]!);
    }
  });
}

function addBigInts(data: BigInt64Array | BigUint64Array, plans: Walk, square: boolean, sums: BigInt64Array): void {
  const { run, inward } = plans;
  walk(plans, (from, to) => {
    let sum = 0n;
    for (let i = 0; i < run; i += 1) {
      const value = data[from + i]!;
      const term = square ? value * value : value;
      if (inward) sum += term;
      else sums[to + i]! += term;
    }
    // Stored into the array, a sum wraps to 64 bits.
    if (inward) sums[to]! += sum;
  });
}

function logOfBigInts(sums: BigInt64Array): void {
  sums.forEach((sum, at) => {
    sums[at] = sum > 0n ? BigInt(Math.trunc(Math.log(Number(sum)))) : 0n;
  });
}
