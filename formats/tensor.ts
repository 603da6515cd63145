// What every reader here returns and every writer takes, and the error that
// all of them throw. No Node.js import: the command line and the demo page
// share these files.

import { types as rows } from '../bindings/generated/tables.js';

/** The tensor types of the Reduce operators, spelled as ONNX Runtime does. */
export type TensorType = (typeof rows)[number]['name'];

/** The arrays that hold them; the 16-bit floats are kept as their bits. */
export type TensorData =
  | Float32Array | Float64Array | Uint16Array
  | Int32Array | Uint32Array | BigInt64Array | BigUint64Array;

/** A tensor as it was found in a file. */
export interface FileTensor {
  type: TensorType;
  dims: number[];
  data: TensorData;
  /** In elements; present only where the data is not in C order. */
  strides?: number[];
  /** The name that a TensorProto carries. */
  name?: string;
}

interface TypeRow {
  bytes: number;
  array: new (buffer: ArrayBufferLike, byteOffset?: number, length?: number) => TensorData;
  /** TensorProto.DataType */
  onnxCode: number;
}

const arrays = {
  Float32Array, Float64Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array,
} as Record<(typeof rows)[number]['array'], TypeRow['array']>;

/** All types, in the order of src/types.def. */
export const tensorTypes: readonly TensorType[] = rows.map(({ name }) => name);

/** What a file's reader needs to know of each type. */
export const typeTable = Object.fromEntries(
  rows.map(({ name, bytes, array, onnxCode }): [TensorType, TypeRow] =>
    [name, { bytes, array: arrays[array], onnxCode }]),
) as Readonly<Record<TensorType, TypeRow>>;

/** A file that cannot be read: where it broke, what should have been there. */
export class FormatError extends Error {
  /** The byte, counted from 0, where the offending part begins. */
  readonly offset: number;
  readonly expected: string;
  readonly found: string;

  constructor(offset: number, expected: string, found: string) {
    super(`byte ${offset}: expected ${expected}, found ${found}`);
    this.name = 'FormatError';
    this.offset = offset;
    this.expected = expected;
    this.found = found;
  }
}

/** The number of elements, or NaN when no JavaScript number can count them. */
export function countElements(dims: readonly number[]): number {
  // A zero anywhere wins, however large the others are.
  if (dims.includes(0)) return 0;
  const count = dims.reduce((product, dim) => product * dim, 1);
  return Number.isSafeInteger(count) ? count : NaN;
}

/** The strides, in elements, of a tensor in C order (last axis fastest). */
export function cStrides(dims: readonly number[]): number[] {
  const strides = new Array<number>(dims.length);
  let step = 1;
  for (let axis = dims.length - 1; axis >= 0; axis--) {
    strides[axis] = step;
    step *= dims[axis]!;
  }
  return strides;
}

/** The strides, in elements, of a tensor in Fortran order (first axis fastest). */
export function fortranStrides(dims: readonly number[]): number[] {
  return cStrides([...dims].reverse()).reverse();
}

/**
 * The elements in the order that walks `dims` with the last axis fastest,
 * whatever order they are stored in. Returns `data` itself where that is C
 * order already.
 */
export function inOrder(dims: readonly number[], data: TensorData, strides?: readonly number[]): TensorData {
  const wanted = cStrides(dims);
  const same = !strides || dims.every((dim, axis) => dim === 1 || strides[axis] === wanted[axis]);
  if (same || data.length === 0) return data;
  const result = data.slice();
  // Either kind of element is only moved, so one of the two types will do.
  const source = data as Float64Array;
  const target = result as Float64Array;
  const index = new Array<number>(dims.length).fill(0);
  const inner = dims.length - 1;
  const innerDim = dims[inner]!;
  const innerStride = strides[inner]!;
  let from = 0;
  for (let to = 0; to < result.length;) {
    for (let i = 0; i < innerDim; i++) target[to++] = source[from + i * innerStride]!;
    // Carry into the outer axes, undoing each one that wraps.
    for (let axis = inner - 1; axis >= 0; axis--) {
      from += strides[axis]!;
      if (++index[axis]! < dims[axis]!) break;
      index[axis] = 0;
      from -= dims[axis]! * strides[axis]!;
    }
  }
  return result;
}

/** The bytes behind a typed array, without a copy. */
export function bytesOf(data: ArrayBufferView): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/**
 * A typed array of `type` over `bytes`: a view where the alignment allows one,
 * else a copy.
 */
export function arrayOver(type: TensorType, bytes: Uint8Array): TensorData {
  const { bytes: size, array } = typeTable[type];
  const aligned = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  return new array(aligned.buffer, aligned.byteOffset, bytes.byteLength / size);
}

/** Joins the parts of a file, for callers that want it in one piece. */
export function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Reverses the bytes of every element of `size` bytes, in place. */
export function swapBytes(bytes: Uint8Array, size: number): void {
  for (let at = 0; at < bytes.length; at += size) {
    for (let low = at, high = at + size - 1; low < high; low++, high--) {
      const byte = bytes[low]!;
      bytes[low] = bytes[high]!;
      bytes[high] = byte;
    }
  }
}
