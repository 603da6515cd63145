// What a reducer's threads compute, from every kind of memory: the same bits as
// one thread, whatever their number.
const { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { createReducer } = require('../../dist/threads.cjs');
const { api, bitsOf, thrownBy, typeNames, types } = require('./support/tensors.cjs');

const operatorNames = ['reduceSumSquare', 'reduceLogSum'];

/** Layouts of 2^19 elements: at least a megabyte, which is enough to be shared. */
const layouts = [
  [[1 << 19], [0]], [[512, 1024], [1]], [[512, 1024], [0]], [[8, 256, 256], [1]], [[8, 256, 256], [0, 2]], [[1 << 17, 4], [1]],
  [[1 << 17, 4], [0]], [[3, 1 << 17], [0]],
];
const count = 1 << 19;

/** Numbers of all sizes in every type, the same in each run; finite, and mostly positive. */
function fill(type, array) {
  const { integer, bytes } = types[type];
  let state = 99;
  for (let i = 0; i < array.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    if (type === 'float16' || type === 'bfloat16') array[i] = state >>> 18 | (state & 7 ? 0 : 0x8000);
    else if (!integer) array[i] = (state - 2 ** 28) * 2 ** ((i % 61) - 40);
    else array[i] = bytes === 8 ? BigInt(state) * 12345678901n : state;
  }
  return array;
}

const inputs = Object.fromEntries(typeNames.map((type) => [type, fill(type, new types[type].ArrayClass(count))]));

function share(array, byteOffset = 0) {
  const { constructor: ArrayClass, length, byteLength } = array;
  const shared = new ArrayClass(new SharedArrayBuffer(byteOffset + byteLength + 64), byteOffset, length);
  shared.set(array);
  return shared;
}

const bytesOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);

/** Compares whole arrays; prints the first elements that differ. */
function expectSame(result, wanted, what) {
  if (bytesOf(result.data).equals(bytesOf(wanted.data))) return;
  const [some, others] = [bitsOf(result.data), bitsOf(wanted.data)];
  const at = some.findIndex((bits, i) => bits !== others[i]);
  throw new Error(`${what}: element ${at} is ${some[at]}, not ${others[at]}`);
}

const product = (dims) => dims.reduce((size, dim) => size * dim, 1);

/** What the default entry says, for each type and layout. */
const wanted = {};
beforeAll(() => {
  for (const type of typeNames) {
    wanted[type] = layouts.map(([dims, axes]) => operatorNames.map((name) =>
      api[name]({ data: inputs[type].subarray(0, product(dims)), dims, type }, { axes })));
  }
}, 120000);

describe.each([1, 2, 3, 4, 5, 6, 7, 8])('%d threads', (threads) => {
  let reducer;
  beforeAll(async () => {
    reducer = await createReducer({ threads });
  });
  afterAll(() => reducer.dispose());

  test('there are as many', () => {
    expect([reducer.threads, reducer.threadsReason]).toEqual([threads, '']);
  });

  test.each(typeNames)('%s', (type) => {
    const whole = reducer.allocate(type, [count]);
    whole.data.set(inputs[type]);
    const sources = { allocated: () => whole.data, shared: share(inputs[type]), plain: inputs[type] };
    layouts.forEach(([dims, axes], row) => operatorNames.forEach((name, column) => {
      for (const [kind, source] of Object.entries(sources)) {
        const array = typeof source === 'function' ? source() : source;
        const result = reducer[name]({ data: array.subarray(0, product(dims)), dims, type }, { axes });
        expectSame(result, wanted[type][row][column], `${name} of ${kind} ${type} [${dims}], axes ${axes}`);
        expect(Object.prototype.toString.call(result.data.buffer)).toBe('[object ArrayBuffer]');
      }
    }));
    whole.dispose();
  }, 120000);
});

describe('four threads', () => {
  let reducer;
  beforeAll(async () => {
    reducer = await createReducer({ threads: 4 });
  });
  afterAll(() => reducer.dispose());

  test('each of them reads shared memory', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'onnx-reduce-threads-'));
    const log = path.join(folder, 'log');
    const workerUrl = path.join(folder, 'worker.cjs');
    // A worker that leaves a line whenever it has copied a piece.
    writeFileSync(workerUrl, `
      const { set } = Uint8Array.prototype;
      Uint8Array.prototype.set = function (...args) {
        require('node:fs').appendFileSync(${JSON.stringify(log)}, require('node:worker_threads').threadId + '\\n');
        return set.apply(this, args);
      };
      ${readFileSync(path.join(__dirname, '../../dist/reduce-worker.mjs'), 'utf8')}`);
    const watched = await createReducer({ threads: 4, workerUrl });
    const shared = new Float32Array(new SharedArrayBuffer(1 << 24));
    shared.fill(2);
    const readers = () => (existsSync(log) ? new Set(readFileSync(log, 'utf8').trim().split('\n')).size : 0);
    // They come when they are woken, which on a busy machine may be too late for a call.
    for (let i = 0; i < 200 && readers() < 3; i++) expect(watched.reduceSumSquare(shared).data[0]).toBe(2 ** 24);
    expect(readers()).toBe(3);
    watched.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('views with an offset, and with strides, of shared memory', () => {
    for (const type of ['float32', 'int64', 'bfloat16']) {
      const { bytes } = types[type];
      const shared = share(inputs[type], 24);
      const data = shared.subarray(0, 512 * 1024);
      const plain = inputs[type].subarray(0, 512 * 1024);
      for (const options of [{ axes: 0 }, { axes: 1 }]) {
        const views = [
          [[512, 1024], undefined, 0], [[500, 1000], [1024, 1], 3], [[1024, 512], [1, 1024], 0], [[512, 1024], [-1024, -1], 512 * 1024 - 1],
          [[400, 1024], [1024, 1], 5 * bytes],
        ];
        for (const [dims, strides, offset] of views) {
          const view = strides === undefined ? { dims, type } : { dims, type, strides, offset };
          expectSame(reducer.reduceSumSquare({ ...view, data }, options), api.reduceSumSquare({ ...view, data: plain }, options), `${type} [${strides}]`);
        }
      }
    }
  });

  test('what is written to a shared buffer meanwhile is seen', () => {
    const shared = share(inputs.float32);
    for (let i = 0; i < 20; i++) {
      shared[i * 1000] = 2 ** (100 + i % 20);
      expectSame(reducer.reduceLogSum(shared), api.reduceLogSum(Float32Array.from(shared)), `round ${i}`);
    }
  });

  test('more shared buffers than the workers keep, in turn', () => {
    const buffers = Array.from({ length: 9 }, (_, i) => {
      const shared = share(inputs.float64.subarray(0, 1 << 17), 8 * i);
      shared[i] = 2 ** (i + 50);
      return shared;
    });
    const results = buffers.map((shared) => api.reduceSumSquare(Float64Array.from(shared)));
    for (let round = 0; round < 3; round++) {
      buffers.forEach((shared, i) => expectSame(reducer.reduceSumSquare(shared), results[i], `buffer ${i}, round ${round}`));
      buffers.reverse();
      results.reverse();
    }
  });

  test('a shared buffer that grows', () => {
    const buffer = new SharedArrayBuffer(1 << 20, { maxByteLength: 1 << 22 });
    if (!buffer.growable) return;
    for (const size of [1 << 20, 1 << 21, 1 << 22]) {
      buffer.grow(size);
      const array = new Float32Array(buffer);
      array.set(inputs.float32.subarray(0, array.length));
      const dims = [array.length / 1024, 1024];
      for (const axes of [0, 1]) {
        expectSame(reducer.reduceSumSquare({ data: array, dims }, { axes }), api.reduceSumSquare({ data: Float32Array.from(array), dims }, { axes }), `${size}`);
      }
    }
  });

  test('results of every size go where out says', () => {
    for (const dims of [[1 << 17, 4], [64, 8192], [8192, 64], [1024, 512]]) {
      const x = reducer.allocate('float32', dims);
      x.data.set(inputs.float32);
      const shared = share(inputs.float32);
      for (const axes of [0, 1]) {
        const result = api.reduceSumSquare({ data: inputs.float32, dims }, { axes });
        const size = result.data.length;
        const inside = reducer.allocate('float32', [size]);
        for (const input of [x, { data: shared, dims }]) {
          for (const out of [inside, new Float32Array(size), new Float32Array(new SharedArrayBuffer(size * 4)), shared.subarray(0, size)]) {
            expectSame(reducer.reduceSumSquare(input, { axes, out }), result, `[${dims}], axis ${axes}`);
            shared.set(inputs.float32);
          }
        }
        // Over its own input.
        const over = { type: 'float32', dims: [size], data: x.data.subarray(0, size) };
        expectSame(reducer.reduceSumSquare(x, { axes, out: over }), result, `[${dims}], axis ${axes}, in place`);
        x.data.set(inputs.float32);
        inside.dispose();
      }
      x.dispose();
    }
  });

  test('data of tensors stays right when the memory grows', () => {
    const first = reducer.allocate('float32', [512, 1024]);
    first.data.set(inputs.float32);
    const early = first.data;
    const { buffer } = early;
    const others = [];
    while (first.data.buffer === buffer) others.push(reducer.allocate('float32', [1 << 20]));
    // Shared memory isn't detached by growth: the old array is the same memory.
    first.data[5] = 77;
    expect(early[5]).toBe(77);
    const result = api.reduceLogSum({ data: Float32Array.from(first.data), dims: [512, 1024] }, { axes: 1 });
    expectSame(reducer.reduceLogSum(first, { axes: 1 }), result, 'the tensor');
    expectSame(reducer.reduceLogSum({ data: early, dims: [512, 1024] }, { axes: 1 }), result, 'the old array');
    for (const tensor of [first, ...others]) tensor.dispose();
  });

  test('memory that runs out is an error, and the threads go on', () => {
    const kept = reducer.allocate('float32', [count]);
    kept.data.set(inputs.float32);
    for (let i = 0; i < 3; i++) expect(thrownBy(() => reducer.allocate('float32', [2 ** 29])).code).toBe('OUT_OF_MEMORY');
    expectSame(reducer.reduceSumSquare(kept), api.reduceSumSquare(inputs.float32), 'the tensor');
    expect(reducer.threads).toBe(4);
    kept.dispose();
  });

  test('many results do not leave memory behind', () => {
    const x = reducer.allocate('float64', [1 << 18, 2]);
    reducer.reduceSumSquare(x, { axes: 1 });
    const { byteLength } = x.data.buffer;
    for (let i = 0; i < 20; i++) reducer.reduceSumSquare(x, { axes: 1 });
    expect(x.data.buffer.byteLength).toBe(byteLength);
    x.dispose();
  });

  test('special values', () => {
    const x = reducer.allocate('float32', [count]);
    for (const [values, sumSquare, logSum] of [
      [[Infinity], Infinity, Infinity], [[Infinity, -Infinity], Infinity, NaN], [[NaN], NaN, NaN], [[], 0, -Infinity], [[3e38, -3e38], Infinity, -Infinity],
    ]) {
      x.data.fill(0);
      values.forEach((value, i) => { x.data[count - 1 - i * 300000] = value; });
      expect([reducer.reduceSumSquare(x).data[0], reducer.reduceLogSum(x).data[0]]).toEqual([sumSquare, logSum]);
    }
    x.dispose();
  });
});
