// Bad input, row by row: class, code, what the message names, and that nothing
// is changed by it.
const { api, bitsOf, thrownBy } = require('./support/tensors.cjs');

const { reduceSumSquare, reduceLogSum, allocate, Tensor, ReduceError } = api;

const x = { data: new Float32Array([1, 2, 3, 4, 5, 6]), dims: [2, 3] };
const reduce = (options) => () => reduceSumSquare(x, options);
const input = (value) => () => reduceSumSquare(value);
const view = (strides, offset) => input({ ...x, strides, offset });

const detached = new Float32Array([1, 2]);
structuredClone(detached.buffer, { transfer: [detached.buffer] });
const shrunk = new Float32Array(new ArrayBuffer(64, { maxByteLength: 64 }), 32);
shrunk.buffer.resize(16);

const revoked = Proxy.revocable([], {});
revoked.revoke();
// An array that says of itself what no array can.
const lying = (length) => new Proxy([1], { get: (list, key) => (key === 'length' ? length : list[key]) });
const huge = new Array(20).fill(2 ** 52);
const wordless = Object.create(null);

// [what, the call, its class, its code, what the message must contain]
const rows = [
  ['no input', input(undefined), TypeError, 'WRONG_INPUT', 'undefined'],
  ['null', input(null), TypeError, 'WRONG_INPUT', 'null'],
  ['a number', input(3), TypeError, 'WRONG_INPUT', '3'],
  ['an array of numbers', input([1, 2]), TypeError, 'WRONG_INPUT', 'an array'],
  ['a function', input(() => 1), TypeError, 'WRONG_INPUT', 'a function'],
  ['a symbol', input(Symbol('s')), TypeError, 'WRONG_INPUT', 'Symbol(s)'],
  ['data that is an array', input({ data: [1, 2], dims: [2], type: 'float32' }), TypeError, 'WRONG_DATA', 'an array'],
  ['data missing', input({ dims: [2] }), TypeError, 'WRONG_DATA', 'undefined'],
  ['a DataView', input(new DataView(new ArrayBuffer(8))), TypeError, 'WRONG_DATA', 'DataView'],
  ['a Buffer', input(Buffer.from('abcd')), TypeError, 'WRONG_DATA', 'float32, float64, float16, bfloat16, int32, uint32, int64, uint64'],
  ['an Int16Array', input({ data: new Int16Array(2), dims: [2] }), TypeError, 'WRONG_DATA', 'Int16Array'],
  ['a Uint8ClampedArray', input(new Uint8ClampedArray(2)), TypeError, 'WRONG_DATA', 'Uint8ClampedArray'],
  ['a Uint16Array without a type', input(new Uint16Array(2)), TypeError, 'TYPE_REQUIRED', '\'float16\' or \'bfloat16\''],
  ['a Uint16Array with dims only', input({ data: new Uint16Array(2), dims: [2] }), TypeError, 'TYPE_REQUIRED', 'bfloat16'],
  ['type uint16', input({ data: new Uint16Array(2), shape: [2], dtype: 'uint16' }), TypeError, 'UNKNOWN_TYPE', 'uint16'],
  ['an unknown type', input({ ...x, type: 'float8' }), TypeError, 'UNKNOWN_TYPE', 'float8'],
  ['a type that has no text', input({ ...x, type: wordless }), TypeError, 'UNKNOWN_TYPE', 'is an object'],
  ['a type whose text is no text', input({ ...x, dtype: { toString: () => ({}) } }), TypeError, 'UNKNOWN_TYPE', 'is an object'],
  ['a type whose text throws', input({ ...x, type: { toString() { throw new Error('mine'); } } }), TypeError, 'UNKNOWN_TYPE', 'is an object'],
  ['a type that is a boxed symbol', input({ ...x, type: Object(Symbol('s')) }), TypeError, 'UNKNOWN_TYPE', 'is an object'],
  ['a type that is a long array', input({ ...x, type: new Array(2 ** 32 - 1) }), TypeError, 'UNKNOWN_TYPE', 'is an array'],
  ['a type that is another object', input({ ...x, type: new Date(0) }), TypeError, 'UNKNOWN_TYPE', 'is an object'],
  ['type and data disagree', input({ ...x, type: 'int32' }), TypeError, 'TYPE_MISMATCH', 'Float32Array'],
  ['bytes called float32', input({ data: new Uint8Array(8), dims: [2], type: 'float32' }), TypeError, 'TYPE_MISMATCH', 'Uint8Array'],
  ['a Float32Array called float16', input({ ...x, type: 'float16' }), TypeError, 'TYPE_MISMATCH', 'float16'],
  ['detached data', input(detached), TypeError, 'DETACHED', 'transferred'],
  ['data shrunk away', input(shrunk), TypeError, 'DETACHED', 'shrunk'],
  ['detached data with dims', input({ data: detached, dims: [2] }), TypeError, 'DETACHED', 'transferred'],
  ['dims missing', input({ data: x.data }), TypeError, 'WRONG_DIMS', 'dims'],
  ['dims no array', input({ ...x, dims: 6 }), TypeError, 'WRONG_DIMS', '6'],
  ['dims of floats', input({ ...x, dims: new Float32Array([2, 3]) }), TypeError, 'WRONG_DIMS', 'Float32Array'],
  ['dims in a revoked Proxy', input({ ...x, dims: revoked.proxy }), TypeError, 'WRONG_DIMS', 'an object'],
  ['dims of length 1.5', input({ ...x, dims: lying(1.5) }), TypeError, 'WRONG_DIMS', '1.5'],
  ['dims of length -1', input({ ...x, dims: lying(-1) }), TypeError, 'WRONG_DIMS', '-1'],
  ['dims of length 2^40', input({ ...x, dims: lying(2 ** 40) }), TypeError, 'WRONG_DIMS', '1099511627776'],
  ['dims of length "2"', input({ ...x, dims: lying('2') }), TypeError, 'WRONG_DIMS', '"2"'],
  ['100000 dims', input({ ...x, dims: new Array(100000).fill(1) }), RangeError, 'SIZE_MISMATCH', '1, ... 100000 in all] make 1 elements'],
  ['a negative dim', input({ ...x, dims: [-2, -3] }), RangeError, 'DIM_OUT_OF_RANGE', '-2'],
  ['a fractional dim', input({ ...x, dims: [1.5, 4] }), RangeError, 'DIM_OUT_OF_RANGE', '1.5'],
  ['a NaN dim', input({ ...x, dims: [NaN] }), RangeError, 'DIM_OUT_OF_RANGE', 'NaN'],
  ['a dim of 2^53', input({ ...x, dims: [2 ** 53] }), RangeError, 'DIM_OUT_OF_RANGE', '2^53'],
  ['a bigint dim of 2^53', input({ ...x, dims: [2n ** 53n] }), RangeError, 'DIM_OUT_OF_RANGE', '9007199254740992n'],
  ['an infinite dim', input({ ...x, dims: [Infinity] }), RangeError, 'DIM_OUT_OF_RANGE', 'Infinity'],
  ['a dim that is text', input({ ...x, dims: ['2', 3] }), RangeError, 'DIM_OUT_OF_RANGE', '"2"'],
  ['a hole in the dims', input({ ...x, dims: [, 6] }), RangeError, 'DIM_OUT_OF_RANGE', 'undefined'],
  ['dims whose product passes 2^53', input({ ...x, dims: [2 ** 27, 2 ** 27] }), RangeError, 'SIZE_OUT_OF_RANGE', '2^53'],
  ['dims whose product is 2^64', input({ data: new Float32Array(0), dims: [2 ** 32, 2 ** 32] }), RangeError, 'SIZE_OUT_OF_RANGE', '2^53'],
  ['too much data', input({ ...x, dims: [2, 2] }), RangeError, 'SIZE_MISMATCH', 'data has 6'],
  ['too little data', input({ ...x, dims: [2, 4] }), RangeError, 'SIZE_MISMATCH', '8 elements'],
  ['a scalar of six elements', input({ ...x, dims: [] }), RangeError, 'SIZE_MISMATCH', '1 elements'],
  ['strides past the end', view([4, 1], 0), RangeError, 'STRIDE_OUT_OF_RANGE', 'data has 6'],
  ['strides before the start', view([-3, 1], 0), RangeError, 'STRIDE_OUT_OF_RANGE', '-3'],
  ['too few strides', view([1], 0), RangeError, 'STRIDE_OUT_OF_RANGE', '1 strides for 2 dims'],
  ['a fractional stride', view([3, 0.5], 0), RangeError, 'STRIDE_OUT_OF_RANGE', '0.5'],
  ['strides no array', view('31', 0), TypeError, 'WRONG_DIMS', '"31"'],
  ['strides of length NaN', view(lying(NaN), 0), TypeError, 'WRONG_DIMS', 'NaN'],
  ['strides in a revoked Proxy', view(revoked.proxy, 0), TypeError, 'WRONG_DIMS', 'an object'],
  ['a negative offset', view([3, 1], -1), RangeError, 'STRIDE_OUT_OF_RANGE', '-1'],
  ['an offset past the end', view([3, 1], 6), RangeError, 'STRIDE_OUT_OF_RANGE', '6'],
  ['an offset without strides past the end', input({ ...x, offset: 1 }), RangeError, 'SIZE_MISMATCH', '6'],
  ['options a number', reduce(1), TypeError, 'WRONG_OPTIONS', '1'],
  ['options an array', reduce([1]), TypeError, 'WRONG_OPTIONS', 'an array'],
  ['options a typed array', reduce(new Int32Array(0)), TypeError, 'WRONG_OPTIONS', 'Int32Array'],
  ['keepDims', reduce({ keepDims: false }), TypeError, 'UNKNOWN_OPTION', 'did you mean "keepdims"'],
  ['keepdim', reduce({ keepdim: false }), TypeError, 'UNKNOWN_OPTION', 'did you mean "keepdims"'],
  ['axis', reduce({ axis: 0 }), TypeError, 'UNKNOWN_OPTION', 'did you mean "axes"'],
  ['noop_with_empty_axes', reduce({ noop_with_empty_axes: 1 }), TypeError, 'UNKNOWN_OPTION', 'noopWithEmptyAxes'],
  ['an option of another kind', reduce({ colour: 1 }), TypeError, 'UNKNOWN_OPTION', 'axes, keepdims, noopWithEmptyAxes, opset, out'],
  ['axes as text', reduce({ axes: '1' }), TypeError, 'WRONG_AXES', '"1"'],
  ['axes true', reduce({ axes: true }), TypeError, 'WRONG_AXES', 'true'],
  ['axes in an object', reduce({ axes: { 0: 1, length: 1 } }), TypeError, 'WRONG_AXES', 'an object'],
  ['axes in a Float32Array', reduce({ axes: new Float32Array([1]) }), TypeError, 'WRONG_AXES', 'Float32Array'],
  ['an axis that is text', reduce({ axes: ['1'] }), TypeError, 'WRONG_AXES', '"1"'],
  ['an axis that is null', reduce({ axes: [null] }), TypeError, 'WRONG_AXES', 'null'],
  ['an axis in an array', reduce({ axes: [[1]] }), TypeError, 'WRONG_AXES', 'an array'],
  ['axes in a revoked Proxy', reduce({ axes: revoked.proxy }), TypeError, 'WRONG_AXES', 'an object'],
  ['axes of length 2^40', reduce({ axes: lying(2 ** 40) }), TypeError, 'WRONG_AXES', '1099511627776'],
  ['an axis that is a revoked Proxy', reduce({ axes: [revoked.proxy] }), TypeError, 'WRONG_AXES', 'an object'],
  ['NaN as an axis', reduce({ axes: [NaN] }), RangeError, 'AXIS_NOT_INTEGER', 'NaN'],
  ['NaN as the only axis', reduce({ axes: NaN }), RangeError, 'AXIS_NOT_INTEGER', 'NaN'],
  ['a fractional axis', reduce({ axes: [0.5] }), RangeError, 'AXIS_NOT_INTEGER', '0.5'],
  ['an infinite axis', reduce({ axes: [-Infinity] }), RangeError, 'AXIS_NOT_INTEGER', '-Infinity'],
  ['an axis too large', reduce({ axes: [2] }), RangeError, 'AXIS_OUT_OF_RANGE', 'axis 2 is out of range for rank 2; allowed are -2 to 1'],
  ['an axis too small', reduce({ axes: -3 }), RangeError, 'AXIS_OUT_OF_RANGE', '-3'],
  ['an axis of 2^32', reduce({ axes: [2 ** 32] }), RangeError, 'AXIS_OUT_OF_RANGE', '4294967296'],
  ['a bigint axis of 2^64', reduce({ axes: [2n ** 64n] }), RangeError, 'AXIS_OUT_OF_RANGE', '18446744073709552000'],
  ['the second axis out of range', reduce({ axes: [0, 5] }), RangeError, 'AXIS_OUT_OF_RANGE', '5'],
  ['an axis of a scalar', () => reduceLogSum({ data: new Float32Array(1), dims: [] }, { axes: [0] }), RangeError, 'AXIS_OUT_OF_RANGE', 'rank 0'],
  ['keepdims 2', reduce({ keepdims: 2 }), TypeError, 'WRONG_KEEPDIMS', '2'],
  ['keepdims null', reduce({ keepdims: null }), TypeError, 'WRONG_KEEPDIMS', 'null'],
  ['keepdims "true"', reduce({ keepdims: 'true' }), TypeError, 'WRONG_KEEPDIMS', '"true"'],
  ['keepdims 1n', reduce({ keepdims: 1n }), TypeError, 'WRONG_KEEPDIMS', '1n'],
  ['noopWithEmptyAxes 2', reduce({ noopWithEmptyAxes: 2 }), TypeError, 'WRONG_NOOP', '2'],
  ['noopWithEmptyAxes "yes"', reduce({ noopWithEmptyAxes: 'yes' }), TypeError, 'WRONG_NOOP', '"yes"'],
  ['noop before opset 18', reduce({ noopWithEmptyAxes: true, opset: 17 }), TypeError, 'NOOP_NOT_ALLOWED', '17'],
  ['identity before opset 18, with axes', reduce({ axes: [0], noopWithEmptyAxes: 'identity', opset: 13 }), TypeError, 'NOOP_NOT_ALLOWED', '13'],
  ['opset 0', reduce({ opset: 0 }), RangeError, 'OPSET_OUT_OF_RANGE', '0'],
  ['opset -1', reduce({ opset: -1 }), RangeError, 'OPSET_OUT_OF_RANGE', '-1'],
  ['opset 1.5', reduce({ opset: 1.5 }), RangeError, 'OPSET_OUT_OF_RANGE', '1.5'],
  ['opset NaN', reduce({ opset: NaN }), RangeError, 'OPSET_OUT_OF_RANGE', 'NaN'],
  ['opset "18"', reduce({ opset: '18' }), RangeError, 'OPSET_OUT_OF_RANGE', '"18"'],
  ['bfloat16 in opset 12', () => reduceLogSum({ data: new Uint16Array(1), dims: [1], type: 'bfloat16' }, { opset: 12 }), TypeError, 'TYPE_NOT_ALLOWED', 'bfloat16 is not allowed in opset 12'],
  ['integers in ReduceLogSum 28', () => reduceLogSum(new Int32Array(1), { opset: 28 }), TypeError, 'TYPE_NOT_ALLOWED', 'float32, float64, float16, bfloat16'],
  ['out a number', reduce({ out: 3 }), TypeError, 'WRONG_OUT', 'out'],
  ['out an array', reduce({ out: [0] }), TypeError, 'WRONG_OUT', 'an array'],
  ['out of bytes', reduce({ out: new Uint8Array(4) }), TypeError, 'WRONG_DATA', 'out'],
  ['out of another type', reduce({ out: new Float64Array(1) }), RangeError, 'OUT_MISMATCH', 'float64'],
  ['out too large', reduce({ out: new Float32Array(2) }), RangeError, 'OUT_MISMATCH', '1 elements'],
  ['out too small', reduce({ axes: [1], out: new Float32Array(1) }), RangeError, 'OUT_MISMATCH', '2 elements'],
  ['out of another shape', reduce({ noopWithEmptyAxes: true, out: { data: new Float32Array(6), dims: [3, 2] } }), RangeError, 'OUT_MISMATCH', '[3, 2]'],
  ['out with strides', reduce({ noopWithEmptyAxes: true, out: { data: new Float32Array(6), dims: [2, 3], strides: [1, 2] } }), TypeError, 'WRONG_OUT', 'C order'],
  ['out detached', reduce({ out: detached }), TypeError, 'DETACHED', 'out'],
  ['a result too large for the engine', () => reduceSumSquare({ data: new Float32Array(0), dims: [2 ** 50, 0] }, { axes: [1] }), RangeError, 'OUT_OF_MEMORY', String(2 ** 50)],
  ['a result beyond all numbers', () => reduceSumSquare({ data: new Float32Array(0), dims: [...huge, 0] }, { axes: [-1] }), RangeError, 'OUT_OF_MEMORY', 'Infinity'],
  ['allocate too much', () => allocate('float32', [2 ** 30]), RangeError, 'OUT_OF_MEMORY', '4294967296 bytes'],
  ['allocate 2^32 + 16 bytes', () => allocate('float32', [2 ** 30 + 4]), RangeError, 'OUT_OF_MEMORY', '4294967312 bytes'],
  ['allocate an unknown type', () => allocate('double', [2]), TypeError, 'UNKNOWN_TYPE', 'double'],
  ['allocate without dims', () => allocate('float32'), TypeError, 'WRONG_DIMS', 'undefined'],
  ['allocate a negative dim', () => allocate('float32', [-1]), RangeError, 'DIM_OUT_OF_RANGE', '-1'],
  ['Tensor of an unknown type', () => new Tensor('int8', new Int8Array(1), [1]), TypeError, 'UNKNOWN_TYPE', 'int8'],
  ['Tensor of the wrong array', () => new Tensor('float32', new Float64Array(1), [1]), TypeError, 'TYPE_MISMATCH', 'Float64Array'],
  ['Tensor without data', () => new Tensor('float32'), TypeError, 'WRONG_DATA', 'undefined'],
  ['Tensor of a Proxy of an array', () => new Tensor('float32', new Proxy(new Float32Array(1), {})), TypeError, 'WRONG_DATA', 'an object'],
  ['Tensor of the wrong size', () => new Tensor('float32', new Float32Array(1), [2]), RangeError, 'SIZE_MISMATCH', '2 elements'],
];

const owner = /^(ReduceSumSquare|ReduceLogSum|allocate|Tensor): /;

test.each(rows)('%s', (_, call, kind, code, mention) => {
  const before = bitsOf(x.data);
  const error = thrownBy(call);
  expect(error).toBeInstanceOf(kind);
  expect(error).toBeInstanceOf(ReduceError);
  expect(error.code).toBe(code);
  expect(error.message).toContain(mention);
  expect(error.message).toMatch(owner);
  expect(error.message).not.toContain('\n');
  expect(error.message.length).toBeLessThan(300);
  expect(bitsOf(x.data)).toEqual(before);
  // The next call is right.
  expect(Array.from(reduceSumSquare(x, { axes: [1] }).data)).toEqual([14, 77]);
});

test('every code is tried here or where its subject is', () => {
  const elsewhere = ['WRONG_THREADS', 'DISPOSED', 'WASM_UNAVAILABLE', 'WASM_NOT_LOADED', 'INTERNAL'];
  const { readFileSync } = require('node:fs');
  const source = readFileSync(require.resolve('../../bindings/errors.ts'), 'utf8');
  const codes = [...source.matchAll(/^ {2}\| '([A-Z_]+)'/gm)].map(([, code]) => code).filter((code) => !elsewhere.includes(code));
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => !rows.some((row) => row[3] === code))).toEqual([]);
});

test('ReduceError is no name for other errors', () => {
  expect(new TypeError('x')).not.toBeInstanceOf(ReduceError);
  expect(new RangeError('x')).not.toBeInstanceOf(ReduceError);
  expect(null instanceof ReduceError).toBe(false);
  expect(undefined instanceof ReduceError).toBe(false);
  expect(ReduceError.name).toBe('ReduceError');
  const error = thrownBy(input(3));
  expect(String(error)).toMatch(/^TypeError: ReduceSumSquare: /);
  expect(error.constructor.name).toBe('ReduceTypeError');
});

test('a message survives values that refuse to be printed', () => {
  const nasty = { get [Symbol.toPrimitive]() { throw new Error('printed'); }, get [Symbol.toStringTag]() { throw new Error('printed'); }, toString() { throw new Error('printed'); } };
  expect(thrownBy(reduce({ axes: nasty })).code).toBe('WRONG_AXES');
  expect(thrownBy(reduce({ axes: [nasty] })).code).toBe('WRONG_AXES');
  expect(thrownBy(reduce({ keepdims: nasty })).code).toBe('WRONG_KEEPDIMS');
  expect(thrownBy(reduce({ axes: 'x'.repeat(10000) })).message.length).toBeLessThan(200);
  expect(thrownBy(reduce({ axes: [10n ** 3000n] })).code).toBe('AXIS_OUT_OF_RANGE');
});

test('what a getter of the caller throws comes out as it is', () => {
  const mine = new Error('mine');
  const thrower = (key, base) => Object.defineProperty({ ...base }, key, { get() { throw mine; }, enumerable: true });
  for (const key of ['data', 'dims', 'type', 'strides', 'offset']) expect(thrownBy(input(thrower(key, x)))).toBe(mine);
  for (const key of ['axes', 'keepdims', 'noopWithEmptyAxes', 'opset', 'out']) expect(thrownBy(reduce(thrower(key, {})))).toBe(mine);
  expect(reduceSumSquare(x).data[0]).toBe(91);
});

// Newer engines have no such limit, and would really make these 16 GB.
const limit = require('node:buffer').constants.MAX_LENGTH;
(limit <= 2 ** 32 ? test : test.skip)('a result that an array has room for and a view of its bytes has not', () => {
  for (const options of [{ axes: [1] }, { axes: [1], keepdims: false }]) {
    const error = thrownBy(() => reduceLogSum({ data: new Float32Array(0), dims: [limit, 0] }, options));
    expect(error.code).toBe('OUT_OF_MEMORY');
    expect(error.message).toContain(`${limit} elements`);
  }
});

test('dims beyond all numbers are none with a 0 among them', () => {
  const data = new Float32Array(0);
  const dims = [...huge, 0, 0];
  const options = [{ axes: [-1] }, { noopWithEmptyAxes: true }, { noopWithEmptyAxes: 'identity' }];
  for (const each of options) expect(reduceLogSum({ data, dims }, each).data).toHaveLength(0);
  expect(new Tensor('float32', data, dims).size).toBe(0);
  const tensor = allocate('float32', dims);
  expect([tensor.size, tensor.data.length]).toEqual([0, 0]);
  tensor.dispose();
});

test('a getter that detaches the data does not get past the check', () => {
  for (const count of [4, 5000]) {
    const data = new Float32Array(count).fill(1);
    const error = thrownBy(() => reduceSumSquare({ data, dims: [count] }, {
      get axes() { structuredClone(data.buffer, { transfer: [data.buffer] }); return [0]; },
    }));
    expect(error.code).toBe('DETACHED');
    expect(reduceSumSquare(x).data[0]).toBe(91);
  }
});
