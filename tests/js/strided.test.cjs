// Strided views against a copy made element by element.
const { api, arrayOf, bitsOf, denseStrides, densify, expectBits, operators, product, someValues, typeNames } = require('./support/tensors.cjs');

/** A generator of pseudo-random integers in [0, limit), the same in every run. */
function random(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** A random view: a padded array, dims in any order, some reversed, some repeated. */
function randomView(next, largest) {
  const rank = 1 + next(5);
  const dims = Array.from({ length: rank }, () => 1 + next(largest));
  const order = dims.map((_, i) => i);
  for (let i = rank - 1; i > 0; i--) {
    const j = next(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  const strides = new Array(rank);
  let step = next(3) === 0 ? 2 : 1;
  let offset = next(4);
  for (const axis of order) {
    if (next(8) === 0) {
      strides[axis] = 0;
      continue;
    }
    const backwards = next(3) === 0;
    strides[axis] = backwards ? -step : step;
    if (backwards) offset += (dims[axis] - 1) * step;
    step *= dims[axis];
    if (next(3) === 0) step += 1 + next(3);
  }
  const last = dims.reduce((sum, dim, axis) => sum + Math.max(0, (dim - 1) * strides[axis]), offset);
  return { dims, strides, offset, length: last + 1 + next(3) };
}

function check(type, view, options) {
  const data = arrayOf(type, someValues(view.length, 5));
  const before = bitsOf(data);
  const dense = densify(data, view.dims, view.strides, view.offset);
  for (const operator of Object.values(operators)) {
    const wanted = operator({ data: dense, dims: view.dims, type }, options);
    const y = operator({ data, type, dims: view.dims, strides: view.strides, offset: view.offset }, options);
    expect(y.dims).toEqual(wanted.dims);
    expectBits(y.data, wanted.data);
  }
  expect(bitsOf(data)).toEqual(before);
}

describe.each(typeNames)('%s', (type) => {
  test.each([['small', 4, 60], ['large', 9, 12]])('%s random views', (_, largest, rounds) => {
    const next = random(largest * 1000 + typeNames.indexOf(type));
    for (let round = 0; round < rounds; round++) {
      const view = randomView(next, largest);
      const axes = view.dims.map((__, axis) => axis).filter(() => next(2));
      check(type, view, { axes, keepdims: next(2) === 0, noopWithEmptyAxes: next(2) === 0 });
    }
  });
});

test('a large transpose, a plane of a picture, every second row', () => {
  const views = [
    { dims: [300, 200], strides: [1, 300], offset: 0, length: 60000 },
    { dims: [120, 160], strides: [480, 3], offset: 1, length: 57600 },
    { dims: [50, 1000], strides: [2000, 1], offset: 1000, length: 100000 },
    { dims: [1000, 3], strides: [-3, 1], offset: 2997, length: 3000 },
    { dims: [40, 30, 20], strides: [1, 40, 1200], offset: 0, length: 24000 },
  ];
  for (const view of views) {
    for (const axes of [[], [0], [1], [-1], view.dims.map((_, axis) => axis)]) check('float32', view, { axes });
  }
});

test('a sliding window, whose elements overlap', () => {
  check('float64', { dims: [2000, 5], strides: [1, 1], offset: 0, length: 2004 }, { axes: [1] });
});

test('a broadcast dim is repeated', () => {
  const y = api.reduceSumSquare({ data: new Float32Array([3]), dims: [1000, 1000], strides: [0, 0] });
  expect(y.data[0]).toBe(9e6);
});

test('identity copies in C order, with every bit', () => {
  // A signalling NaN: it must not pass through a float register.
  const bits = new Uint32Array([0x7fa00001, 1, 2, 3, 0xff800001, 5]);
  const data = new Float32Array(bits.buffer);
  const y = api.reduceSumSquare({ data, dims: [3, 2], strides: [1, 3] }, { noopWithEmptyAxes: 'identity' });
  expect(y.dims).toEqual([3, 2]);
  expect(Array.from(new Uint32Array(y.data.buffer))).toEqual([0x7fa00001, 3, 1, 0xff800001, 2, 5]);
  const plain = api.reduceLogSum(data, { noopWithEmptyAxes: 'identity', keepdims: false });
  expect(Array.from(new Uint32Array(plain.data.buffer))).toEqual(Array.from(bits));
  expect(plain.data).not.toBe(data);
});

test('a strided view of an allocated tensor', () => {
  const tensor = api.allocate('int32', [100, 40]);
  tensor.data.set(someValues(4000, 9));
  const strides = [1, 40];
  const wanted = api.reduceSumSquare({ data: densify(tensor.data.slice(), [40, 100], strides, 0), dims: [40, 100] }, { axes: [1] });
  const y = api.reduceSumSquare({ data: tensor.data, dims: [40, 100], strides }, { axes: [1] });
  expect(y.data).toEqual(wanted.data);
  const gaps = api.reduceSumSquare({ data: tensor.data, dims: [1990], strides: [2], offset: 1 });
  expect(gaps.data[0]).toBe(densify(tensor.data.slice(), [1990], [2], 1).reduce((sum, value) => sum + value * value, 0));
  tensor.dispose();
});

test('an offset alone moves the start', () => {
  const y = api.reduceSumSquare({ data: new Int32Array([9, 1, 2, 9]), dims: [2], offset: 1 });
  expect(y.data[0]).toBe(5);
  expect(denseStrides([2, 3])).toEqual([3, 1]);
  expect(product([2, 3])).toBe(6);
});
