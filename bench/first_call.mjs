// The first call, each library in a fresh process:
//   node bench/first_call.mjs NAME
// prints as JSON the milliseconds of importing it, of getting it ready (to
// compile, to start threads, a session or a backend) with the first result, the
// sum of both, and the second call.
import { countOf } from './cases.mjs';
import { makeData } from './data.mjs';
import { dist, openIndex, openThreads, ours } from './subjects/ours.mjs';
import { openOrtNode, openOrtWeb, openTfjs, ortSubject, tfjsSubject } from './subjects/peers.mjs';

export const firstCallNames = ['onnx-reduce', 'onnx-reduce/threads', 'onnxruntime-web', 'onnxruntime-node', 'tfjs-wasm'];

const one = { operator: 'ReduceSumSquare', jsName: 'reduceSumSquare', type: 'float32', dims: [64, 64], axes: [1] };
const data = makeData(one.type, countOf(one.dims));
const input = { data, dims: one.dims };

const libraries = {
  'onnx-reduce': {
    modules: [new URL('index.mjs', dist)], load: openIndex, subject: (api) => ours('', api, one, input) },
  'onnx-reduce/threads': {
    modules: [new URL('threads.mjs', dist)], load: () => openThreads(), subject: (api) => ours('', api, one, input) },
  'onnxruntime-web': {
    modules: ['onnxruntime-web'], load: () => openOrtWeb(1), subject: (library) => ortSubject(library, one, data) },
  'onnxruntime-node': {
    modules: ['onnxruntime-node'], load: () => openOrtNode(1), subject: (library) => ortSubject(library, one, data) },
  'tfjs-wasm': {
    modules: ['@tensorflow/tfjs-core', '@tensorflow/tfjs-backend-wasm'], load: openTfjs, subject: (tf) => tfjsSubject(tf, one, data) },
};

async function measureFirstCall({ modules, load, subject }) {
  const start = performance.now();
  for (const module of modules) await import(String(module));
  const imported = performance.now();
  const { run } = await subject(await load());
  await run();
  const done = performance.now();
  await run();
  const again = performance.now();
  return { import: imported - start, first: done - imported, total: done - start, second: again - done };
}

const name = process.argv[2];
if (libraries[name] !== undefined) {
  process.stdout.write(`${JSON.stringify(await measureFirstCall(libraries[name]))}\n`);
  process.exit(0);
}
