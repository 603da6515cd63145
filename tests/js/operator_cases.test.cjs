// Every case of operator-cases.json, bit for bit, by each way in.
const { api, bitsOf, dataFile, fromBits, operators, product, thrownBy } = require('./support/tensors.cjs');

const cases = JSON.parse(dataFile('operator-cases.json'));

function inputOf({ dtype, dims, data, repeat }) {
  const hex = repeat === undefined ? data : Array.from({ length: repeat }, () => data[0]);
  return { data: fromBits(dtype, hex), dims, type: dtype };
}

function optionsOf({ axes, keepdims, noop, opset }) {
  return { ...(axes === undefined ? {} : { axes }), keepdims, noopWithEmptyAxes: noop, opset };
}

// Ways to hand in the same tensor.
const ways = {
  'a JavaScript array': (tensor) => tensor,
  'an allocated tensor': ({ type, dims, data }) => {
    const tensor = api.allocate(type, dims);
    tensor.data.set(data);
    return tensor;
  },
  'a view with gaps': ({ type, dims, data }) => {
    const spread = new data.constructor(3 * data.length + 2);
    data.forEach((value, i) => { spread[3 * i + 2] = value; });
    let step = 3;
    const strides = [...dims].reverse().map((dim) => { const stride = step; step *= dim; return stride; }).reverse();
    return { data: spread, shape: dims, dtype: type, strides, offset: 2 };
  },
  'a view from the end': ({ type, dims, data }) => {
    let step = -1;
    const strides = [...dims].reverse().map((dim) => { const stride = step; step *= dim; return stride; }).reverse();
    return { data: Uint8Array.prototype.slice.call(data).reverse(), dims, type, strides, offset: Math.max(product(dims) - 1, 0) };
  },
  'a shared, unaligned view': ({ type, dims, data }) => {
    const bytes = data.BYTES_PER_ELEMENT;
    const shared = new data.constructor(new SharedArrayBuffer((data.length + 3) * bytes), 3 * bytes, data.length);
    shared.set(data);
    return { data: shared, dims, type };
  },
};

describe.each(Object.entries(ways))('through %s', (_, way) => {
  test.each(cases.filter(({ throws }) => throws === undefined).map((entry) => [`${entry.op}: ${entry.name} (${entry.dtype})`, entry]))('%s', (__, entry) => {
    const input = way(inputOf(entry));
    const y = operators[entry.op](input, optionsOf(entry));
    expect(y.type).toBe(entry.dtype);
    expect(y.dims).toEqual(entry.expect.dims);
    expect(bitsOf(y.data)).toEqual(entry.expect.data);
    input.dispose?.();
  });
});

describe('refused', () => {
  const kinds = { TypeError, RangeError };
  test.each(cases.filter(({ throws }) => throws !== undefined).map((entry) => [`${entry.op}: ${entry.name}`, entry]))('%s', (_, entry) => {
    const error = thrownBy(() => operators[entry.op](inputOf(entry), optionsOf(entry)));
    expect(error).toBeInstanceOf(kinds[entry.throws]);
    expect(error).toBeInstanceOf(api.ReduceError);
    expect(error.message).toContain(entry.op);
  });
});
