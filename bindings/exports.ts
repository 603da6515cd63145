// What every entry exports beside the operator functions.
export { ReduceError, type ErrorCode, type ReduceEngineError, type ReduceRangeError, type ReduceTypeError } from './errors.js';
export type {
  Allocate, AllocateShared, DataOf, NdArrayLike, Operators, OutTensor, ReduceFunction, ReduceInput, ReduceOptions, SelfDescribing,
  StridedTensorLike, TensorLike, TypeOf, UntypedTensorLike,
} from './signatures.js';
export { type MaybeDisposable, Tensor } from './tensor.js';
export type { DataTypeMap, Float16ArrayLike, SharedDataTypeMap, TensorData, TypeName } from './types.js';
