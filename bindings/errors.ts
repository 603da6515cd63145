// What goes wrong comes as one of three classes that share a marker: a
// TypeError for an argument of the wrong kind, a RangeError for a value beyond
// its limit, and a plain Error where the engine refuses WebAssembly. All of
// them are `instanceof ReduceError`, carry a stable `code`, and name operator,
// offending value and limit in their message.

import { viewName } from './views.js';

/** What happened, in a form that stays the same from release to release. */
export type ErrorCode =
  | 'WRONG_INPUT'          // the input is neither a typed array nor an object with data and dims
  | 'WRONG_DATA'           // `data` is not one of the typed arrays a tensor can be made of
  | 'UNKNOWN_TYPE'         // `type` names no type of this library
  | 'TYPE_REQUIRED'        // a Uint16Array without `type`: float16 and bfloat16 share it
  | 'TYPE_MISMATCH'        // `type` and the class of `data` contradict each other
  | 'TYPE_NOT_ALLOWED'     // this version of the operator does not take this type
  | 'DETACHED'             // the data's buffer was transferred, or shrunk below the view
  | 'WRONG_DIMS'           // `dims` (or `strides`) is missing or no array
  | 'DIM_OUT_OF_RANGE'     // one dim is not an integer in [0, 2^53)
  | 'SIZE_OUT_OF_RANGE'    // the product of the dims is 2^53 or more
  | 'SIZE_MISMATCH'        // dims and data's length disagree
  | 'STRIDE_OUT_OF_RANGE'  // strides and offset are no integers, or lead outside the data
  | 'WRONG_OPTIONS'        // the options are no object
  | 'UNKNOWN_OPTION'       // an option of that name does not exist
  | 'WRONG_AXES'           // `axes` is none of the forms it may have
  | 'AXIS_NOT_INTEGER'     // NaN, an infinity or a fraction among the axes
  | 'AXIS_OUT_OF_RANGE'    // an axis outside [-rank, rank - 1]
  | 'WRONG_KEEPDIMS'       // `keepdims` is not true, false, 1 or 0
  | 'WRONG_NOOP'           // `noopWithEmptyAxes` is not true, false, 1, 0 or 'identity'
  | 'NOOP_NOT_ALLOWED'     // `noopWithEmptyAxes` before opset 18
  | 'OPSET_OUT_OF_RANGE'   // `opset` is not a positive integer
  | 'WRONG_OUT'            // `out` is nothing a tensor can be written to
  | 'OUT_MISMATCH'         // `out` has another type or size than the result
  | 'WRONG_THREADS'        // `threads` is neither 'auto' nor a positive integer
  | 'OUT_OF_MEMORY'        // the result, or an allocated tensor, does not fit
  | 'DISPOSED'             // a tensor or reducer was used after dispose()
  | 'WASM_UNAVAILABLE'     // the engine cannot, or may not, run the WebAssembly core
  | 'WASM_NOT_LOADED'      // what wasmUrl names could not be had, or is no core of ours
  | 'INTERNAL';            // the core stopped; a defect of this library

// A registered symbol, so that errors of the ES module and of the CommonJS
// build, or of two installed copies, know one another.
const marker = Symbol.for('onnx-reduce.ReduceError');

/** Any error this library throws. It is a TypeError or a RangeError as well. */
export interface ReduceError extends Error {
  readonly code: ErrorCode;
}

/** Whether this library, in whichever copy of it, threw the value. */
export function isReduceError(value: unknown): value is ReduceError {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true;
}

/** For `instanceof`. What is thrown is one of the classes below. */
export const ReduceError: {
  readonly prototype: ReduceError;
  [Symbol.hasInstance](value: unknown): value is ReduceError;
} = /* @__PURE__ */ makeErrorClass();

function makeErrorClass(): typeof ReduceError {
  class Thrown {
    constructor() {
      throw new TypeError('a ReduceError is thrown by this library, it cannot be constructed');
    }
  }
  Object.defineProperty(Thrown, 'name', { value: 'ReduceError' });
  Object.defineProperty(Thrown, Symbol.hasInstance, { value: isReduceError });
  return Thrown as unknown as typeof ReduceError;
}

/** An argument of the wrong kind. */
export class ReduceTypeError extends TypeError implements ReduceError {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A value beyond its limit: an axis, a size, the memory. */
export class ReduceRangeError extends RangeError implements ReduceError {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The engine does not run the core; `cause` is what it said. */
export class ReduceEngineError extends Error implements ReduceError {
  readonly code: ErrorCode;
  override readonly cause: unknown;
  constructor(code: ErrorCode, message: string, cause: unknown) {
    super(message);
    this.code = code;
    this.cause = cause;
  }
}

// Minifiers rename classes, and an uncaught error is printed with its class's name.
for (const [name, made] of Object.entries({ ReduceTypeError, ReduceRangeError, ReduceEngineError })) {
  Object.defineProperty(made, 'name', { value: name });
  Object.defineProperty(made.prototype, marker, { value: true });
}

/**
 * Describes any value in a message. It runs no code of the value's owner (no
 * toString, no getter), so that it cannot fail or change anything.
 */
export function show(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(shorten(value));
    case 'bigint':
      return shorten(`${value}n`);
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'function':
      return 'a function';
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return 'an array';
      return ArrayBuffer.isView(value) ? `a ${viewName(value)}` : 'an object';
    default:
      return String(value);
  }
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}
