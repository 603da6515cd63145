const { reduceSumSquare, reduceLogSum, Tensor } = require('onnx-reduce');
const { createReducer } = require('onnx-reduce/threads');

test('sums the squares of rows', () => {
  const x = { data: new Float32Array([1, 2, 3, 4, 5, 6]), dims: [2, 3] };
  const y = reduceSumSquare(x, { axes: [1], keepdims: false });
  expect(y.dims).toEqual([2]);
  expect(Array.from(y.data)).toEqual([14, 77]);
});

test('takes the typed arrays of the test environment', () => {
  expect(reduceLogSum(new Float64Array([1, 2, 5])).data[0]).toBe(Math.log(8));
  expect(reduceSumSquare(new BigInt64Array([3n, -4n])).data[0]).toBe(25n);
  expect(Tensor).toBeDefined();
});

test('has threads', async () => {
  const reducer = await createReducer({ threads: 2 });
  expect(reducer.threads).toBe(2);
  expect(Array.from(reducer.reduceSumSquare(new Float32Array([3, 4])).data)).toEqual([25]);
  reducer.dispose();
});
