// The package in processes of its own: both module systems, strict settings,
// nothing printed, and an end by itself.
const { spawnSync } = require('node:child_process');
const { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const root = path.join(__dirname, '../..');
let folder;

beforeAll(() => {
  // Installed as npm would install it, under a name with a space.
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'onnx-reduce-')), 'a folder');
  const installed = path.join(folder, 'node_modules/onnx-reduce');
  mkdirSync(installed, { recursive: true });
  cpSync(path.join(root, 'dist'), path.join(installed, 'dist'), { recursive: true });
  cpSync(path.join(root, 'package.json'), path.join(installed, 'package.json'));
});

afterAll(() => rmSync(path.dirname(folder), { recursive: true, force: true }));

/** Runs Node in the folder; what it prints must be JSON and all it prints. */
function run(args, { timeout = 20000, env = {} } = {}) {
  const ended = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout, env: { ...process.env, NODE_OPTIONS: '', ...env } });
  return { status: ended.status, signal: ended.signal, stdout: ended.stdout, stderr: ended.stderr };
}

const clean = (stdout) => ({ status: 0, signal: null, stdout, stderr: '' });

const body = `
  const { reduceSumSquare, reduceLogSum, allocate, Tensor, ReduceError } = api;
  const y = reduceSumSquare({ data: new Float32Array([1, 2, 3, 4, 5, 6]), dims: [2, 3] }, { axes: [1], keepdims: false });
  const codes = [];
  for (const call of [() => reduceSumSquare(1), () => reduceSumSquare(new Float32Array(2), { axes: 3 }), () => allocate('float32', [2 ** 40])]) {
    try { call(); } catch (error) { codes.push(error instanceof ReduceError && error.code); }
  }
  const x = allocate('float64', [1000]);
  x.data.fill(2);
  const sum = reduceSumSquare(x).data[0];
  x.dispose();
  process.stdout.write(JSON.stringify([y.type, y.dims, [...y.data], y instanceof Tensor, codes, sum, reduceLogSum(new Float32Array(1)).data[0] === -Infinity]));
`;
const answer = JSON.stringify(['float32', [2], [14, 77], true, ['WRONG_INPUT', 'AXIS_OUT_OF_RANGE', 'OUT_OF_MEMORY'], 4000, true]);

test('an ES module imports it', () => {
  writeFileSync(path.join(folder, 'app.mjs'), `import * as api from 'onnx-reduce';${body}`);
  expect(run(['app.mjs'])).toEqual(clean(answer));
});

test('CommonJS requires it', () => {
  writeFileSync(path.join(folder, 'app.cjs'), `const api = require('onnx-reduce');${body}`);
  expect(run(['app.cjs'])).toEqual(clean(answer));
});

test('without eval and its like', () => {
  writeFileSync(path.join(folder, 'strict.mjs'), `import * as api from 'onnx-reduce';${body}`);
  expect(run(['--disallow-code-generation-from-strings', 'strict.mjs'])).toEqual(clean(answer));
});

test('with warnings as errors and frozen intrinsics', () => {
  writeFileSync(path.join(folder, 'frozen.mjs'), `import * as api from 'onnx-reduce';${body}`);
  const ended = run(['--throw-deprecation', '--frozen-intrinsics', '--no-warnings', 'frozen.mjs']);
  expect(ended).toEqual(clean(answer));
});

test('a script puts it into a global', () => {
  writeFileSync(path.join(folder, 'script.cjs'), `
    require('node:vm').runInThisContext(require('node:fs').readFileSync(require.resolve('onnx-reduce/package.json').replace('package.json', 'dist/onnx-reduce.min.js'), 'utf8'));
    const api = onnxReduce;${body}`);
  expect(run(['script.cjs'])).toEqual(clean(answer));
});

test('only loading it prints nothing and ends', () => {
  expect(run(['-e', 'require("onnx-reduce")'])).toEqual(clean(''));
  expect(run(['--input-type=module', '-e', 'import "onnx-reduce"'])).toEqual(clean(''));
  expect(run(['--input-type=module', '-e', 'import "onnx-reduce/threads"'])).toEqual(clean(''));
});

test('a process with an undisposed reducer ends by itself', () => {
  const code = `
    import { createReducer } from 'onnx-reduce/threads';
    const reducer = await createReducer({ threads: 2 });
    const y = reducer.reduceSumSquare(new Float32Array(100000).fill(1));
    process.stdout.write(String(y.data[0]));`;
  expect(run(['--input-type=module', '-e', code])).toEqual(clean('100000'));
});

test('errors of both copies are known to either', () => {
  writeFileSync(path.join(folder, 'both.mjs'), `
    import { createRequire } from 'node:module';
    import { ReduceError, Tensor, reduceSumSquare } from 'onnx-reduce';
    const other = createRequire(import.meta.url)('onnx-reduce');
    let known;
    try { other.reduceSumSquare(1); } catch (error) { known = error instanceof ReduceError; }
    const y = other.reduceSumSquare(new Float32Array([2]));
    process.stdout.write(JSON.stringify([other.ReduceError !== ReduceError, known, y instanceof Tensor, reduceSumSquare(y).data[0]]));`);
  expect(run(['both.mjs'])).toEqual(clean('[true,true,true,16]'));
});

test('where WebAssembly is refused, the error says so, and the next call tries again', () => {
  writeFileSync(path.join(folder, 'refused.mjs'), `
    import { reduceSumSquare, ReduceError } from 'onnx-reduce';
    const { Module } = WebAssembly;
    WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError('Wasm code generation disallowed by embedder'); } };
    let error;
    try { reduceSumSquare(new Float32Array(1)); } catch (thrown) { error = thrown; }
    WebAssembly.Module = Module;
    const { data } = reduceSumSquare(new Float32Array([3]));
    process.stdout.write(JSON.stringify([error instanceof ReduceError, error.code, error.message.includes('disallowed by embedder'), error.message.includes('wasm-unsafe-eval'), data[0]]));`);
  expect(run(['refused.mjs'])).toEqual(clean('[true,"WASM_UNAVAILABLE",true,true,9]'));
});

test('where memory for the core is refused, it is a RangeError', () => {
  writeFileSync(path.join(folder, 'memory.mjs'), `
    import { reduceSumSquare } from 'onnx-reduce';
    const { Instance } = WebAssembly;
    WebAssembly.Instance = class { constructor() { throw new RangeError('WebAssembly.Instance(): Out of memory'); } };
    let error;
    try { reduceSumSquare(new Float32Array(1)); } catch (thrown) { error = thrown; }
    WebAssembly.Instance = Instance;
    process.stdout.write(JSON.stringify([error instanceof RangeError, error.code, reduceSumSquare(new Float32Array([3])).data[0]]));`);
  expect(run(['memory.mjs'])).toEqual(clean('[true,"OUT_OF_MEMORY",9]'));
});

test('a core that traps is replaced', () => {
  // An exception in the middle of a run, between frames of the core.
  writeFileSync(path.join(folder, 'trap.mjs'), `
    import { reduceSumSquare, ReduceError } from 'onnx-reduce';
    const x = new Float32Array(100000).fill(1);
    reduceSumSquare(x);
    const { set } = Uint8Array.prototype;
    const proto = Object.getPrototypeOf(Uint8Array.prototype);
    const original = proto.set;
    let armed = true;
    proto.set = function (...args) { if (armed && args[0].length > 1000) { armed = false; throw new Error('in the middle'); } return original.apply(this, args); };
    let error;
    try { reduceSumSquare(x); } catch (thrown) { error = thrown; }
    proto.set = original;
    process.stdout.write(JSON.stringify([error instanceof ReduceError, error.code, error.cause.message, reduceSumSquare(x).data[0]]));`);
  expect(run(['trap.mjs'])).toEqual(clean('[true,"INTERNAL","in the middle",100000]'));
});

test('a gigabyte in a JavaScript array needs no gigabyte of WebAssembly memory', () => {
  const code = `
    const { reduceSumSquare, allocate } = require('onnx-reduce');
    const x = new Float32Array(2 ** 28);
    x[0] = 3; x[2 ** 27] = 4; x[2 ** 28 - 1] = 12;
    const y = reduceSumSquare(x);
    const probe = allocate('float32', [1]);
    process.stdout.write(JSON.stringify([y.data[0], probe.data.buffer.byteLength < 2 ** 25]));`;
  expect(run(['-e', code], { timeout: 60000 })).toEqual(clean('[169,true]'));
});

test('forgotten tensors are freed, those whose array is held are not', () => {
  const code = `
    const { allocate } = require('onnx-reduce');
    allocate('float32', [2 ** 24]).dispose();
    const held = allocate('float32', [1000]).data;
    held.fill(7);
    const before = held.buffer.byteLength;
    (async () => {
      // 200 x 4 MB do not fit into 64 MB at once.
      for (let i = 0; i < 200; i++) {
        allocate('float32', [2 ** 20]).data.fill(1);
        if (i % 5 === 4) {
          gc();
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      }
      process.stdout.write(JSON.stringify([held.buffer.byteLength === before, held.every((value) => value === 7)]));
    })();`;
  expect(run(['--expose-gc', '-e', code])).toEqual(clean('[true,true]'));
});

test('the default entry names no module of Node and no file', () => {
  for (const name of ['index.mjs', 'index.cjs', 'onnx-reduce.min.js']) {
    const text = readFileSync(path.join(root, 'dist', name), 'utf8');
    expect(text).not.toMatch(/import\.meta|node:|\brequire\(|\bimport\(|new Function\(|\beval\(/);
  }
});
