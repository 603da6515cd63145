// onnx-reduce itself, through its public API only.
// run.mjs measures a copy.
export const dist = process.env.ONNX_REDUCE_BENCH_DIST ?? new URL('../../dist/', import.meta.url).href;

/** The default entry: reduceSumSquare, reduceLogSum, allocate. */
export const openIndex = () => import(new URL('index.mjs', dist));

/** A reducer with as many threads as it can have. */
export async function openThreads(threads = 'auto') {
  const { createReducer } = await import(new URL('threads.mjs', dist));
  return createReducer({ threads });
}

/** The data in memory of `api`, filled once. */
export function allocated(api, type, dims, data) {
  const tensor = api.allocate(type, dims);
  tensor.data.set(data);
  return tensor;
}

/** A subject that calls one operator on an input of any kind. */
export function ours(name, api, one, input) {
  const reduce = api[one.jsName];
  const options = one.axes === null ? { keepdims: false } : { axes: one.axes, keepdims: false };
  return { name, run: () => reduce(input, options), resultOf: (tensor) => tensor.data };
}

/** The same with the result in memory of `api`, too, which is allocated once. */
export function oursInPlace(api, one, input) {
  const { dims, axes } = one;
  const kept = axes === null ? [] : dims.filter((_, i) => !axes.includes(i));
  const out = api.allocate(one.type, kept);
  const options = { ...(axes === null ? null : { axes }), keepdims: false, out };
  return { name: 'in place', run: () => api[one.jsName](input, options), resultOf: (tensor) => tensor.data, close: () => out.dispose() };
}
