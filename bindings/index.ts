/**
 * The ONNX reduction operators as plain functions on typed arrays.
 *
 * There is nothing to initialise: the WebAssembly core is inside this module and
 * is compiled when the first call needs it.
 *
 * @packageDocumentation
 */
import { lazyCore } from './core.js';
import { startInlineCore } from './inline.js';
import { makeOperators } from './reducer.js';
import type { Allocate, Operators, ReduceFunction } from './signatures.js';

export * from './exports.js';

const functions = /* @__PURE__ */ makeOperators(/* @__PURE__ */ lazyCore(startInlineCore));

/**
 * ONNX ReduceSumSquare: the sum of the squares of the elements along the axes.
 *
 * Floating-point results are the exact sum, rounded once; integers are exact
 * modulo 2^N. An empty set gives 0.
 *
 * @example
 * const y = reduceSumSquare({ data: new Float32Array([1, 2, 3, 4, 5, 6]), dims: [2, 3] }, { axes: [1], keepdims: false });
 * // y.type 'float32', y.dims [2], y.data Float32Array [14, 77]
 *
 * @throws {ReduceError} also a TypeError or RangeError; see its `code`
 */
export const reduceSumSquare: ReduceFunction = functions.reduceSumSquare;

/**
 * ONNX ReduceLogSum: the natural logarithm of the sum of the elements along the axes.
 *
 * Floating-point results are the logarithm of the exact sum, rounded once; an
 * empty set gives -Infinity. Integer results are truncated toward zero; where
 * the sum is not positive they are the type's lowest value.
 *
 * @example
 * reduceLogSum(new Float64Array([1, 2, 3])).data[0]  // 1.791759469228055
 *
 * @throws {ReduceError} also a TypeError or RangeError; see its `code`
 */
export const reduceLogSum: ReduceFunction = functions.reduceLogSum;

({ reduceSumSquare, reduceLogSum }) satisfies Operators;

/**
 * Makes a tensor of zeros in WebAssembly memory, which the operators read in
 * place. Fill its `data`, reduce it as often as you like, then `dispose()` of it
 * (or let `using` do so). Read `data` anew after other allocations: when the
 * memory grows, arrays from before are detached.
 *
 * @example
 * using x = allocate('float32', [1024, 1024]);
 * x.data.set(values);
 * reduceSumSquare(x, { axes: [0] });
 *
 * @throws {ReduceError} a RangeError with code 'OUT_OF_MEMORY' when it does not fit
 */
export const allocate: Allocate = functions.allocate;
