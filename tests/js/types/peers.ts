// Tensors of other libraries pass as they are. Compiled, never run.
import ndarray from 'ndarray';
import { Tensor as OrtTensor, type TypedTensor } from 'onnxruntime-common';
import { Float16Array as Half } from '@petamoriken/float16';
import { reduceSumSquare, type Tensor } from 'onnx-reduce';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function exactly<A, B>(_: Equal<A, B>): void {}

declare const loose: OrtTensor;
declare const typed: TypedTensor<'float32'>;
const any = reduceSumSquare(loose);
exactly<typeof any, Tensor>(true);
const floats = reduceSumSquare(typed);
exactly<typeof floats.type, 'float32'>(true);
const ours = reduceSumSquare(new Float64Array(2));
const back = new OrtTensor(ours.type, ours.data, ours.dims);

const view = reduceSumSquare(ndarray(new Float64Array(6), [2, 3]).transpose(1, 0), { axes: [0] });
exactly<typeof view.type, 'float64'>(true);
const half = reduceSumSquare(new Half(2));
exactly<typeof half.type, 'float16'>(true);

export { back };
