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
  milliseconds: number;
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

function timed(operator: Operator, input: FileTensor, options: Options): { tensor: FileTensor; milliseconds: number } {
  // The first call compiles the core, which is not what the time is about. A
  // call that will fail may fail here already, and says the same.
  const { axes: _, ...others } = options;
  operator({ type: input.type, dims: [0], data: input.data.subarray(0, 0) }, others);
  const start = performance.now();
  const tensor = operator(input, options);
  return { tensor, milliseconds: performance.now() - start };
}
