// Every form of input: array classes, realms, buffers, objects.
const vm = require('node:vm');
const { api, arrayOf, bitsOf, expectBits, naiveSumSquare, someValues, typeNames, types } = require('./support/tensors.cjs');

const { reduceSumSquare, reduceLogSum, Tensor } = api;

describe.each(typeNames)('%s', (type) => {
  const values = someValues(12, 5);
  const dims = [3, 4];
  const wanted = naiveSumSquare(values, dims, [1], false);

  test('as an object with data, dims and type', () => {
    const y = reduceSumSquare({ data: arrayOf(type, values), dims, type }, { axes: [1], keepdims: false });
    expect(y).toBeInstanceOf(Tensor);
    expect(y.type).toBe(type);
    expect(y.dims).toEqual([3]);
    expect(y.data).toBeInstanceOf(types[type].ArrayClass);
    expectBits(y.data, arrayOf(type, wanted.values));
  });

  test('with shape and dtype', () => {
    const y = reduceSumSquare({ data: arrayOf(type, values), shape: dims, dtype: type }, { axes: [1], keepdims: false });
    expectBits(y.data, arrayOf(type, wanted.values));
  });

  // 3000 elements do not fit into the control block and are asked for in pieces.
  test.each([12, 3000])('%i elements at a byteOffset, in shared and in resizable memory', (count) => {
    const long = someValues(count, 2);
    const data = arrayOf(type, long);
    const bytes = data.BYTES_PER_ELEMENT;
    const wide = naiveSumSquare(long, [3, count / 3], [0], true);
    const buffers = [
      new ArrayBuffer((count + 9) * bytes),
      new SharedArrayBuffer((count + 9) * bytes),
      new ArrayBuffer((count + 9) * bytes, { maxByteLength: (count + 99) * bytes }),
    ];
    for (const buffer of buffers) {
      const view = new data.constructor(buffer, 5 * bytes, count);
      view.set(data);
      const y = reduceSumSquare({ data: view, dims: [3, count / 3], type }, { axes: 0 });
      expect(y.dims).toEqual([1, count / 3]);
      expectBits(y.data, arrayOf(type, wide.values));
      expect(Object.prototype.toString.call(y.data.buffer)).toBe('[object ArrayBuffer]');
      expectBits(view, data);
    }
  });

  test('the result owns its memory', () => {
    const y = reduceSumSquare({ data: arrayOf(type, values), dims, type }, { axes: [0] });
    const before = bitsOf(y.data);
    expect(y.data.byteLength).toBe(y.data.buffer.byteLength);
    reduceSumSquare({ data: arrayOf(type, someValues(64, 3)), dims: [64], type });
    expect(bitsOf(y.data)).toEqual(before);
  });
});

test('a typed array is a tensor of rank 1', () => {
  const y = reduceSumSquare(new Float32Array([1, 2, 3]));
  expect(y).toEqual(new Tensor('float32', new Float32Array([14]), [1]));
  expect(Object.keys(y)).toEqual(['type', 'dims', 'data']);
  expect(reduceSumSquare(new BigInt64Array([3n, -4n]), { keepdims: false })).toMatchObject({ type: 'int64', dims: [], data: new BigInt64Array([25n]) });
});

test('an empty typed array', () => {
  expect(Array.from(reduceSumSquare(new Float32Array(0)).data)).toEqual([0]);
  expect(Array.from(reduceLogSum(new Float64Array(0)).data)).toEqual([-Infinity]);
});

test('a length-tracking view is taken at the length it has', () => {
  const buffer = new ArrayBuffer(16, { maxByteLength: 64 });
  const view = new Int32Array(buffer);
  view.fill(2);
  expect(reduceSumSquare(view).data[0]).toBe(16);
  buffer.resize(40);
  view.fill(2);
  expect(reduceSumSquare(view).data[0]).toBe(40);
});

describe('arrays of another realm', () => {
  const realm = vm.createContext({});
  const foreign = (code) => vm.runInContext(code, realm);

  test('typed arrays, objects, options', () => {
    const data = foreign('new Float32Array([1, 2, 3, 4, 5, 6])');
    expect(data).not.toBeInstanceOf(Float32Array);
    const y = reduceSumSquare({ data, dims: foreign('[2, 3]') }, { axes: foreign('[1]'), keepdims: false });
    expect(Array.from(y.data)).toEqual([14, 77]);
    expect(y.data).toBeInstanceOf(Float32Array);
    const options = foreign('({ axes: new BigInt64Array([-2n]) })');
    expect(Array.from(reduceSumSquare({ data, dims: [2, 3] }, options).data)).toEqual([17, 29, 45]);
    expect(Array.from(reduceSumSquare(foreign('new BigUint64Array([2n, 3n])')).data)).toEqual([13n]);
    expect(reduceSumSquare(foreign('new Int32Array(new SharedArrayBuffer(8))')).data[0]).toBe(0);
  });

  test('a large one', () => {
    const data = foreign('new Float64Array(5000).fill(2)');
    expect(reduceSumSquare(data).data[0]).toBe(20000);
  });
});

test('a subclass is read by its slots, not by what it overrides', () => {
  class Sly extends Float32Array {
    get length() { return 1; }
    get buffer() { return new ArrayBuffer(0); }
    get byteOffset() { return 4; }
    subarray() { throw new Error('called'); }
    static get [Symbol.species]() { throw new Error('called'); }
    get [Symbol.toStringTag]() { return 'Int32Array'; }
  }
  Object.defineProperty(Sly.prototype, 'constructor', { get() { throw new Error('called'); } });
  expect(reduceSumSquare(new Sly([1, 2, 3])).data[0]).toBe(14);
  expect(reduceSumSquare(new Sly(3000).fill(1)).data[0]).toBe(3000);
});

describe('Float16Array', () => {
  // @petamoriken/float16 as the engine may have none; the native one in addition.
  const { Float16Array: Polyfill } = require('@petamoriken/float16');
  const classes = [['of a polyfill', Polyfill], ...(globalThis.Float16Array ? [['of the engine', globalThis.Float16Array]] : [])];

  test.each(classes)('%s comes back as the class that went in', (_, Float16) => {
    const values = [0.5, 1, 2, 3];
    const plain = reduceSumSquare(new Float16(values));
    expect(plain.type).toBe('float16');
    expect(plain.data.constructor).toBe(Float16);
    expect(Array.from(plain.data)).toEqual([14.25]);
    const rows = reduceSumSquare({ data: new Float16(values), dims: [2, 2] }, { axes: 1 });
    expect(rows.data.constructor).toBe(Float16);
    expect(Array.from(rows.data)).toEqual([1.25, 13]);
    const long = new Float16(6000).fill(2);
    expect(Array.from(reduceSumSquare({ data: long, dims: [2000, 3] }, { axes: 0 }).data)).toEqual([8000, 8000, 8000]);
    const odd = new Float16(new Float16([9, 1, 2]).buffer, 2, 2);
    expect(Array.from(reduceSumSquare(odd).data)).toEqual([5]);
  });

  test.each(classes)('%s as out', (_, Float16) => {
    const out = new Float16(1);
    const y = reduceSumSquare(new Float16([1, 2]), { out });
    expect(y.data).toBe(out);
    expect(out[0]).toBe(5);
    const large = new Float16(3000);
    const squares = reduceSumSquare(new Float16(3000).fill(3), { noopWithEmptyAxes: true, out: large });
    expect(squares.data).toBe(large);
    expect(large[2999]).toBe(9);
  });

  test('bits of float16 in a Uint16Array give bits', () => {
    const y = reduceSumSquare({ data: new Uint16Array([0x3c00, 0x4000]), dims: [2], type: 'float16' });
    expect(y.data).toEqual(new Uint16Array([0x4500]));
  });
});

test('a tensor of onnxruntime passes as it is', () => {
  const { Tensor: OrtTensor } = require('onnxruntime-common');
  const x = new OrtTensor('float32', new Float32Array([1, 2, 3, 4, 5, 6]), [2, 3]);
  expect(Array.from(reduceSumSquare(x, { axes: [1], keepdims: false }).data)).toEqual([14, 77]);
  const long = new OrtTensor('int64', new BigInt64Array([5n, -5n]), [2]);
  expect(Array.from(reduceSumSquare(long).data)).toEqual([50n]);
  const half = new OrtTensor('float16', new Uint16Array([0x3c00]), [1]);
  expect(reduceSumSquare(half).type).toBe('float16');
});

test('an ndarray passes as it is, transposed, sliced and reversed', () => {
  const ndarray = require('ndarray');
  const x = ndarray(new Float64Array([1, 2, 3, 4, 5, 6]), [2, 3]);
  const rows = (view) => Array.from(reduceSumSquare(view, { axes: [-1], keepdims: false }).data);
  expect(rows(x)).toEqual([14, 77]);
  expect(rows(x.transpose(1, 0))).toEqual([17, 29, 45]);
  expect(rows(x.step(-1, -1))).toEqual([77, 14]);
  expect(rows(x.lo(0, 1))).toEqual([13, 61]);
  expect(rows(x.pick(1, null))).toEqual([77]);
  const long = ndarray(new BigInt64Array([1n, 2n]), [2]);
  expect(reduceSumSquare(long).type).toBe('int64');
});

test('dims and axes of every integer kind', () => {
  const data = new Float32Array([1, 2, 3, 4, 5, 6]);
  for (const dims of [[2, 3], [2n, 3n], new Int32Array([2, 3]), new BigInt64Array([2n, 3n]), new Uint8Array([2, 3])]) {
    for (const axes of [1, -1, 1n, [1], [1n], [1, -1], new Int32Array([1]), new BigInt64Array([-1n]), new Int8Array([-1])]) {
      const y = reduceSumSquare({ data, dims }, { axes, keepdims: false });
      expect(y.dims).toEqual([2]);
      expect(Array.from(y.data)).toEqual([14, 77]);
    }
  }
});

test('any rank', () => {
  const data = new Float32Array([3, 4]);
  expect(reduceSumSquare({ data: new Float32Array([3]), dims: [] })).toMatchObject({ dims: [], data: new Float32Array([9]) });
  const many = Array.from({ length: 200 }, () => 1);
  many[77] = 2;
  const y = reduceSumSquare({ data, dims: many }, { axes: [0, 199] });
  expect(y.dims).toEqual(many);
  expect(Array.from(y.data)).toEqual([9, 16]);
  const all = reduceSumSquare({ data, dims: many }, { axes: [77], keepdims: false });
  expect(all.dims).toEqual(many.filter((dim) => dim === 1));
  expect(Array.from(all.data)).toEqual([25]);
});

test('empty tensors of absurd dims cost nothing', () => {
  const y = reduceSumSquare({ data: new Float32Array(0), dims: [2 ** 52, 0, 2 ** 52, 3] }, { axes: [0, 2], keepdims: false });
  expect(y.dims).toEqual([0, 3]);
  expect(y.data).toHaveLength(0);
  const ones = reduceLogSum({ data: new Float32Array(0), dims: [2, 0, 3000] }, { axes: [1] });
  expect(ones.dims).toEqual([2, 1, 3000]);
  expect(ones.data.every((value) => value === -Infinity)).toBe(true);
  expect(ones.data).toHaveLength(6000);
});

test('properties of the caller are read once each', () => {
  const reads = [];
  const spy = (target) => new Proxy(target, { get: (object, key) => { reads.push(key); return Reflect.get(object, key); } });
  const input = spy({ data: new Float32Array([1, 2, 3, 4]), dims: spy([2, 2]), type: 'float32', strides: spy([1, 2]), offset: 0 });
  const options = spy({ axes: spy([0]), keepdims: false, noopWithEmptyAxes: false, opset: 18, out: spy({ data: new Float32Array(2), dims: [2] }) });
  expect(Array.from(reduceSumSquare(input, options).data)).toEqual([5, 25]);
  const counts = new Map();
  for (const key of reads.filter((name) => typeof name === 'string')) counts.set(key, (counts.get(key) ?? 0) + 1);
  expect(counts.get('keepdims')).toBe(1);
  expect(counts.get('noopWithEmptyAxes')).toBe(1);
  expect(counts.get('opset')).toBe(1);
  expect(counts.get('axes')).toBe(1);
  // The input's and out's.
  expect(counts.get('data')).toBe(2);
  expect(counts.get('dims')).toBe(2);
});

test('getters that call the operators themselves do not disturb the outer call', () => {
  const inner = () => reduceSumSquare({ data: new Float32Array(5000).fill(3), dims: [50, 100] }, { axes: [0] });
  const x = {
    get data() { inner(); return new Float32Array([1, 2, 3, 4, 5, 6]); },
    get dims() { inner(); const dims = [2, 3]; Object.defineProperty(dims, 1, { get() { inner(); return 3; } }); return dims; },
    get type() { inner(); return 'float32'; },
  };
  const options = {
    get axes() { inner(); return [1]; },
    get keepdims() { inner(); return false; },
    get out() { inner(); return { get data() { inner(); return new Float32Array(2); }, dims: [2] }; },
  };
  expect(Array.from(reduceSumSquare(x, options).data)).toEqual([14, 77]);
});
