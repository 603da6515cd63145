import { reduceSumSquare } from 'onnx-reduce';
import Client from './client';

// Computed on the server, while the page is made.
export default function Page() {
  const x = { data: new Float32Array([1, 2, 3, 4, 5, 6]), dims: [2, 3] };
  const y = reduceSumSquare(x, { axes: [1], keepdims: false });
  return <main><p id="server">{Array.from(y.data).join(',')}</p><Client /></main>;
}
