// The operators as the package exports them, on one thread or on several.

import { operators } from '../bindings/generated/tables.js';
import * as library from 'onnx-reduce';
import type { FileTensor } from '../formats/tensor.js';

/** ONNX's names, in the order of src/operators.def. */
export const operatorNames: readonly string[] = operators.map(({ name }) => name);

export interface Options {
  axes?: readonly number[];
  keepdims: boolean;
  noopWithEmptyAxes: boolean;
  opset?: number;
}

/** A result and how it came about. */
export interface Outcome {
  tensor: FileTensor;
  /** Of one call, the median once the code is warm. */
  milliseconds: number;
  firstMilliseconds: number;
  threads: number;
  /** Why there are fewer threads than were asked for. */
  threadsReason?: string;
}

type Operator = (input: FileTensor, options: Options) => FileTensor;

/** Reduces; `threads` other than undefined and 1 starts workers for it. */
export async function reduce(
  name: string, input: FileTensor, options: Options, threads?: number | 'auto',
): Promise<Outcome> {
  if (threads === undefined || threads === 1) {
    return { ...timed(functionOf(library, name), input, options), threads: 1 };
  }
  const { createReducer } = await import('onnx-reduce/threads');
  const reducer = await createReducer({ threads });
  try {
    const { threads: running, threadsReason } = reducer;
    const fewer = threadsReason && (threads === 'auto' || running < threads) ? { threadsReason } : {};
    return { ...timed(functionOf(reducer, name), input, options), threads: running, ...fewer };
  } finally {
    reducer.dispose();
  }
}

// The package's functions take its own, more precise types of the same objects.
function functionOf(owner: object, name: string): Operator {
  const row = operators.find((operator) => operator.name === name)!;
  const reducer = owner as Record<string, Operator>;
  return (input, options) => reducer[row.jsName]!(input, options);
}

type Timed = Pick<Outcome, 'tensor' | 'milliseconds' | 'firstMilliseconds'>;

function timed(operator: Operator, input: FileTensor, options: Options): Timed {
  // The first call of all compiles the core, which is not what the time is
  // about. A call that will fail may fail here already, and says the same.
  const { axes: _, ...others } = options;
  operator({ type: input.type, dims: [0], data: input.data.subarray(0, 0) }, others);

  const start = performance.now();
  const tensor = operator(input, options);
  const firstMilliseconds = performance.now() - start;

  // The engine optimises the core's code while it runs, so a short reduction is
  // repeated for a moment to tell what it costs from then on.
  const times = [firstMilliseconds];
  for (let before = performance.now(); before - start < repeatFor && times.length < maxRepeats;) {
    operator(input, options);
    const after = performance.now();
    times.push(after - before);
    before = after;
  }
  const later = times.slice(Math.floor(times.length / 2)).sort((a, b) => a - b);
  return { tensor, firstMilliseconds, milliseconds: later[Math.floor(later.length / 2)]! };
}

const repeatFor = 60;
const maxRepeats = 200;
