import { allocate, reduceSumSquare } from 'onnx-reduce';
import { createReducer } from 'onnx-reduce/threads';

/** Let go of when the block is left, however that is. */
export async function sum(values: readonly number[]): Promise<number> {
  using reducer = await createReducer({ threads: 'auto' });
  using tensor = allocate('float32', [values.length]);
  tensor.data.set(values);
  return reduceSumSquare(tensor, { keepdims: false }).data[0]! + reducer.threads;
}
// check
const half: Float16Array = reduceSumSquare(new Float16Array([1, 2])).data;
export { half };
