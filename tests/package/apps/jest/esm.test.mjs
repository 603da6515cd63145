import { reduceSumSquare } from 'onnx-reduce';

test('is imported as an ES module', () => {
  expect(Array.from(reduceSumSquare(new Float32Array([3, 4])).data)).toEqual([25]);
});
