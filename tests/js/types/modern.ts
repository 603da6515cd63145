// What the newest libraries add: Float16Array and `using`. Compiled, never run.
import { allocate, reduceSumSquare } from 'onnx-reduce';
import { createReducer } from 'onnx-reduce/threads';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function exactly<A, B>(_: Equal<A, B>): void {}

const half = reduceSumSquare(new Float16Array(4));
exactly<typeof half.type, 'float16'>(true);
exactly<typeof half.data, Float16Array<ArrayBuffer>>(true);
const rows = reduceSumSquare({ data: new Float16Array(4), dims: [2, 2], type: 'float16' }, { out: new Float16Array(1) });
const value: number = rows.data[0]!;
exactly<typeof rows.data, Float16Array<ArrayBuffer>>(true);

export async function disposes(): Promise<number> {
  using x = allocate('float32', [3]);
  using reducer = await createReducer();
  return reducer.reduceSumSquare(x).data[0]! + value;
}
