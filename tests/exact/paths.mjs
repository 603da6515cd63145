// The ways in which data can reach the library. Whatever the way, the bits of
// the result must be the same.
import { asBits, asUser, bitsArrayOf, userArrayOf } from '../oracle/formats.mjs';

const functionOf = (api, op) => api[op[0].toLowerCase() + op.slice(1)].bind(api);

function optionsOf({ axes, keepdims, noopWithEmptyAxes }) {
  const options = { keepdims, noopWithEmptyAxes };
  if (axes !== undefined) options.axes = axes;
  return options;
}

const product = (dims) => dims.reduce((all, dim) => all * dim, 1);

/** The case's elements in memory order of a random strided view. */
function stridedView(random, { type, dims, bits }) {
  const rank = dims.length;
  const order = dims.map((_, axis) => axis);
  if (random.chance(0.6)) {
    for (let i = rank - 1; i > 0; i -= 1) {
      const j = random.below(i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
  }
  const strides = new Array(rank).fill(0);
  let size = 1;
  for (let i = rank - 1; i >= 0; i -= 1) {
    const axis = order[i];
    const gap = random.chance(0.2) ? random.between(1, 2) : 0;
    strides[axis] = size;
    size *= Math.max(1, dims[axis]) + gap;
    if (size > 4e6) return null;
  }
  let offset = random.below(4);
  const data = new (bitsArrayOf(type))(size + offset);
  data.fill(data instanceof BigUint64Array ? 0x7ff8000000000000n : type === 'float32' ? 0x7fc00000 : 0x7fff);
  for (let axis = 0; axis < rank; axis += 1) {
    if (dims[axis] > 0 && random.chance(0.3)) {
      offset += strides[axis] * (dims[axis] - 1);
      strides[axis] = -strides[axis];
    }
  }
  const digits = new Array(rank).fill(0);
  for (let index = 0, at = offset; index < bits.length; index += 1) {
    data[at] = bits[index];
    for (let axis = rank - 1; axis >= 0; axis -= 1) {
      digits[axis] += 1;
      at += strides[axis];
      if (digits[axis] < dims[axis]) break;
      at -= strides[axis] * dims[axis];
      digits[axis] = 0;
    }
  }
  return { type, data: asUser(type, data), dims, strides, offset };
}

const ways = {
  array(api, random, test) {
    return functionOf(api, test.op)({ type: test.type, data: asUser(test.type, test.bits), dims: test.dims }, optionsOf(test));
  },
  view(api, random, test) {
    const room = new (bitsArrayOf(test.type))(test.bits.length + 16);
    const from = random.below(16);
    room.set(test.bits, from);
    const data = asUser(test.type, room.subarray(from, from + test.bits.length));
    return functionOf(api, test.op)({ dtype: test.type, data, shape: test.dims }, optionsOf(test));
  },
  shared(api, random, test) {
    const Kind = userArrayOf(test.type);
    const data = new Kind(new SharedArrayBuffer(test.bits.byteLength));
    asBits(test.type, data).set(test.bits);
    return functionOf(api, test.op)({ type: test.type, data, dims: test.dims }, optionsOf(test));
  },
  allocated(api, random, test) {
    const tensor = api.allocate(test.type, test.dims);
    asBits(test.type, tensor.data).set(test.bits);
    try {
      return functionOf(api, test.op)(tensor, optionsOf(test));
    } finally {
      tensor.dispose();
    }
  },
  out(api, random, test, expected) {
    const data = asUser(test.type, new (bitsArrayOf(test.type))(product(expected.dims)).fill(asBits(test.type, new (userArrayOf(test.type))(1))[0]));
    const out = { type: test.type, data, dims: expected.dims };
    const input = { type: test.type, data: asUser(test.type, test.bits), dims: test.dims };
    functionOf(api, test.op)(input, { ...optionsOf(test), out });
    return out;
  },
  strided(api, random, test) {
    const view = stridedView(random, test);
    return view === null ? ways.array(api, random, test) : functionOf(api, test.op)(view, optionsOf(test));
  },
};

export const wayNames = Object.keys(ways);

/** Runs a case one way; gives dims and storage bits of the result. */
export function runCase(api, way, random, test, expected) {
  const result = ways[way](api, random, test, expected);
  return { dims: [...result.dims], bits: asBits(test.type, result.data) };
}
