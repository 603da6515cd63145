// The other libraries. Each open function returns a subject, or throws where
// the library has no such operator for the type. What they get is what their
// users have: onnxruntime-web a tensor over a JavaScript array, which it copies
// into its memory at each run; onnxruntime-node the same, which it reads in
// place; tfjs a tensor that lies in its WebAssembly memory already.
import { reduceModel } from '../onnx_model.mjs';
import { typeNamed } from '../cases.mjs';

/** What onnxruntime-web is asked to log: nothing but its death. */
const kFatal = 4;

export async function openOrtWeb(threads) {
  const { default: ort } = await import('onnxruntime-web');
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'fatal';
  return { ort, providers: ['wasm'], name: 'onnxruntime-web' };
}

export async function openOrtNode(threads) {
  const { default: ort } = await import('onnxruntime-node');
  return { ort, providers: ['cpu'], name: 'onnxruntime-node', threads };
}

/** One case on either build of onnxruntime. */
export async function ortSubject({ ort, providers, name, threads }, one, data) {
  const model = reduceModel(one.operator, typeNamed(one.type).onnxCode, one.dims.length, one.axes);
  const session = await ort.InferenceSession.create(model, {
    executionProviders: providers, logSeverityLevel: kFatal,
    ...(threads === undefined ? {} : { intraOpNumThreads: threads, interOpNumThreads: 1 }),
  });
  // Its own kind of array for float16 differs from engine to engine.
  const feeds = { x: new ort.Tensor(one.type, data, one.dims) };
  await session.run(feeds);
  return {
    name, isAsync: true,
    run: () => session.run(feeds),
    resultOf: ({ y }) => y.data,
    close: () => session.release(),
  };
}

export async function openTfjs() {
  const tf = await import('@tensorflow/tfjs-core');
  const { setThreadsCount } = await import('@tensorflow/tfjs-backend-wasm');
  setThreadsCount(1);
  tf.env().set('IS_TEST', true);  // keeps its greeting out of the output
  await tf.setBackend('wasm');
  return tf;
}

/** One case on tfjs; the result is read back, as a user would. */
export async function tfjsSubject(tf, one, data) {
  if (one.type !== 'float32' && one.type !== 'int32') throw new Error(`tfjs has no ${one.type}`);
  const x = tf.tensor(data, one.dims, one.type);
  const axes = one.axes ?? undefined;
  const bodies = {
    ReduceSumSquare: () => tf.sum(tf.square(x), axes),
    ReduceLogSum: () => tf.log(tf.sum(x, axes)),
  };
  const body = bodies[one.operator];
  if (body === undefined) throw new Error(`no formula for ${one.operator} in tfjs`);
  const run = () => {
    const y = tf.tidy(body);
    const values = y.dataSync();
    y.dispose();
    return values;
  };
  run();
  return { name: 'tfjs-wasm', run, resultOf: (values) => values, close: () => x.dispose() };
}
