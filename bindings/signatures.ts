// The public functions, as the type system sees them.
import type { Tensor } from './tensor.js';
import type { operators } from './generated/tables.js';
import type { DataTypeMap, Float16ArrayLike, SharedDataTypeMap, TensorData, TypeName } from './types.js';

type Integers = ArrayLike<number> | ArrayLike<bigint>;

/** Typed arrays whose class alone says their type. Uint16Array needs one beside it. */
export type SelfDescribing = Exclude<TensorData, Uint16Array>;

/** A dense tensor: data in C order. */
export interface TensorLike {
  /** As many elements as the product of `dims`. */
  readonly data: TensorData;
  /** The shape; [] for a scalar. */
  readonly dims: Integers;
  /** Follows from data's class, other than for a Uint16Array: float16 or bfloat16. */
  readonly type?: TypeName;
}

/** The same with `shape` and `dtype`, and as a view with strides if there are any (scijs/ndarray, stdlib). */
export interface NdArrayLike {
  /** Holds the elements, perhaps among others. */
  readonly data: TensorData;
  /** The shape; [] for a scalar. */
  readonly shape: Integers;
  /** A name of ours, or an object that prints as one. */
  readonly dtype?: TypeName | (string & {}) | object;
  /** The same as `dtype`. */
  readonly type?: TypeName;
  /** In elements, one for each dim; negative and 0 are allowed. */
  readonly stride?: Integers;
  /** The same as `stride`. */
  readonly strides?: Integers;
  /** The element at index 0, 0, ... */
  readonly offset?: number;
}

/** A strided view that calls its shape `dims`. */
export interface StridedTensorLike extends TensorLike {
  /** In elements, one for each dim; negative and 0 are allowed. */
  readonly stride?: Integers;
  /** The same as `stride`. */
  readonly strides?: Integers;
  /** The element at index 0, 0, ... */
  readonly offset?: number;
}

/** A tensor whose type is known at run time only, such as onnxruntime's Tensor. */
export interface UntypedTensorLike {
  /** Must turn out to be one of the typed arrays of TensorData. */
  readonly data: unknown;
  /** The shape; [] for a scalar. */
  readonly dims: readonly number[];
  /** Must turn out to be one of TypeName. */
  readonly type: TypeName | 'string' | 'bool' | 'int4' | 'uint4' | 'int8' | 'uint8' | 'int16' | 'uint16';
}

/** What the operators accept and can name the result's type of. */
export type ReduceInput = SelfDescribing | StridedTensorLike | NdArrayLike;

type TypeOfTag = {
  Float32Array: 'float32';
  Float64Array: 'float64';
  Float16Array: 'float16';
  Uint16Array: 'float16' | 'bfloat16';
  Int32Array: 'int32';
  Uint32Array: 'uint32';
  BigInt64Array: 'int64';
  BigUint64Array: 'uint64';
};

type TypeOfData<D> = D extends { readonly [Symbol.toStringTag]: infer Tag extends keyof TypeOfTag } ? TypeOfTag[Tag] : never;

/** The tensor type that an input has. */
export type TypeOf<I> =
  I extends { readonly data: infer D; readonly type: infer T }
    ? T extends TypeName ? T : T extends undefined ? TypeOfData<D> : TypeName
  : I extends { readonly data: infer D; readonly dtype: infer T } ? T extends TypeName ? T : TypeOfData<D>
  : I extends { readonly data: infer D } ? TypeOfData<D>
  : TypeOfData<I>;

/** The class its result's data has: Float16Array comes back as what came in. */
export type DataOf<I> =
  I extends Float16ArrayLike ? I
  : I extends { readonly data: infer D extends Float16ArrayLike } ? D
  : DataTypeMap[TypeOf<I>];

/** What a result may be written to. */
export type OutTensor = TensorData | TensorLike | Tensor;

/** The options of a call: the attributes of the ONNX operator, and where to put the result. */
export interface ReduceOptions {
  /**
   * The axes to reduce, in any order; negative ones count from the end.
   * Missing, null and empty mean all of them.
   */
  readonly axes?: number | bigint | readonly number[] | readonly bigint[] | Int32Array | BigInt64Array | null | undefined;
  /** Whether reduced axes stay, as dims of 1. Default: true. */
  readonly keepdims?: boolean | 0 | 1 | undefined;
  /**
   * With this and without axes nothing is reduced: `true` still applies the
   * operator's element-wise part (x * x, ln x), 'identity' returns a copy.
   * Exists from opset 18 on. Default: false.
   */
  readonly noopWithEmptyAxes?: boolean | 0 | 1 | 'identity' | undefined;
  /** The ONNX opset whose rules apply. Default: the newest version of the operator that takes the input's type. */
  readonly opset?: number | bigint | undefined;
  /**
   * Where to write the result: same type, as many elements, and its shape (dims
   * of 1 aside) or flat. It may overlap the input. A Tensor is returned itself,
   * anything else comes back wrapped in one.
   */
  readonly out?: OutTensor | null | undefined;
}

/** A reduction operator. */
export interface ReduceFunction {
  /**
   * @param input a typed array (rank 1), or a tensor: its elements and their shape
   * @param options axes, keepdims, noopWithEmptyAxes, opset, out
   * @returns a tensor of the input's type, in memory of its own unless `out` was
   *   given. Its dims are the input's without the reduced ones, or with 1 in their
   *   place under `keepdims` (the default)
   * @throws {@link ReduceError}, which is also a TypeError (an argument of the wrong kind)
   *   or a RangeError (an axis, a shape or a size beyond its limit); its `code` says which
   */
  <I extends ReduceInput>(input: I, options?: ReduceOptions | null): Tensor<TypeOf<I>, DataOf<I>>;
  /** The same, for an input whose type is known at run time only. */
  (input: UntypedTensorLike, options?: ReduceOptions | null): Tensor;
}

/** Every operator by its JavaScript name. */
export type Operators = { readonly [R in (typeof operators)[number] as R['jsName']]: ReduceFunction };

/** Makes a tensor of zeros in WebAssembly memory. */
export type Allocate = <T extends TypeName>(type: T, dims: readonly number[]) => Tensor<T>;

/** The same for a reducer, whose memory is shared with its threads. */
export type AllocateShared = <T extends TypeName>(type: T, dims: readonly number[]) => Tensor<T, SharedDataTypeMap[T]>;
