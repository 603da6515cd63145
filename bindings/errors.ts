// What goes wrong comes as one of three classes that share a marker: a
// TypeError for an argument of the wrong kind, a RangeError for a value beyond
// its limit, and a plain Error where the engine refuses WebAssembly. All of
// them are `instanceof ReduceError`, carry a stable `code`, and name operator,
// offending value and limit in their message.

import { viewName } from './views.js';

/** What happened, in a form that stays the same from release to release. */
export type ErrorCode =
  /** The input is neither a typed array nor an object with data and dims. */
  | 'WRONG_INPUT'
  /** `data` is not one of the typed arrays a tensor can be made of. */
  | 'WRONG_DATA'
  /** `type` names no type of this library. */
  | 'UNKNOWN_TYPE'
  /** A Uint16Array without `type`: float16 and bfloat16 share it. */
  | 'TYPE_REQUIRED'
  /** `type` and the class of `data` contradict each other. */
  | 'TYPE_MISMATCH'
  /** This version of the operator does not take this type. */
  | 'TYPE_NOT_ALLOWED'
  /** The data's buffer was transferred, or shrunk below the view. */
  | 'DETACHED'
  /** `dims` (or `strides`) is missing or no array. */
  | 'WRONG_DIMS'
  /** One dim is not an integer in [0, 2^53). */
  | 'DIM_OUT_OF_RANGE'
  /** The product of the dims is 2^53 or more. */
  | 'SIZE_OUT_OF_RANGE'
  /** Dims and data's length disagree. */
  | 'SIZE_MISMATCH'
  /** Strides and offset are no integers, or lead outside the data. */
  | 'STRIDE_OUT_OF_RANGE'
  /** The options are no object. */
  | 'WRONG_OPTIONS'
  /** An option of that name does not exist. */
  | 'UNKNOWN_OPTION'
  /** `axes` is none of the forms it may have. */
  | 'WRONG_AXES'
  /** NaN, an infinity or a fraction among the axes. */
  | 'AXIS_NOT_INTEGER'
  /** An axis outside [-rank, rank - 1]. */
  | 'AXIS_OUT_OF_RANGE'
  /** `keepdims` is not true, false, 1 or 0. */
  | 'WRONG_KEEPDIMS'
  /** `noopWithEmptyAxes` is not true, false, 1, 0 or 'identity'. */
  | 'WRONG_NOOP'
  /** `noopWithEmptyAxes` before opset 18. */
  | 'NOOP_NOT_ALLOWED'
  /** `opset` is not a positive integer. */
  | 'OPSET_OUT_OF_RANGE'
  /** `out` is nothing a tensor can be written to. */
  | 'WRONG_OUT'
  /** `out` has another type or size than the result. */
  | 'OUT_MISMATCH'
  /** `threads` is neither 'auto' nor a positive integer. */
  | 'WRONG_THREADS'
  /** The result, or an allocated tensor, does not fit. */
  | 'OUT_OF_MEMORY'
  /** A tensor or reducer was used after dispose(). */
  | 'DISPOSED'
  /** The engine cannot, or may not, run the WebAssembly core. */
  | 'WASM_UNAVAILABLE'
  /** What wasmUrl names could not be had, or is no core of ours. */
  | 'WASM_NOT_LOADED'
  /** The core stopped; a defect of this library. */
  | 'INTERNAL';

// A registered symbol, so that errors of the ES module and of the CommonJS
// build, or of two installed copies, know one another.
const marker = Symbol.for('onnx-reduce.ReduceError');

/** Any error this library throws. It is a TypeError, a RangeError or, where the engine is at fault, an Error as well. */
export interface ReduceError extends Error {
  /** What happened, in a form that stays the same from release to release. */
  readonly code: ErrorCode;
}

/** Whether this library, in whichever copy of it, threw the value. */
export function isReduceError(value: unknown): value is ReduceError {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true;
}

/** For `instanceof`. What is thrown is one of the classes below. */
export const ReduceError: {
  readonly prototype: ReduceError;
  /** What `error instanceof ReduceError` asks. */
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
  /** See ErrorCode. */
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A value beyond its limit: an axis, a size, the memory. */
export class ReduceRangeError extends RangeError implements ReduceError {
  /** See ErrorCode. */
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The engine does not run the core; `cause` is what it said. */
export class ReduceEngineError extends Error implements ReduceError {
  /** See ErrorCode. */
  readonly code: ErrorCode;
  /** What the engine threw. */
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
      if (isArray(value)) return 'an array';
      return ArrayBuffer.isView(value) ? `a ${viewName(value)}` : 'an object';
    default:
      return String(value);
  }
}

/** Array.isArray, which throws for a revoked Proxy; that is no array. */
export function isArray(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

const kShown = 16;

/** Dims or strides in a message; of very many only the first are of use to anyone. */
export function showList(list: readonly number[]): string {
  return list.length <= kShown ? `[${list.join(', ')}]` : `[${list.slice(0, kShown).join(', ')}, ... ${list.length} in all]`;
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}
