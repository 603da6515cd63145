import { reduceLogSum, reduceSumSquare } from 'onnx-reduce';
import { createReducer } from 'onnx-reduce/threads';
import { report } from './report.mjs';

export default {
  async fetch(request) {
    const data = new Float32Array(await request.arrayBuffer());
    const y = reduceSumSquare(data, { keepdims: false });
    return Response.json({ type: y.type, dims: y.dims, data: [...y.data] });
  },
};
// check
export async function check() {
  const reasons = [];
  for (const threads of ['auto', 2, 1]) {
    const reducer = await createReducer({ threads, onFallback: (reason) => reasons.push(reason) });
    if (reducer.threads !== 1 || (reducer.threadsReason !== '') !== (threads !== 1)) throw new Error(`${threads}: ${reducer.threads} threads, ${reducer.threadsReason}`);
    reducer.dispose();
  }
  if (reasons.length !== 2 || !/"workerd"/.test(reasons[0])) throw new Error(`the reasons are ${reasons.join('; ')}`);
  await report({ reduceSumSquare, reduceLogSum, createReducer });
}
