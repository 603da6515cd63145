import { reduceSumSquare } from 'onnx-reduce';
import { createReducer } from 'onnx-reduce/threads';

export default {
  async fetch(request) {
    const data = new Float32Array(await request.arrayBuffer());
    const y = reduceSumSquare(data, { keepdims: false });
    return Response.json({ type: y.type, dims: y.dims, data: [...y.data], ...await withReducer(data) });
  },
};

// Code that is written for threads runs here as well, with one.
async function withReducer(data) {
  const reducer = await createReducer({ threads: 'auto' });
  const [logSum] = reducer.reduceLogSum(data).data;
  const { threads, threadsReason } = reducer;
  reducer.dispose();
  return { logSum, threads, threadsReason };
}
