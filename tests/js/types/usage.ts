// What users write, and the types they must get. Compiled, never run.
import { allocate, ReduceError, reduceLogSum, reduceSumSquare, Tensor } from 'onnx-reduce';
import type { ErrorCode, ReduceOptions, TypeName } from 'onnx-reduce';
import { createReducer, type Reducer } from 'onnx-reduce/threads';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function exactly<A, B>(_: Equal<A, B>): void {}

declare const shared: Float32Array;
const f32 = reduceSumSquare(new Float32Array(3));
exactly<typeof f32.type, 'float32'>(true);
exactly<typeof f32.data, ReturnType<typeof Float32Array.of>>(true);
const owned: ArrayBuffer = f32.data.buffer as ArrayBuffer;
const dims: readonly number[] = f32.dims;
f32.data.set([1]);

const i64 = reduceLogSum({ data: new BigInt64Array(4), dims: [2, 2] }, { axes: [-1], keepdims: 0 });
exactly<typeof i64.type, 'int64'>(true);
exactly<typeof i64.data, ReturnType<typeof BigInt64Array.of>>(true);
const big: bigint = i64.data[0]!;

exactly<ReturnType<typeof reduceSumSquare<Float64Array>>['type'], 'float64'>(true);
exactly<ReturnType<typeof reduceSumSquare<Int32Array>>['type'], 'int32'>(true);
exactly<ReturnType<typeof reduceSumSquare<Uint32Array>>['type'], 'uint32'>(true);
exactly<ReturnType<typeof reduceSumSquare<BigUint64Array>>['type'], 'uint64'>(true);

const f16 = reduceSumSquare({ data: new Uint16Array(2), dims: [2], type: 'float16' });
exactly<typeof f16.type, 'float16'>(true);
exactly<typeof f16.data, ReturnType<typeof Uint16Array.of>>(true);
const bf16 = reduceSumSquare({ data: new Uint16Array(2), shape: [2], dtype: 'bfloat16' });
exactly<typeof bf16.type, 'bfloat16'>(true);

// Views with strides, whichever way they are spelled.
reduceSumSquare({ data: shared, shape: [2, 3], stride: [1, 2], offset: 0 });
reduceSumSquare({ data: shared, dims: [2, 3], strides: [1, 2] });
reduceSumSquare({ data: shared, shape: new Int32Array([2, 3]), dtype: 'float32' }).data.fill(0);
reduceSumSquare({ data: shared, dims: [2n, 3n] });

// A tensor whose type is only known at run time, as onnxruntime's is.
declare const untyped: { readonly data: Float32Array | BigInt64Array | Uint8Array | string[]; readonly dims: readonly number[]; readonly type: 'float32' | 'int64' | 'uint8' | 'string' };
const some = reduceSumSquare(untyped);
exactly<typeof some, Tensor>(true);
const name: TypeName = some.type;

// Options.
const options: ReduceOptions = { axes: new BigInt64Array([0n]), keepdims: false, noopWithEmptyAxes: 'identity', opset: 18 };
reduceSumSquare(shared, options);
reduceSumSquare(shared, { axes: 0, out: new Float32Array(1) });
reduceSumSquare(shared, { axes: 1n, out: f32 });
reduceSumSquare(shared, { axes: [0, 1] as const, keepdims: 1, noopWithEmptyAxes: true });
reduceSumSquare(shared, { axes: null });
reduceSumSquare(shared, undefined);

// @ts-expect-error misspelt
reduceSumSquare(shared, { keepDims: true });
// @ts-expect-error only 0 and 1 are numbers that keepdims takes
reduceSumSquare(shared, { keepdims: 2 });
// @ts-expect-error no such mode
reduceSumSquare(shared, { noopWithEmptyAxes: 'yes' });
// @ts-expect-error bytes are no tensor type
reduceSumSquare(new Uint8Array(2));
// @ts-expect-error arrays of numbers are no tensor
reduceSumSquare([1, 2, 3]);
// @ts-expect-error a Uint16Array needs its type said
reduceSumSquare(new Uint16Array(2));
// @ts-expect-error dims are missing
reduceSumSquare({ data: shared });
// @ts-expect-error no such type
reduceSumSquare({ data: shared, dims: [1], type: 'float31' });
// @ts-expect-error the input is missing
reduceSumSquare();

// allocate and Tensor.
const room = allocate('uint64', [2, 2]);
exactly<typeof room, Tensor<'uint64'>>(true);
room.data[0] = 1n;
room.dispose();
const squares = reduceSumSquare(room);
exactly<typeof squares.type, 'uint64'>(true);
// @ts-expect-error no such type
allocate('double', [1]);
const made = new Tensor('float32', new Float32Array(2), [2]);
exactly<typeof made.type, 'float32'>(true);
const again: Tensor = made;
const size: number = again.size;

// Errors.
try {
  reduceSumSquare(shared);
} catch (error) {
  if (error instanceof ReduceError) {
    const code: ErrorCode = error.code;
    const message: string = error.message;
    if (code === 'AXIS_OUT_OF_RANGE') console.log(message);
    // @ts-expect-error no such code
    if (code === 'OTHER') console.log(message);
  }
}

// Threads.
const reducer: Reducer = await createReducer({ threads: 'auto', onFallback: (reason) => reason.length });
const y = reducer.reduceLogSum(room, { axes: [0] });
exactly<typeof y.data, ReturnType<typeof BigUint64Array.of>>(true);
const same: Tensor<'uint64'> = y;
const inShared = reducer.allocate('float32', [2]);
inShared.data.set([1, 2]);
exactly<typeof inShared.data, Float32Array>(true);
const fromShared = reduceSumSquare(inShared, { out: inShared });
exactly<typeof fromShared, Tensor<'float32'>>(true);
const [threads, why]: [number, string] = [reducer.threads, reducer.threadsReason];
reducer.dispose();
await createReducer({ threads: 2, wasmUrl: new URL('https://example.org/core-mt.wasm'), workerUrl: '/worker.mjs' });
// @ts-expect-error neither a number nor 'auto'
await createReducer({ threads: 'all' });

export { big, dims, name, owned, same, size, threads, why };
