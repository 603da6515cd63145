// How a reducer's threads come and go: none to be had, some lost, all let go.
const { createServer } = require('node:http');
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const workerThreads = require('node:worker_threads');
const { createReducer, ReduceError } = require('../../dist/threads.cjs');
const { api, thrownBy } = require('./support/tensors.cjs');

const dist = path.join(__dirname, '../../dist');
const count = 1 << 19;
const values = Float32Array.from({ length: count }, (_, i) => (i % 1013) / 7);
const expected = api.reduceLogSum(values).data[0];

let folder;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'onnx-reduce-threads-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => jest.restoreAllMocks());

function write(name, text) {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Counts the workers that are started and those that have ended. */
function watchWorkers() {
  const workers = [];
  const { Worker } = workerThreads;
  jest.spyOn(workerThreads, 'Worker').mockImplementation((...args) => {
    const worker = new Worker(...args);
    workers.push(worker);
    worker.ended = new Promise((resolve) => worker.once('exit', resolve));
    return worker;
  });
  return workers;
}

/** The reducer works, on memory of each kind. */
function check(reducer) {
  const x = reducer.allocate('float32', [count]);
  x.data.set(values);
  const shared = new Float32Array(new SharedArrayBuffer(count * 4));
  shared.set(values);
  expect([x, shared, values].map((input) => reducer.reduceLogSum(input).data[0])).toEqual([expected, expected, expected]);
  x.dispose();
}

async function rejection(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was rejected');
}

/** Runs a script in a Node of its own; what it prints is all it prints. */
function run(code, { args = ['--input-type=module'], timeout = 60000, env = {} } = {}) {
  const preamble = args.includes('--input-type=module')
    ? `import { createReducer } from ${JSON.stringify(pathToFileURL(path.join(dist, 'threads.mjs')).href)};`
    : `const { createReducer } = require(${JSON.stringify(path.join(dist, 'threads.cjs'))});`;
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [...args, '-e', preamble + code],
    { cwd: folder, encoding: 'utf8', timeout, env: { ...process.env, NODE_OPTIONS: '', ...env } });
  return { status, signal, stdout, stderr };
}
const clean = (stdout) => ({ status: 0, signal: null, stdout, stderr: '' });

const work = `
  const x = reducer.allocate('float32', [1 << 20]);
  x.data.fill(2);
  process.stdout.write(JSON.stringify([reducer.threads, reducer.threadsReason, reducer.reduceSumSquare(x).data[0]]));`;
const answer = JSON.stringify([3, '', 2 ** 22]);

describe('a process with parked workers ends by itself', () => {
  test('as an ES module', () => {
    expect(run(`const reducer = await createReducer({ threads: 3 }); ${work}`)).toEqual(clean(answer));
  });

  test('as CommonJS', () => {
    expect(run(`createReducer({ threads: 3 }).then((reducer) => { ${work} });`, { args: [] })).toEqual(clean(answer));
  });

  test('without eval, with options that are not for workers, and with NODE_OPTIONS', () => {
    const args = ['--disallow-code-generation-from-strings', '--throw-deprecation', '--expose-gc', '--input-type=module'];
    expect(run(`const reducer = await createReducer({ threads: 3 }); ${work}`, { args, env: { NODE_OPTIONS: '--no-deprecation' } })).toEqual(clean(answer));
  });

  test('after dispose, and with an error on the way', () => {
    expect(run(`const reducer = await createReducer({ threads: 3 }); ${work} reducer.dispose();`)).toEqual(clean(answer));
    const ended = run('await createReducer({ threads: 3 }); throw new Error("of the caller");');
    expect(ended.status).toBe(1);
    expect(ended.stderr).toContain('of the caller');
  });
});

describe('where threads can not be had there is one, and the reason is given', () => {
  const fallBack = (before, options = '') => run(`${before}
    const heard = [];
    const reducer = await createReducer({ threads: 3, onFallback: (reason) => heard.push(reason) ${options} });
    const x = reducer.allocate('float32', [1 << 20]);
    x.data.fill(2);
    process.stdout.write(JSON.stringify([reducer.threads, heard.length, heard[0] === reducer.threadsReason, reducer.threadsReason, reducer.reduceSumSquare(x).data[0]]));`);

  test.each([
    ['no SharedArrayBuffer', 'delete globalThis.SharedArrayBuffer;', /no SharedArrayBuffer/],
    ['a page that is not isolated', 'globalThis.crossOriginIsolated = false;', /cross-origin isolated.*Cross-Origin-Opener-Policy/],
    ['an old Node', 'process.getBuiltinModule = undefined;', /no workers.*20\.16/],
    ['WebAssembly without shared memory', 'const { validate } = WebAssembly; WebAssembly.validate = (bytes) => bytes.length > 99 && validate(bytes);', /no shared memory/],
    ['workers are refused', 'import workers from "node:worker_threads"; workers.Worker = class { constructor() { throw new Error("not allowed"); } };', /could not be started: Error: not allowed/],
    ['a web worker that is refused', 'globalThis.Worker = class { constructor() { throw new Error("by policy"); } };', /blob: worker.*by policy.*reduce-worker\.mjs.*by policy/],
    ['no shared memory of any size', 'WebAssembly.Memory = class { constructor() { throw new RangeError("no room"); } };', /no shared memory.*no room/],
  ])('%s', (_, before, reason) => {
    const ended = fallBack(before);
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    const [threads, calls, same, said, result] = JSON.parse(ended.stdout);
    expect([threads, calls, same, result]).toEqual([1, 1, true, 2 ** 22]);
    expect(said).toMatch(reason);
  });

  test('nothing is loaded for threads that there can not be', () => {
    const code = `
      delete globalThis.SharedArrayBuffer;
      createReducer({ threads: 3 }).then(() => process.stdout.write(JSON.stringify(Object.keys(require.cache).filter((name) => name.includes('core-mt')))));`;
    expect(run(code, { args: [] })).toEqual(clean('[]'));
  });

  test('less address space is taken where there is less', () => {
    const ended = run(`
      const { Memory } = WebAssembly;
      const asked = [];
      WebAssembly.Memory = function (options) {
        asked.push(options.maximum / 16);
        if (options.maximum > 4096) throw new RangeError('too much');
        return new Memory(options);
      };
      const reducer = await createReducer({ threads: 3 });
      let failed;
      try { reducer.allocate('float32', [1 << 27]); } catch (error) { failed = error.code; }
      process.stdout.write(JSON.stringify([asked, failed]) + ' ');
      ${work}`);
    expect(ended).toEqual(clean(`${JSON.stringify([[2048, 1024, 512, 256], 'OUT_OF_MEMORY'])} ${answer}`));
  });

  test('more threads than can work together', async () => {
    const reasons = [];
    const reducer = await createReducer({ threads: 100, onFallback: (reason) => reasons.push(reason) });
    expect(reducer.threads).toBe(32);
    expect(reducer.threadsReason).toMatch(/at most 32/);
    expect(reasons).toEqual([reducer.threadsReason]);
    check(reducer);
    reducer.dispose();
  });

  test('what onFallback throws comes out, and nothing is left running', async () => {
    const workers = watchWorkers();
    const thrown = new Error('from the callback');
    expect(await rejection(createReducer({ threads: 40, onFallback: () => { throw thrown; } }))).toBe(thrown);
    expect(workers).toHaveLength(31);
    await Promise.all(workers.map((worker) => worker.ended));
  });
});

describe('workerUrl', () => {
  const workerFile = path.join(dist, 'reduce-worker.mjs');

  test.each([['a path', workerFile], ['an address', pathToFileURL(workerFile).href], ['a URL', pathToFileURL(workerFile)]])('%s', async (_, workerUrl) => {
    const reducer = await createReducer({ threads: 2, workerUrl });
    expect([reducer.threads, reducer.threadsReason]).toEqual([2, '']);
    check(reducer);
    reducer.dispose();
  });

  test('one that does not exist, does not parse, throws or ends', async () => {
    for (const [file, reason] of [
      [path.join(folder, 'none.mjs'), /none\.mjs/], [write('bad.mjs', 'const ='), /bad\.mjs.*SyntaxError/],
      [write('throws.mjs', 'throw new Error("of the worker")'), /throws\.mjs.*of the worker/], [write('ends.mjs', ''), /ends\.mjs.*ended with code 0/],
      [write('refuses.cjs', `const { parentPort } = require('node:worker_threads'); parentPort.postMessage('hello'); parentPort.once('message', () => parentPort.postMessage({ failed: 'no room' }));`), /refuses\.cjs.*no room/],
    ]) {
      const workers = watchWorkers();
      const heard = [];
      const reducer = await createReducer({ threads: 3, workerUrl: file, onFallback: (said) => heard.push(said) });
      expect(reducer.threads).toBe(1);
      expect(reducer.threadsReason).toMatch(reason);
      expect(heard).toEqual([reducer.threadsReason]);
      check(reducer);
      reducer.dispose();
      await Promise.all(workers.map((worker) => worker.ended));
      jest.restoreAllMocks();
    }
  });

  test('some of them fail', async () => {
    // Whoever comes third is never ready. (A folder is made by one only.)
    const claim = path.join(folder, 'claim');
    const text = readFileSync(workerFile, 'utf8');
    const url = write('some.cjs', `
      const fs = require('node:fs');
      const isFree = (path) => { try { fs.mkdirSync(path); return true; } catch { return false; } };
      const place = [1, 2, 3].find((n) => isFree(${JSON.stringify(claim)} + n));
      if (place === 3) throw new Error('the third');
      ${text}`);
    const reducer = await createReducer({ threads: 4, workerUrl: url });
    expect(reducer.threads).toBe(3);
    expect(reducer.threadsReason).toMatch(/the third/);
    check(reducer);
    reducer.dispose();
  });

  test('one that says nothing is given up', async () => {
    const begin = Date.now();
    const reducer = await createReducer({ threads: 3, workerUrl: write('silent.mjs', 'setInterval(() => {}, 1000)') });
    expect(reducer.threads).toBe(1);
    expect(reducer.threadsReason).toMatch(/said nothing/);
    expect(Date.now() - begin).toBeLessThan(30000);
    reducer.dispose();
  });

  test('one that never comes back from its work is given up, and the result is right', async () => {
    // It stops where it copies a piece of a shared buffer.
    const url = write('stuck.cjs', `
      const { set } = Uint8Array.prototype;
      Uint8Array.prototype.set = function () { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); };
      ${readFileSync(workerFile, 'utf8')}`);
    const workers = watchWorkers();
    const heard = [];
    const reducer = await createReducer({ threads: 2, workerUrl: url, onFallback: (reason) => heard.push(reason) });
    expect(reducer.threads).toBe(2);
    const shared = new Float32Array(new SharedArrayBuffer(1 << 26));
    shared.fill(3);
    // It is told of the buffer meanwhile, and takes part in one of these.
    for (let i = 0; i < 50 && heard.length === 0; i++) expect(reducer.reduceSumSquare(shared).data[0]).toBe(9 * 2 ** 24);
    expect(heard).toEqual([reducer.threadsReason]);
    expect(reducer.threadsReason).toMatch(/did not come back/);
    expect(reducer.threads).toBe(1);
    await workers[0].ended;
    check(reducer);
    reducer.dispose();
  }, 120000);
});

describe('workers that are lost', () => {
  test('the others go on', async () => {
    const workers = watchWorkers();
    const heard = [];
    const reducer = await createReducer({ threads: 4, onFallback: (reason) => heard.push([reducer.threads, reason]) });
    check(reducer);
    for (const [victim, left] of [[1, 3], [2, 2], [0, 1]]) {
      await workers[victim].terminate();
      await new Promise((resolve) => setImmediate(resolve));
      expect(reducer.threads).toBe(left);
      expect(reducer.threadsReason).toMatch(/worker was lost/);
      check(reducer);
    }
    expect(heard.map(([threads]) => threads)).toEqual([3, 2, 1]);
    reducer.dispose();
  });

  test('one that was killed a moment before a call', async () => {
    const workers = watchWorkers();
    const reducer = await createReducer({ threads: 3 });
    for (const worker of workers) {
      void worker.terminate();
      check(reducer);
      await worker.ended;
      check(reducer);
    }
    expect(reducer.threads).toBe(1);
    reducer.dispose();
  });

  test('a core that stops is replaced by one with one thread', async () => {
    const workers = watchWorkers();
    const reducer = await createReducer({ threads: 2 });
    const { set } = Object.getPrototypeOf(Uint8Array.prototype);
    const spy = jest.spyOn(Object.getPrototypeOf(Uint8Array.prototype), 'set').mockImplementation(function (...args) {
      if (args[0].length > 1000) throw new Error('in the middle');
      return set.apply(this, args);
    });
    // Below the size at which others help: the caller copies it, and fails.
    expect(thrownBy(() => reducer.reduceSumSquare(values.subarray(0, 100000)))).toMatchObject({ code: 'INTERNAL' });
    spy.mockRestore();
    expect(reducer.reduceLogSum(values).data[0]).toBe(expected);
    expect(reducer.threads).toBe(1);
    expect(reducer.threadsReason).toMatch(/stopped/);
    await workers[0].ended;
    reducer.dispose();
  });
});

describe('wasmUrl', () => {
  const wasmFile = path.join(dist, 'core-mt.wasm');
  let server;
  let origin;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/core-mt.wasm') response.setHeader('content-type', 'application/wasm').end(readFileSync(wasmFile));
      else if (request.url === '/page') response.setHeader('content-type', 'text/html').end('<!doctype html><title>An app</title>');
      else if (request.url === '/broken') response.destroy();
      else response.writeHead(404, { 'content-type': 'text/html' }).end('<html>Not found</html>');
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${server.address().port}`;
  });
  afterAll(() => server.close());

  test('a path, an address of a file, a URL, an address of a server', async () => {
    for (const wasmUrl of [wasmFile, path.relative(process.cwd(), wasmFile), pathToFileURL(wasmFile).href, pathToFileURL(wasmFile), `${origin}/core-mt.wasm`]) {
      const reducer = await createReducer({ threads: 2, wasmUrl });
      expect([reducer.threads, reducer.threadsReason]).toEqual([2, '']);
      check(reducer);
      reducer.dispose();
    }
  });

  test('what leads to no core is an error that says what came back, and no worker stays', async () => {
    const workers = watchWorkers();
    const bytes = readFileSync(wasmFile);
    for (const [wasmUrl, said] of [
      [`${origin}/none.wasm`, /HTTP status 404 Not Found.*text\/html/], [`${origin}/page`, /no WebAssembly.*text\/html.*is HTML.*doctype/],
      [`${origin}/broken`, /could not be fetched/], [path.join(folder, 'none.wasm'), /could not be read.*ENOENT/], [write('empty.wasm', ''), /is empty/],
      [write('lfs.wasm', 'version https://example.org/spec'), /begins with "version https/], [write('zip.wasm', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0xff])), /bytes 50 4b 03 04/],
      [write('cut.wasm', bytes.subarray(0, bytes.length >> 1)), /can not be compiled/], [path.join(dist, 'core.wasm'), /not the core-mt\.wasm/],
    ]) {
      const error = await rejection(createReducer({ threads: 3, wasmUrl }));
      expect(error).toBeInstanceOf(ReduceError);
      expect(error.code).toBe('WASM_NOT_LOADED');
      expect(error.message).toContain(wasmUrl);
      expect(error.message).toMatch(said);
    }
    expect(workers).toHaveLength(18);
    await Promise.all(workers.map((worker) => worker.ended));
  });

  test('is not asked for where it is not needed', async () => {
    const reducer = await createReducer({ threads: 1, wasmUrl: `${origin}/none.wasm` });
    expect(reducer.reduceLogSum(values).data[0]).toBe(expected);
    reducer.dispose();
  });
});

describe('dispose', () => {
  test('ends the workers', async () => {
    const workers = watchWorkers();
    const heard = [];
    const reducer = await createReducer({ threads: 3, onFallback: (reason) => heard.push(reason) });
    check(reducer);
    reducer.dispose();
    reducer.dispose();
    expect(thrownBy(() => reducer.reduceSumSquare(values)).code).toBe('DISPOSED');
    expect(thrownBy(() => reducer.allocate('float32', [1])).code).toBe('DISPOSED');
    await Promise.all(workers.map((worker) => worker.ended));
    expect(workers).toHaveLength(2);
    expect(heard).toEqual([]);
  });

  test('of one leaves another as it is', async () => {
    const [a, b] = await Promise.all([createReducer({ threads: 2 }), createReducer({ threads: 3 })]);
    expect([a.threads, b.threads]).toEqual([2, 3]);
    const theirs = a.allocate('float32', [count]);
    theirs.data.set(values);
    expect(b.reduceLogSum(theirs).data[0]).toBe(expected);
    a.dispose();
    check(b);
    // The tensor still holds the memory it lies in.
    expect(b.reduceLogSum(theirs).data[0]).toBe(expected);
    theirs.dispose();
    b.dispose();
  });

  test('200 times leaves neither workers nor memory', () => {
    const code = `
      let workers = 0;
      process.on('worker', (worker) => { workers++; worker.once('exit', () => workers--); });
      const sizes = [];
      for (let i = 0; i < 200; i++) {
        const reducer = await createReducer({ threads: 2 });
        if (reducer.threads !== 2) throw new Error(reducer.threadsReason);
        const x = reducer.allocate('float32', [1 << 20]);
        x.data.fill(2);
        if (reducer.reduceSumSquare(x).data[0] !== 2 ** 22) throw new Error('wrong result');
        reducer.dispose();
        if (i % 20 === 19) sizes.push(process.memoryUsage().rss >> 20);
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
      process.stdout.write(JSON.stringify([workers, sizes]));`;
    const ended = run(code, { timeout: 290000 });
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    const [workers, sizes] = JSON.parse(ended.stdout);
    expect(workers).toBe(0);
    // Megabytes. Each reducer has 5 of them in use, which would make a thousand.
    expect(Math.max(...sizes) - sizes[0]).toBeLessThan(500);
  }, 300000);
});
