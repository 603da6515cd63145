// allocate(), out, and what memory they touch.
const { api, arrayOf, bitsOf, expectBits, naiveSumSquare, someValues, thrownBy, typeNames, types } = require('./support/tensors.cjs');

const { allocate, reduceSumSquare, reduceLogSum, Tensor } = api;
const disposeSymbol = Symbol.dispose ?? Symbol.for('Symbol.dispose');

describe.each(typeNames)('allocate %s', (type) => {
  test.each([[[3, 4]], [[40, 50]]])('%j', (dims) => {
    const tensor = allocate(type, dims);
    expect(tensor).toBeInstanceOf(Tensor);
    expect(tensor).toMatchObject({ type, dims });
    expect(tensor.data).toBeInstanceOf(types[type].ArrayClass);
    expect(tensor.data).toHaveLength(dims[0] * dims[1]);
    expect(tensor.data.every((value) => Number(value) === 0)).toBe(true);
    expect(tensor.data.byteOffset % 16).toBe(0);
    const values = someValues(dims[0] * dims[1], 2);
    tensor.data.set(arrayOf(type, values));
    const wanted = naiveSumSquare(values, dims, [0], true);
    const y = reduceSumSquare(tensor, { axes: [0] });
    expect(y.dims).toEqual([1, dims[1]]);
    expectBits(y.data, arrayOf(type, wanted.values));
    expect(y.data.buffer).not.toBe(tensor.data.buffer);
    tensor.dispose();
  });
});

test('data stays right when the memory grows', () => {
  const first = allocate('float32', [1000]);
  first.data.fill(2);
  const stale = first.data;
  const others = [];
  while (stale.length !== 0) others.push(allocate('float64', [2 ** 20]));
  expect(first.data).toHaveLength(1000);
  expect(first.data.every((value) => value === 2)).toBe(true);
  expect(first.data).toBe(first.data);
  expect(reduceSumSquare(first).data[0]).toBe(4000);
  expect(thrownBy(() => reduceSumSquare(stale))).toMatchObject({ code: 'DETACHED' });
  for (const tensor of [first, ...others]) tensor.dispose();
});

test('dispose', () => {
  const tensor = allocate('int32', [4]);
  tensor.dispose();
  tensor.dispose();
  tensor[disposeSymbol]();
  for (const use of [() => tensor.data, () => reduceSumSquare(tensor), () => reduceSumSquare(new Int32Array(4), { out: tensor })]) {
    const error = thrownBy(use);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.code).toBe('DISPOSED');
  }
  expect(tensor.dims).toEqual([4]);
  const other = allocate('int32', [4]);
  other[disposeSymbol]();
  expect(thrownBy(() => other.data).code).toBe('DISPOSED');
});

test('disposing makes room: many tensors one after the other', () => {
  // 600 x 8 MB is more than the whole address space.
  for (let i = 0; i < 600; i++) {
    const tensor = allocate('float32', [2 ** 21]);
    tensor.data[i] = 3;
    if (i % 100 === 0) expect(reduceSumSquare(tensor).data[0]).toBe(9);
    tensor.dispose();
  }
});

test('memory that runs out is an error, and what was there goes on working', () => {
  const kept = allocate('float32', [1000]);
  kept.data.fill(1);
  // All but the first 64 kB of what 32 bits can address.
  for (let i = 0; i < 3; i++) {
    const error = thrownBy(() => allocate('float32', [2 ** 30 - 2 ** 14 - 1]));
    expect(error).toBeInstanceOf(RangeError);
    expect(error.code).toBe('OUT_OF_MEMORY');
    expect(reduceSumSquare(kept).data[0]).toBe(1000);
    expect(reduceSumSquare(new Float32Array(5000).fill(1)).data[0]).toBe(5000);
  }
  const again = allocate('float64', [2 ** 20]);
  expect(reduceSumSquare(again).data[0]).toBe(0);
  for (const tensor of [kept, again]) tensor.dispose();
});

test('an empty tensor and a scalar', () => {
  const empty = allocate('float32', [0, 3]);
  expect(empty.data).toHaveLength(0);
  expect(Array.from(reduceLogSum(empty, { axes: [0], keepdims: false }).data)).toEqual([-Infinity, -Infinity, -Infinity]);
  const scalar = allocate('int64', []);
  scalar.data[0] = -3n;
  expect(reduceSumSquare(scalar)).toMatchObject({ dims: [], data: new BigInt64Array([9n]) });
  for (const tensor of [empty, scalar]) tensor.dispose();
});

test('works behind a Proxy, as reactive state makes one', () => {
  const tensor = allocate('float32', [3]);
  const wrapped = new Proxy(tensor, {});
  wrapped.data.set([1, 2, 3]);
  expect(reduceSumSquare(wrapped).data[0]).toBe(14);
  wrapped.dispose();
  expect(thrownBy(() => tensor.data).code).toBe('DISPOSED');
});

test('the caller\'s array is neither changed nor kept nor moved', () => {
  const data = arrayOf('float64', someValues(20000));
  const before = bitsOf(data);
  const { buffer } = data;
  reduceSumSquare({ data, dims: [100, 200] }, { axes: [0] });
  reduceLogSum({ data, dims: [200, 100], strides: [1, 200] }, { axes: [1] });
  expect(bitsOf(data)).toEqual(before);
  expect(data.buffer).toBe(buffer);
  expect(buffer.byteLength).toBe(160000);
});

describe('out', () => {
  const dims = [60, 100];
  const values = someValues(6000);
  const x = { data: arrayOf('float32', values), dims };
  const squares = values.map((value) => value * value);
  const column = naiveSumSquare(values, dims, [0], false).values;

  test('a typed array, an object, a Tensor, an allocated tensor', () => {
    const array = new Float32Array(100);
    const wrapped = reduceSumSquare(x, { axes: [0], keepdims: false, out: array });
    expect(wrapped).toEqual(new Tensor('float32', Float32Array.from(column), [100]));
    expect(wrapped.data).toBe(array);

    const object = { data: new Float32Array(100), dims: [1, 100], type: 'float32' };
    expect(reduceSumSquare(x, { axes: [0], out: object }).data).toBe(object.data);
    expect(Array.from(object.data)).toEqual(column);

    const tensor = new Tensor('float32', new Float32Array(100), [100]);
    expect(reduceSumSquare(x, { axes: [0], out: tensor })).toBe(tensor);
    expect(Array.from(tensor.data)).toEqual(column);

    const inside = allocate('float32', [100]);
    expect(reduceSumSquare(x, { axes: [0], out: inside })).toBe(inside);
    expect(Array.from(inside.data)).toEqual(column);
    inside.dispose();
  });

  test('large results, to every place and from every place', () => {
    const from = allocate('float32', dims);
    from.data.set(x.data);
    for (const source of [x, from]) {
      const places = [new Float32Array(6000), new Float32Array(6002).subarray(2), new Float32Array(new SharedArrayBuffer(24000)), allocate('float32', dims), undefined];
      for (const out of places) {
        const y = reduceSumSquare(source, { noopWithEmptyAxes: true, ...(out === undefined ? {} : { out }) });
        expect(Array.from(y.data)).toEqual(squares);
        expect(y.dims).toEqual(dims);
        out?.dispose?.();
      }
    }
    from.dispose();
  });

  test('the same memory as the input', () => {
    const own = new Float32Array(values);
    reduceSumSquare({ data: own, dims }, { noopWithEmptyAxes: true, out: own });
    expect(Array.from(own)).toEqual(squares);

    const tensor = allocate('float32', dims);
    tensor.data.set(values);
    reduceSumSquare(tensor, { noopWithEmptyAxes: true, out: tensor });
    expect(Array.from(tensor.data)).toEqual(squares);
    tensor.dispose();
  });

  test.each([['ordinary', () => new ArrayBuffer(32000)], ['shared', () => new SharedArrayBuffer(32000)]])('overlapping the input either way, %s', (_, make) => {
    for (const [from, to] of [[0, 1], [1, 0], [0, 1500], [1500, 0], [1999, 2000]]) {
      const buffer = make();
      const data = new Float32Array(buffer, from * 4, 6000);
      data.set(values);
      const out = new Float32Array(buffer, to * 4, 6000);
      reduceSumSquare({ data, dims }, { noopWithEmptyAxes: true, out });
      expect(Array.from(out)).toEqual(squares);
      data.set(values);
      reduceSumSquare({ data, dims }, { axes: [0], out: new Float32Array(buffer, (from + 50) * 4, 100) });
      expect(Array.from(new Float32Array(buffer, (from + 50) * 4, 100))).toEqual(column);
    }
  });

  test('two objects for one shared memory', async () => {
    const shared = new SharedArrayBuffer(24008);
    const { port1, port2 } = new MessageChannel();
    const twin = await new Promise((resolve) => { port2.onmessage = ({ data }) => resolve(data); port1.postMessage(shared); });
    port1.close();
    expect(twin).not.toBe(shared);
    const data = new Float32Array(shared, 0, 6000);
    data.set(values);
    const out = new Float32Array(twin, 8, 6000);
    reduceSumSquare({ data, dims }, { noopWithEmptyAxes: true, out });
    expect(Array.from(out)).toEqual(squares);
  });

  test('a transposed input into out', () => {
    const out = new Float32Array(6000);
    const y = reduceSumSquare({ ...x, dims: [100, 60], strides: [1, 100] }, { noopWithEmptyAxes: true, out });
    expect(y.data).toBe(out);
    expect(out[1]).toBe(squares[100]);
    expect(out[60]).toBe(squares[1]);
    // In place: element i, j goes to j, i.
    const own = new Float32Array(values);
    reduceSumSquare({ data: own, dims: [100, 60], strides: [1, 100] }, { noopWithEmptyAxes: true, out: own });
    expect(own).toEqual(out);
  });

  test('elements around out stay as they are', () => {
    const frame = new Float32Array(6200).fill(-1);
    reduceSumSquare(x, { noopWithEmptyAxes: true, out: frame.subarray(100, 6100) });
    expect(frame.subarray(0, 100).every((value) => value === -1)).toBe(true);
    expect(frame.subarray(6100).every((value) => value === -1)).toBe(true);
    expect(frame[100]).toBe(squares[0]);
    expect(frame[6099]).toBe(squares[5999]);
  });

  test('an identity copy into out', () => {
    const out = new Float32Array(6000);
    expect(reduceSumSquare(x, { noopWithEmptyAxes: 'identity', out }).data).toBe(out);
    expect(out).toEqual(x.data);
    const own = new Float32Array(values);
    reduceSumSquare({ data: own.subarray(0, 5999), dims: [5999] }, { noopWithEmptyAxes: 'identity', out: own.subarray(1) });
    expect(Array.from(own)).toEqual([values[0], ...values.slice(0, 5999)]);
  });
});

test('a Tensor of its parts', () => {
  const data = new Float32Array(6);
  const tensor = new Tensor('float32', data, [2, 3]);
  expect(tensor.data).toBe(data);
  expect(tensor.size).toBe(6);
  expect(new Tensor('float32', data).dims).toEqual([6]);
  expect(new Tensor('bfloat16', new Uint16Array(2), [2, 1]).type).toBe('bfloat16');
  tensor.dispose();
  expect(tensor.data).toBe(data);
  expect(Tensor.name).toBe('Tensor');
  expect({} instanceof Tensor).toBe(false);
  class Sub extends Tensor {}
  expect(tensor instanceof Sub).toBe(false);
  expect(new Sub('float32', data) instanceof Tensor).toBe(true);
});
