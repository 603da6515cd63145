import reduce = require('onnx-reduce');
import threads = require('onnx-reduce/threads');

const y: reduce.Tensor<'float32'> = reduce.reduceSumSquare(new Float32Array([3, 4]));
export const sum: Float32Array = y.data;
export const reducer: Promise<threads.Reducer> = threads.createReducer();
