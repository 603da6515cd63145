import { allocate, ReduceError, reduceLogSum, reduceSumSquare, type Tensor, type TensorLike } from 'onnx-reduce';
import { createReducer, type Reducer } from 'onnx-reduce/threads';

const x = { data: new Float32Array([1, 2, 3, 4, 5, 6]), dims: [2, 3] };
const y: Tensor<'float32'> = reduceSumSquare(x, { axes: [1], keepdims: false });
const data: Float32Array = y.data;
const type: 'float32' = y.type;

// The type follows from the array; Uint16Array needs to be told.
const big: BigInt64Array = reduceSumSquare(new BigInt64Array([1n, 2n])).data;
const half: Uint16Array = reduceLogSum({ data: new Uint16Array(4), dims: [4], type: 'float16' }).data;

const tensor = allocate('float64', [2, 2]);
tensor.data.set([1, 2, 3, 4]);
const double: Float64Array = reduceLogSum(tensor, { axes: [-1n, 0n] }).data;

export async function threaded(): Promise<number> {
  const reducer: Reducer = await createReducer({ threads: 'auto', onFallback: (reason: string) => console.log(reason) });
  try {
    return reducer.threads;
  } finally {
    reducer.dispose();
  }
}

export function codeOf(input: TensorLike, axis: number): string {
  try {
    return reduceSumSquare(input, { axes: axis }).type;
  } catch (error) {
    if (error instanceof ReduceError) return error.code;
    throw error;
  }
}

// check
// @ts-expect-error keepdims is a boolean, 0 or 1
reduceSumSquare(x, { keepdims: 'no' });
// @ts-expect-error there is no such option
reduceSumSquare(x, { axis: 1 });
// @ts-expect-error an array of strings is no tensor
reduceSumSquare(['1', '2']);
// @ts-expect-error the result of a float32 tensor is no Float64Array
const wrong: Float64Array = reduceSumSquare(x).data;
// @ts-expect-error there is no such type
allocate('float128', [1]);
// @ts-expect-error a number of threads or 'auto'
void createReducer({ threads: 'many' });
export { big, data, double, half, type, wrong };
