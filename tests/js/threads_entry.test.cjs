// createReducer: its options, its fall-back, its end.
const { createReducer, ReduceError, Tensor } = require('../../dist/threads.cjs');
const { api, thrownBy } = require('./support/tensors.cjs');

const disposeSymbol = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const x = { data: new Float32Array([1, 2, 3, 4, 5, 6]), dims: [2, 3] };

async function rejection(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was rejected');
}

test('one thread', async () => {
  const reducer = await createReducer({ threads: 1 });
  expect(reducer.threads).toBe(1);
  expect(typeof reducer.threadsReason).toBe('string');
  expect(Array.from(reducer.reduceSumSquare(x, { axes: [1], keepdims: false }).data)).toEqual([14, 77]);
  expect(reducer.reduceLogSum(new Float64Array([1])).data[0]).toBe(0);
  const tensor = reducer.allocate('float32', [2, 3]);
  expect(tensor).toBeInstanceOf(Tensor);
  tensor.data.set(x.data);
  expect(reducer.reduceSumSquare(tensor).data[0]).toBe(91);
  tensor.dispose();
  reducer.dispose();
});

test.each([['auto', undefined], ['two', 2], ['more than there are', 1000]])('%s: the results are the same with whatever was had', async (_, threads) => {
  const reasons = [];
  const reducer = await createReducer({ ...(threads === undefined ? {} : { threads }), onFallback: (reason) => reasons.push(reason) });
  expect(reducer.threads).toBeGreaterThanOrEqual(1);
  if (threads !== undefined && reducer.threads < threads) {
    expect(reducer.threadsReason).not.toBe('');
    expect(reasons).toEqual([reducer.threadsReason]);
  }
  const data = Float32Array.from({ length: 300000 }, (__, i) => (i % 97) / 7);
  for (const axes of [[0], [1], []]) {
    const wanted = api.reduceLogSum({ data, dims: [300, 1000] }, { axes });
    expect(reducer.reduceLogSum({ data, dims: [300, 1000] }, { axes }).data).toEqual(wanted.data);
  }
  reducer.dispose();
});

test('without options', async () => {
  const reducer = await createReducer();
  expect(reducer.reduceSumSquare(x).data[0]).toBe(91);
  reducer.dispose();
});

test('after dispose every call says so', async () => {
  const reducer = await createReducer({ threads: 1 });
  const other = await createReducer({ threads: 1 });
  reducer.dispose();
  reducer.dispose();
  reducer[disposeSymbol]();
  for (const use of [() => reducer.reduceSumSquare(x), () => reducer.reduceLogSum(x), () => reducer.allocate('float32', [1])]) {
    expect(thrownBy(use)).toMatchObject({ code: 'DISPOSED' });
    expect(thrownBy(use)).toBeInstanceOf(ReduceError);
  }
  expect(other.reduceSumSquare(x).data[0]).toBe(91);
  other[disposeSymbol]();
  expect(thrownBy(() => other.reduceSumSquare(x)).code).toBe('DISPOSED');
});

test('tensors go from one instance to another', async () => {
  const reducer = await createReducer({ threads: 1 });
  const theirs = reducer.allocate('float32', [2, 3]);
  const ours = api.allocate('float32', [1]);
  theirs.data.set(x.data);
  expect(api.reduceSumSquare(theirs).data[0]).toBe(91);
  // Written to by another entry's operator, and returned as itself.
  expect(reducer.reduceSumSquare(theirs, { keepdims: true, axes: [0, 1], out: ours })).toBe(ours);
  expect(ours.data[0]).toBe(91);
  expect(theirs).toBeInstanceOf(api.Tensor);
  ours.dispose();
  theirs.dispose();
  reducer.dispose();
});

test('bad options', async () => {
  const rows = [
    [null, TypeError, 'WRONG_OPTIONS'], [2, TypeError, 'WRONG_OPTIONS'],
    [{ thread: 2 }, TypeError, 'UNKNOWN_OPTION'], [{ threads: '2' }, TypeError, 'WRONG_THREADS'],
    [{ threads: 0 }, RangeError, 'WRONG_THREADS'], [{ threads: 1.5 }, RangeError, 'WRONG_THREADS'],
    [{ threads: NaN }, RangeError, 'WRONG_THREADS'], [{ threads: -1 }, RangeError, 'WRONG_THREADS'],
    [{ onFallback: 'log' }, TypeError, 'WRONG_OPTIONS'],
  ];
  for (const [options, kind, code] of rows) {
    const error = await rejection(createReducer(options));
    expect(error).toBeInstanceOf(kind);
    expect(error).toBeInstanceOf(ReduceError);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^createReducer: /);
  }
});

test('creating and disposing many times leaks nothing', async () => {
  for (let i = 0; i < 30; i++) {
    const reducer = await createReducer({ threads: 2 });
    expect(reducer.reduceSumSquare(x).data[0]).toBe(91);
    reducer.dispose();
  }
});

test('what old scripts add to Object.prototype is no option of createReducer', async () => {
  Object.prototype.extended = () => {};
  try {
    const reducer = await createReducer({ threads: 1 });
    expect(reducer.threads).toBe(1);
    reducer.dispose();
  } finally {
    delete Object.prototype.extended;
  }
});
