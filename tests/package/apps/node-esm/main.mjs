import { reduceLogSum, reduceSumSquare } from 'onnx-reduce';
import { createReducer } from 'onnx-reduce/threads';
import { report } from './report.mjs';

const x = { data: new Float32Array([1, 2, 3, 4, 5, 6]), dims: [2, 3] };
const y = reduceSumSquare(x, { axes: [1], keepdims: false });
console.log(y.type, y.dims, y.data); // float32 [ 2 ] Float32Array(2) [ 14, 77 ]

const reducer = await createReducer({ threads: 'auto' });
console.log(reducer.reduceLogSum(x, { axes: [-1] }).data);
reducer.dispose();

// check
await report({ reduceSumSquare, reduceLogSum, createReducer }, [...y.data]);
