import { reduceSumSquare } from 'onnx-reduce';

export default {
  async fetch(request) {
    const data = new Float32Array(await request.arrayBuffer());
    const y = reduceSumSquare(data, { keepdims: false });
    return Response.json({ type: y.type, dims: y.dims, data: [...y.data] });
  },
};
