// Typed arrays from numbers or bits, and the reductions in plain JavaScript.
const { readFileSync } = require('node:fs');
const path = require('node:path');

const api = require('../../../dist/index.cjs');

/** Everything a test needs to know of each type; sample values are exact in all of them. */
const types = {
  float32: { ArrayClass: Float32Array, bytes: 4, integer: false },
  float64: { ArrayClass: Float64Array, bytes: 8, integer: false },
  float16: { ArrayClass: Uint16Array, bytes: 2, integer: false },
  bfloat16: { ArrayClass: Uint16Array, bytes: 2, integer: false },
  int32: { ArrayClass: Int32Array, bytes: 4, integer: true },
  uint32: { ArrayClass: Uint32Array, bytes: 4, integer: true },
  int64: { ArrayClass: BigInt64Array, bytes: 8, integer: true },
  uint64: { ArrayClass: BigUint64Array, bytes: 8, integer: true },
};
const typeNames = Object.keys(types);

const operators = { ReduceSumSquare: api.reduceSumSquare, ReduceLogSum: api.reduceLogSum };

/** The bits of a small integer in float16 or bfloat16. */
function shortFloatBits(type, value) {
  if (type === 'bfloat16') return new Uint32Array(new Float32Array([value]).buffer)[0] >>> 16;
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  return (value < 0 ? 0x8000 : 0) + ((exponent + 15) << 10) + (Math.abs(value) / 2 ** exponent - 1) * 1024;
}

/** A typed array of that type from small integers. */
function arrayOf(type, values) {
  const { ArrayClass, bytes } = types[type];
  if (bytes === 8 && type !== 'float64') return ArrayClass.from(values, BigInt);
  if (bytes === 2) return ArrayClass.from(values, (value) => shortFloatBits(type, value));
  return ArrayClass.from(values);
}

/** A typed array from storage bits in hex. */
function fromBits(type, hex) {
  const { ArrayClass, bytes } = types[type];
  const view = new DataView(new ArrayBuffer(hex.length * bytes));
  hex.forEach((text, i) => {
    if (bytes === 8) view.setBigUint64(8 * i, BigInt(text), true);
    else if (bytes === 4) view.setUint32(4 * i, Number(text), true);
    else view.setUint16(2 * i, Number(text), true);
  });
  return new ArrayClass(view.buffer);
}

/** The storage bits of an array, in hex as the case files have them. */
function bitsOf(array) {
  const bytes = array.BYTES_PER_ELEMENT;
  const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
  const bits = [];
  for (let at = 0; at < array.byteLength; at += bytes) {
    const value = bytes === 8 ? view.getBigUint64(at, true) : bytes === 4 ? view.getUint32(at, true) : view.getUint16(at, true);
    bits.push(`0x${value.toString(16).padStart(bytes * 2, '0')}`);
  }
  return bits;
}

const bytesOf = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

/** Expects two arrays of one class to have the same bits. Quick where they do, readable where not. */
function expectBits(array, wanted) {
  expect(array.constructor).toBe(wanted.constructor);
  if (bytesOf(array).equals(bytesOf(wanted))) expect(array).toHaveLength(wanted.length);
  else expect(bitsOf(array)).toEqual(bitsOf(wanted));
}

const product = (dims) => dims.reduce((count, dim) => count * dim, 1);

/** C-order strides. */
function denseStrides(dims) {
  const strides = [];
  let step = 1;
  for (let i = dims.length - 1; i >= 0; i--) {
    strides.unshift(step);
    step *= dims[i];
  }
  return strides;
}

/** Calls back with the index of every element, in C order. */
function forEachIndex(dims, callback) {
  const index = dims.map(() => 0);
  for (let left = product(dims); left > 0; left--) {
    callback(index);
    for (let i = dims.length - 1; i >= 0; i--) {
      if (++index[i] < dims[i]) break;
      index[i] = 0;
    }
  }
}

/** The elements of a strided view in C order, copied one by one. */
function densify(data, dims, strides, offset) {
  const dense = new data.constructor(product(dims));
  let to = 0;
  forEachIndex(dims, (index) => {
    dense[to++] = data[index.reduce((sum, i, axis) => sum + i * strides[axis], offset)];
  });
  return dense;
}

/** The sum of squares of small integers by plain loops: values of the result, and its dims. */
function naiveSumSquare(values, dims, axes, keepdims) {
  const reduced = dims.map((_, axis) => axes.some((given) => (given < 0 ? given + dims.length : given) === axis));
  const resultDims = dims.map((dim, axis) => (reduced[axis] ? 1 : dim));
  const strides = denseStrides(resultDims);
  const sums = new Array(product(resultDims)).fill(0);
  let from = 0;
  forEachIndex(dims, (index) => {
    const to = index.reduce((sum, i, axis) => sum + (reduced[axis] ? 0 : i * strides[axis]), 0);
    sums[to] += values[from] * values[from];
    from++;
  });
  return { values: sums, dims: keepdims ? resultDims : resultDims.filter((_, axis) => !reduced[axis]) };
}

/** What a function throws; fails the test when it throws nothing. */
function thrownBy(callback) {
  try {
    callback();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** Small integers that repeat after a while, so that no two neighbours are alike. */
const someValues = (count, modulus = 7) => Array.from({ length: count }, (_, i) => (i * 5 + (i >> 3)) % modulus + 1);

const dataFile = (...names) => readFileSync(path.join(__dirname, '../../data', ...names));

module.exports = {
  api, arrayOf, bitsOf, dataFile, denseStrides, densify, expectBits, forEachIndex, fromBits, naiveSumSquare, operators, product,
  someValues, thrownBy, typeNames, types,
};
