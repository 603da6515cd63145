// Reads whatever is accepted as a tensor into one plain record. Every property
// of the caller's object is read exactly once and before anything else happens,
// as it may be a getter or a Proxy trap that throws or calls this library again.
import { isArray, ReduceRangeError, ReduceTypeError, show, showList } from './errors.js';
import {
  float16, type HalfArrayClass, NativeFloat16Array, typeAliases, typeByArray, typeByName, type TypeInfo,
  typeNames, typesOfArray,
} from './types.js';
import { isDetached, viewBuffer, viewByteOffset, viewLength, viewName } from './views.js';

/** A tensor as the caller described it, checked. */
export interface Source {
  readonly type: TypeInfo;
  /** The class to give results back in when Float16Array came in, else null. */
  readonly half: HalfArrayClass | null;
  readonly buffer: ArrayBufferLike;
  /** Where element 0 of the view lies in the buffer. */
  readonly byteOffset: number;
  /** Elements in the view; not below `count` unless strides repeat elements. */
  readonly length: number;
  readonly dims: number[];
  /** The product of the dims. */
  readonly count: number;
  /** Null when the elements lie one behind the other in C order. */
  readonly strides: number[] | null;
  /** The element at index 0, 0, ..., counted from the view's first. */
  readonly offset: number;
  /** The array as it came in. */
  readonly data: unknown;
  /** The same, when it is a genuine view (a polyfilled Float16Array is a Proxy). */
  readonly view: ArrayBufferView | null;
}

const kLimit = 2 ** 53;

interface Loose {
  readonly [key: string]: unknown;
}

/**
 * `what` names the argument in messages ('input' or 'out'); `assumed` is the
 * type to take where only a class that several types share says what it is.
 */
export function readTensor(value: unknown, operator: string, what: string, assumed: TypeInfo | null): Source {
  if (ArrayBuffer.isView(value)) {
    return readData(value, undefined, assumed, undefined, undefined, undefined, operator, what);
  }
  if (typeof value !== 'object' || value === null || isArray(value)) {
    throw new ReduceTypeError(what === 'out' ? 'WRONG_OUT' : 'WRONG_INPUT',
      `${operator}: ${what} must be a typed array, such as a Float32Array, or an object with data and dims, `
        + `not ${show(value)}`);
  }
  const object = value as Loose;
  const data = object.data;
  if (data === undefined && isHalfPolyfill(value)) {
    return readData(value, undefined, assumed, undefined, undefined, undefined, operator, what);
  }
  const type = object.type ?? object.dtype;
  const dims = object.dims ?? object.shape;
  const strides = object.strides ?? object.stride;
  const offset = object.offset;
  if (dims === undefined || dims === null) {
    throw new ReduceTypeError('WRONG_DIMS',
      `${operator}: ${what} has no dims (or shape); they are needed beside data, [] for a scalar`);
  }
  return readData(data, type, assumed, dims, strides, offset, operator, what);
}

function readData(
  data: unknown, typeName: unknown, assumed: TypeInfo | null, dimsValue: unknown, stridesValue: unknown,
  offsetValue: unknown, operator: string, what: string,
): Source {
  let view: ArrayBufferView | null = null;
  let type: TypeInfo;
  let buffer: ArrayBufferLike;
  let byteOffset: number;
  let length: number;
  let half: HalfArrayClass | null = null;
  if (ArrayBuffer.isView(data)) {
    const arrayName = viewName(data);
    type = chooseType(arrayName, typeName, assumed, operator, what);
    view = data;
    buffer = viewBuffer(data);
    byteOffset = viewByteOffset(data);
    length = viewLength(data);
    if (arrayName === 'Float16Array') half = NativeFloat16Array ?? classOf(data);
  } else if (isHalfPolyfill(data)) {
    type = chooseType('Float16Array', typeName, assumed, operator, what);
    buffer = data.buffer;
    byteOffset = data.byteOffset;
    length = data.length;
    half = classOf(data);
    checkPolyfill(buffer, byteOffset, length, operator, what);
  } else {
    throw new ReduceTypeError('WRONG_DATA',
      `${operator}: ${what}'s data must be a typed array, not ${show(data)}`);
  }
  if (length === 0 && view !== null && isDetached(view)) {
    throw detached(what, operator);
  }

  const dims = dimsValue === undefined ? [length] : readDims(dimsValue, operator, what);
  const count = dimsValue === undefined ? length : countOf(dims, operator, what);
  let strides: number[] | null = null;
  let offset = 0;
  if (stridesValue !== undefined && stridesValue !== null) {
    strides = readStrides(stridesValue, dims.length, operator, what);
  }
  if (offsetValue !== undefined && offsetValue !== null) {
    offset = readInteger(offsetValue, 0);
    if (Number.isNaN(offset)) {
      throw new ReduceRangeError('STRIDE_OUT_OF_RANGE',
        `${operator}: ${what}'s offset must be an integer in [0, 2^53), not ${show(offsetValue)}`);
    }
  }
  if (strides !== null) {
    checkBounds(dims, strides, offset, count, length, operator, what);
    if (isDense(dims, strides)) strides = null;
  } else if (offsetValue !== undefined && offsetValue !== null ? offset + count > length : count !== length) {
    throw new ReduceRangeError('SIZE_MISMATCH', `${operator}: ${what}'s dims ${showList(dims)} make ${count} elements, `
      + `but data has ${length}${offset === 0 ? '' : ` of which ${offset} lie before the offset`}`);
  }
  return { type, half, buffer, byteOffset, length, dims, count, strides, offset, data, view };
}

/** The error for data whose memory is gone. */
export function detached(what: string, operator: string): ReduceTypeError {
  return new ReduceTypeError('DETACHED', `${operator}: the buffer under ${what}'s data is gone: it was transferred or `
    + 'shrunk, or it was WebAssembly memory that has grown since (read .data anew for each use)');
}

function chooseType(
  arrayName: string, typeName: unknown, assumed: TypeInfo | null, operator: string, what: string,
): TypeInfo {
  if (typeName === undefined || typeName === null) {
    const type = typeByArray.get(arrayName);
    if (type !== undefined) return type;
    if (assumed !== null && assumed.arrayName === arrayName) return assumed;
    const choice = typesOfArray(arrayName);
    if (choice === '') {
      throw new ReduceTypeError('WRONG_DATA',
        `${operator}: ${what}'s data is a ${arrayName}; the types allowed are ${typeNames}`);
    }
    throw new ReduceTypeError('TYPE_REQUIRED',
      `${operator}: ${what}'s data is a ${arrayName}, which needs type: ${choice} beside it`);
  }
  const name = typeof typeName === 'object' ? printedName(typeName) : typeName;
  const type = typeByName.get(name) ?? typeAliases.get(name);
  if (type === undefined) {
    // A Uint16Array in an ndarray says 'uint16': what is missing is the meaning.
    const choice = typesOfArray(arrayName);
    throw new ReduceTypeError('UNKNOWN_TYPE', `${operator}: ${what}'s type is ${show(name)}; the types allowed are `
      + `${typeNames}${choice === '' || typeByArray.has(arrayName) ? '' : ` (a ${arrayName}: ${choice})`}`);
  }
  if (type.arrayName !== arrayName && !(type === float16 && arrayName === 'Float16Array')) {
    throw new ReduceTypeError('TYPE_MISMATCH',
      `${operator}: ${what}'s type is ${type.name}, which lies in a ${type.arrayName}, but its data is a ${arrayName}`);
  }
  return type;
}

/** A data type may be an object that prints as its name, as stdlib's is; one that doesn't is left as it is. */
function printedName(value: unknown): unknown {
  try {
    const name = String(value);
    return typeByName.has(name) || typeAliases.has(name) ? name : value;
  } catch {
    return value;
  }
}

/** The dims as a plain array; each is read once. */
export function readDims(value: unknown, operator: string, what: string): number[] {
  const list = asList(value);
  if (list === null) {
    throw new ReduceTypeError('WRONG_DIMS', `${operator}: ${what}'s dims must be an array of integers, not ${show(value)}`);
  }
  const rank = lengthOf(list, operator, `${what}'s dims`);
  const dims = new Array<number>(rank);
  for (let i = 0; i < rank; i++) {
    const given = list[i];
    const dim = readInteger(given, 0);
    if (Number.isNaN(dim)) {
      throw new ReduceRangeError('DIM_OUT_OF_RANGE',
        `${operator}: ${what}'s dim ${i} is ${show(given)}; a dim must be an integer in [0, 2^53)`);
    }
    dims[i] = dim;
  }
  return dims;
}

/** The product of the dims, beyond every limit if it must be: with a 0 among them it is 0, not Infinity times 0. */
export function productOf(dims: readonly number[]): number {
  let product = 1;
  for (let i = 0; i < dims.length; i++) product *= dims[i]!;
  return Number.isNaN(product) ? 0 : product;
}

/** The product of the dims, below 2^53. */
export function countOf(dims: readonly number[], operator: string, what: string): number {
  const count = productOf(dims);
  if (!(count < kLimit)) {
    throw new ReduceRangeError('SIZE_OUT_OF_RANGE',
      `${operator}: ${what}'s dims ${showList(dims)} make 2^53 elements or more`);
  }
  return count;
}

function readStrides(value: unknown, rank: number, operator: string, what: string): number[] {
  const list = asList(value);
  if (list === null) {
    throw new ReduceTypeError('WRONG_DIMS', `${operator}: ${what}'s strides must be an array of integers, not ${show(value)}`);
  }
  const length = lengthOf(list, operator, `${what}'s strides`);
  if (length !== rank) {
    throw new ReduceRangeError('STRIDE_OUT_OF_RANGE',
      `${operator}: ${what} has ${length} strides for ${rank} dims; both must be as many`);
  }
  const strides: number[] = [];
  for (let i = 0; i < rank; i++) {
    const given = list[i];
    const stride = readInteger(given, 1 - kLimit);
    if (Number.isNaN(stride)) {
      throw new ReduceRangeError('STRIDE_OUT_OF_RANGE',
        `${operator}: ${what}'s stride ${i} is ${show(given)}; a stride must be an integer in (-2^53, 2^53)`);
    }
    strides.push(stride);
  }
  return strides;
}

function checkBounds(
  dims: number[], strides: number[], offset: number, count: number, length: number, operator: string, what: string,
): void {
  if (count === 0) return;
  let first = offset;
  let last = offset;
  for (let i = 0; i < dims.length; i++) {
    const reach = (dims[i]! - 1) * strides[i]!;
    if (reach < 0) first += reach;
    else last += reach;
  }
  if (first < 0 || last >= length) {
    throw new ReduceRangeError('STRIDE_OUT_OF_RANGE', `${operator}: ${what}'s strides ${showList(strides)} from offset `
      + `${offset} reach elements ${first} to ${last}; data has ${length}`);
  }
}

function isDense(dims: number[], strides: number[]): boolean {
  let expected = 1;
  for (let i = dims.length - 1; i >= 0; i--) {
    const dim = dims[i]!;
    if (dim === 0) return true;
    if (dim !== 1 && strides[i] !== expected) return false;
    expected *= dim;
  }
  return true;
}

/** An array of any realm, or a typed array of integers; null for anything else. */
export function asList(value: unknown): ArrayLike<unknown> | null {
  if (isArray(value)) return value;
  if (ArrayBuffer.isView(value) && /^(Big)?(Int|Uint)/.test(viewName(value))) return value as unknown as ArrayLike<unknown>;
  return null;
}

/** How many entries a list has; a Proxy of an array may say anything. */
export function lengthOf(list: ArrayLike<unknown>, operator: string, what: string): number {
  const { length } = list;
  if (length >>> 0 === length) return length;
  throw new ReduceTypeError(what === 'axes' ? 'WRONG_AXES' : 'WRONG_DIMS',
    `${operator}: ${what} must be an array of integers; the one given says that its length is ${show(length)}`);
}

/** A number or bigint that is an integer in [least, 2^53), as a number; NaN for anything else. */
export function readInteger(value: unknown, least: number): number {
  if (typeof value === 'number') {
    // Adding 0 turns -0 into 0.
    return value >= least && value < kLimit && Math.floor(value) === value ? value + 0 : NaN;
  }
  if (typeof value === 'bigint') {
    return value >= least && value < kLimit ? Number(value) : NaN;
  }
  return NaN;
}

// A polyfilled Float16Array (@petamoriken/float16) is a Proxy that isView denies.
interface HalfPolyfill {
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly length: number;
}

function isHalfPolyfill(value: unknown): value is HalfPolyfill {
  return typeof value === 'object' && value !== null
    && (value as Record<symbol, unknown>)[Symbol.toStringTag] === 'Float16Array';
}

function classOf(value: object): HalfArrayClass | null {
  const made = (value as { constructor?: unknown }).constructor;
  return typeof made === 'function' ? (made as HalfArrayClass) : null;
}

function checkPolyfill(buffer: unknown, byteOffset: unknown, length: unknown, operator: string, what: string): void {
  try {
    new Uint16Array(buffer as ArrayBuffer, byteOffset as number, length as number);
  } catch (cause) {
    throw new ReduceTypeError('WRONG_DATA',
      `${operator}: ${what}'s data calls itself a Float16Array but has no usable buffer: ${String(cause)}`);
  }
  if (!Number.isInteger(byteOffset) || !Number.isInteger(length)) {
    throw new ReduceTypeError('WRONG_DATA',
      `${operator}: ${what}'s data calls itself a Float16Array but has no integer length and byteOffset`);
  }
}
