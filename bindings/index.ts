/**
 * The ONNX reduction operators as plain functions on typed arrays.
 *
 * There is nothing to initialise: the WebAssembly core is inside this module and
 * is compiled when the first call needs it.
 *
 * @module onnx-reduce
 */
import { lazyCore } from './core.js';
import { startInlineCore } from './inline.js';
import { makeOperators } from './reducer.js';
import type { Allocate, Operators, ReduceFunction } from './signatures.js';

export * from './exports.js';

const functions = /* @__PURE__ */ makeOperators(/* @__PURE__ */ lazyCore(startInlineCore));

/**
 * ONNX ReduceSumSquare: the sum of the squares of the elements along the axes.
 * See https://onnx.ai/onnx/operators/onnx__ReduceSumSquare.html.
 *
 * A floating-point result is the exact sum, rounded once to the tensor's type
 * (nearest, ties to even); an integer result is exact modulo 2^N. An empty set
 * gives 0, NaN gives NaN. The result's unit is the square of the elements'.
 *
 * The method: sums in a wider format with a proven error bound, the test of the
 * rounding by A. Ziv (1991), and a long accumulator after U. Kulisch for what
 * that leaves open. docs/numerics.md has the bounds and their proofs.
 *
 * @function
 * @example
 * const y = reduceSumSquare({ data: new Float32Array([1, 2, 3, 4, 5, 6]), dims: [2, 3] }, { axes: [1], keepdims: false });
 * // y.type 'float32', y.dims [2], y.data Float32Array [14, 77]
 */
export const reduceSumSquare: ReduceFunction = functions.reduceSumSquare;

/**
 * ONNX ReduceLogSum: the natural logarithm of the sum of the elements along the axes.
 * See https://onnx.ai/onnx/operators/onnx__ReduceLogSum.html.
 *
 * A floating-point result is the logarithm of the exact sum, rounded once to the
 * tensor's type (nearest, ties to even). The logarithm of 0, and so of an empty
 * set, is -Infinity; of a negative sum it is NaN. An integer result is truncated
 * toward zero; where the sum is not positive it is the type's lowest value.
 * Elements and result are pure numbers: divide by the unit first.
 *
 * The method: that of reduceSumSquare for the sum; its logarithm is evaluated in
 * growing precision until A. Ziv's test (1991) leaves no doubt of the rounding.
 * docs/numerics.md has the bounds and their proofs.
 *
 * @function
 * @example
 * reduceLogSum(new Float64Array([1, 2, 3])).data[0]  // 1.791759469228055
 */
export const reduceLogSum: ReduceFunction = functions.reduceLogSum;

({ reduceSumSquare, reduceLogSum }) satisfies Operators;

/**
 * Makes a tensor of zeros in WebAssembly memory, which the operators read in
 * place. Fill its `data`, reduce it as often as you like, then `dispose()` of it
 * (or let `using` do so). Read `data` anew after other allocations: when the
 * memory grows, arrays from before are detached.
 *
 * @param type e.g. 'float32'; float16 and bfloat16 lie in a Uint16Array, as bits
 * @param dims its shape, [] for a scalar
 * @returns a tensor with `data` in C order
 * @function
 * @example
 * using x = allocate('float32', [1024, 1024]);
 * x.data.set(values);
 * reduceSumSquare(x, { axes: [0] });
 *
 * @throws {@link ReduceError}, a RangeError with the code 'OUT_OF_MEMORY' when it does not fit
 *   (WebAssembly memory ends at 4 GB)
 */
export const allocate: Allocate = functions.allocate;
