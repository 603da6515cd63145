// The options, against plain loops: axes, keepdims, no-op, opset.
const { api, arrayOf, expectBits, naiveSumSquare, product, someValues } = require('./support/tensors.cjs');

const { reduceSumSquare, reduceLogSum } = api;

/** All subsets of the axes of a rank. */
const subsets = (rank) => Array.from({ length: 2 ** rank }, (_, bits) => Array.from({ length: rank }, (__, axis) => axis).filter((axis) => bits >> axis & 1));

describe.each([[[7]], [[3, 4]], [[4, 1, 5]], [[2, 3, 4, 5]], [[1, 30, 2, 40]], [[2, 1, 3, 2, 2]], [[2, 1, 2, 1, 2, 1, 2, 1, 2, 1]]])('dims %j', (dims) => {
  const values = someValues(product(dims));
  const data = arrayOf('float32', values);

  test('every set of axes', () => {
    for (const axes of subsets(dims.length)) {
      for (const keepdims of [true, false]) {
        const all = axes.length === 0 ? dims.map((_, axis) => axis) : axes;
        const wanted = naiveSumSquare(values, dims, all, keepdims);
        const negative = axes.map((axis) => axis - dims.length).reverse();
        for (const given of [axes, negative, [...axes, ...negative]]) {
          const y = reduceSumSquare({ data, dims }, { axes: given, keepdims });
          expect(y.dims).toEqual(wanted.dims);
          expectBits(y.data, arrayOf('float32', wanted.values));
        }
      }
    }
  });
});

const x = { data: new Float32Array([1, 2, 3, 4, 5, 6]), dims: [2, 3] };

test('missing, null, undefined and empty axes are the same', () => {
  for (const options of [undefined, null, {}, { axes: undefined }, { axes: null }, { axes: [] }, { axes: new Int32Array(0) }, { axes: new BigInt64Array(0) }]) {
    const y = reduceSumSquare(x, options);
    expect(y.dims).toEqual([1, 1]);
    expect(y.data[0]).toBe(91);
  }
});

test('keepdims', () => {
  for (const keepdims of [undefined, true, 1]) expect(reduceSumSquare(x, { axes: [0], keepdims }).dims).toEqual([1, 3]);
  for (const keepdims of [false, 0]) expect(reduceSumSquare(x, { axes: [0], keepdims }).dims).toEqual([3]);
});

test('noopWithEmptyAxes applies the element-wise part, or copies', () => {
  for (const noopWithEmptyAxes of [true, 1]) {
    for (const axes of [undefined, null, []]) {
      const y = reduceSumSquare(x, { axes, noopWithEmptyAxes, keepdims: false });
      expect(y.dims).toEqual([2, 3]);
      expect(Array.from(y.data)).toEqual([1, 4, 9, 16, 25, 36]);
    }
  }
  const logs = reduceLogSum({ data: new Float64Array([1, 2, 10]), dims: [3] }, { noopWithEmptyAxes: true });
  expect(Array.from(logs.data)).toEqual([0, Math.LN2, Math.LN10]);
  const copy = reduceLogSum(x, { noopWithEmptyAxes: 'identity' });
  expect(copy.data).toEqual(x.data);
  expect(copy.data.buffer).not.toBe(x.data.buffer);
  expect(copy.dims).toEqual([2, 3]);
  expect(copy.dims).not.toBe(x.dims);
  // With axes it changes nothing.
  for (const noopWithEmptyAxes of [false, 0, true, 1, 'identity', undefined]) {
    expect(reduceSumSquare(x, { axes: [0, 1], noopWithEmptyAxes }).data[0]).toBe(91);
  }
  for (const noopWithEmptyAxes of [false, 0, undefined]) expect(reduceSumSquare(x, { noopWithEmptyAxes, opset: 1 }).data[0]).toBe(91);
});

test('opset', () => {
  for (const opset of [1, 5, 10, 11, 12, 13, 17, 18, 22, 27, 28, 100, 18n, undefined]) {
    expect(reduceSumSquare(x, { axes: [-1], opset }).data[1]).toBe(77);
    expect(reduceSumSquare(new Uint32Array([3]), { opset }).data[0]).toBe(9);
  }
  const bfloat16 = { data: arrayOf('bfloat16', [3]), dims: [1], type: 'bfloat16' };
  for (const opset of [13, 17, 18, 28, undefined]) expect(reduceSumSquare(bfloat16, { opset }).data).toEqual(arrayOf('bfloat16', [9]));
  for (const opset of [1, 11, 13, 18, 27, undefined]) expect(reduceLogSum(new Int32Array([8]), { opset }).data[0]).toBe(2);
});

test('an options object may come from a class or with a prototype', () => {
  class Options { axes = [1]; keepdims = false; }
  expect(reduceSumSquare(x, new Options()).dims).toEqual([2]);
  expect(reduceSumSquare(x, Object.create({ axes: [1], keepdims: false })).dims).toEqual([2]);
  expect(reduceSumSquare(x, Object.freeze({ axes: Object.freeze([1]) })).dims).toEqual([2, 1]);
});

test('what old scripts add to Object.prototype is no option', () => {
  Object.prototype.extended = () => {};
  try {
    expect(reduceSumSquare(x, { axes: [1] }).dims).toEqual([2, 1]);
  } finally {
    delete Object.prototype.extended;
  }
});
