// The tensor types: the generated table, tied to JavaScript's typed arrays both
// at run time and in the type system.
import { types as rows } from './generated/tables.js';

type Row = (typeof rows)[number];

/**
 * A tensor type, spelled as ONNX Runtime's JavaScript API spells it.
 *
 * @useDeclaredType
 */
export type TypeName = Row['name'];

// `Float32Array` alone means "over any buffer" since TypeScript 5.7 and is not
// generic before; the return type of `of` is the array over an ordinary
// ArrayBuffer in every version, which is what results are and what Blob, WebGL
// and fetch demand.
interface ArrayClasses {
  Float32Array: ReturnType<Float32ArrayConstructor['of']>;
  Float64Array: ReturnType<Float64ArrayConstructor['of']>;
  Uint16Array: ReturnType<Uint16ArrayConstructor['of']>;
  Int32Array: ReturnType<Int32ArrayConstructor['of']>;
  Uint32Array: ReturnType<Uint32ArrayConstructor['of']>;
  BigInt64Array: ReturnType<BigInt64ArrayConstructor['of']>;
  BigUint64Array: ReturnType<BigUint64ArrayConstructor['of']>;
}

/** The typed array that holds each type's elements. */
export type DataTypeMap = { [R in Row as R['name']]: ArrayClasses[R['array']] };

interface AnyArrayClasses {
  Float32Array: Float32Array;
  Float64Array: Float64Array;
  Uint16Array: Uint16Array;
  Int32Array: Int32Array;
  Uint32Array: Uint32Array;
  BigInt64Array: BigInt64Array;
  BigUint64Array: BigUint64Array;
}

/** The same over memory that may be shared between threads. */
export type SharedDataTypeMap = { [R in Row as R['name']]: AnyArrayClasses[R['array']] };

/** A Float16Array of the engine or of a polyfill, described without naming the class. */
export interface Float16ArrayLike {
  readonly [Symbol.toStringTag]: 'Float16Array';
  readonly BYTES_PER_ELEMENT: number;
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly length: number;
  [index: number]: number;
}

/** What a tensor's elements may lie in; over any buffer, shared ones included. */
export type TensorData =
  | Float32Array | Float64Array | Uint16Array | Int32Array | Uint32Array
  | BigInt64Array | BigUint64Array | Float16ArrayLike;

/** The typed array classes the library itself makes. */
export type PlainArray = ArrayClasses[keyof ArrayClasses];

export interface PlainArrayClass {
  readonly prototype: PlainArray;
  new (length: number): PlainArray;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): PlainArray;
}

/** One row of the type table. */
export interface TypeInfo {
  readonly name: TypeName;
  readonly code: number;
  readonly bytes: number;
  readonly integer: boolean;
  readonly arrayName: string;
  readonly ArrayClass: PlainArrayClass;
}

const classes: Record<keyof ArrayClasses, unknown> = {
  Float32Array, Float64Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array,
};

export const types: readonly TypeInfo[] = rows.map((row, code) => ({
  name: row.name,
  code,
  bytes: row.bytes,
  integer: row.kind === 'integer',
  arrayName: row.array,
  ArrayClass: classes[row.array] as PlainArrayClass,
}));

export const typeByName: ReadonlyMap<unknown, TypeInfo> = new Map(types.map((type) => [type.name, type]));

export const float16 = typeByName.get('float16')!;

/** Names that other libraries give to the same types: scijs/ndarray and stdlib. */
export const typeAliases: ReadonlyMap<unknown, TypeInfo> = new Map([
  ['bigint64', typeByName.get('int64')!],
  ['biguint64', typeByName.get('uint64')!],
]);

const sharing = (type: TypeInfo) => types.filter((other) => other.arrayName === type.arrayName);

/**
 * The type that an array's class stands for. A class that several types share
 * (Uint16Array holds float16 as well as bfloat16) is not in it.
 */
export const typeByArray: ReadonlyMap<string, TypeInfo> = new Map([
  ...types.filter((type) => sharing(type).length === 1).map((type) => [type.arrayName, type] as const),
  ['Float16Array', float16] as const,
]);

/** The names of the types that share an array class, for the message that asks for one. */
export function typesOfArray(arrayName: string): string {
  return types.filter((type) => type.arrayName === arrayName).map((type) => `'${type.name}'`).join(' or ');
}

export const typeNames: string = types.map((type) => type.name).join(', ');

export type HalfArrayClass = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => Float16ArrayLike;

/** The engine's Float16Array, where it has one. */
export const NativeFloat16Array =
  (globalThis as { Float16Array?: HalfArrayClass }).Float16Array;
