// createReducer under whatever headers and policies the page has.
import { bitsOf } from './bits.js';
import { equal, ok, thrownBy, within } from './harness.js';
import { checkCases } from './operator_cases.js';

/** A second is long for a worker to start; a machine under load may need several. */
const patience = 30;

function values(count, Buffer = ArrayBuffer) {
  const data = new Float32Array(new Buffer(count * 4));
  let state = 12345;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data[i] = state / 2 ** 24 - 100;
  }
  return data;
}

const shapes = [[[1 << 20], undefined], [[1024, 1024], 0], [[1024, 1024], 1], [[16, 256, 256], 1], [[1 << 18, 4], 1]];

function sameBytes(a, b, what) {
  const [x, y] = [a, b].map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
  equal(x.length, y.length, `the size of ${what}`);
  const at = x.findIndex((byte, i) => byte !== y[i]);
  if (at >= 0) throw new Error(`${what} differs in element ${Math.floor(at / a.BYTES_PER_ELEMENT)}`);
}

/** Both operators over some layouts: the same bits as by the plain functions. */
function compare(reducer, library, data) {
  for (const [dims, axes] of shapes) {
    for (const name of ['reduceSumSquare', 'reduceLogSum']) {
      sameBytes(reducer[name]({ data, dims }, { axes }).data, library[name]({ data, dims }, { axes }).data, `${name} of [${dims}], axis ${axes}`);
    }
  }
}

function loadedFiles() {
  return performance.getEntriesByType('resource').map(({ name }) => name.slice(name.lastIndexOf('/') + 1));
}

/** @param {{ checks: object, parameters: Record<string, string>, dist: string, library: object, data: object[] }} context */
export async function checkReducers({ checks, parameters, dist, library, data: cases }) {
  const threadsEntry = await import(`${dist}threads.mjs`);
  const create = (options) => within(patience, threadsEntry.createReducer(options));
  const heard = [];
  const reducer = await create({ threads: 3, onFallback: (reason) => heard.push(reason) });
  // WebKitGTK has no shared memory even when it is isolated.
  const demanded = parameters.threads === 'yes' && typeof SharedArrayBuffer === 'function';

  await checks.check(demanded ? 'has the threads asked for' : 'goes on with one thread and says why', () => {
    if (demanded) {
      equal([reducer.threads, reducer.threadsReason, heard], [3, '', []], 'threads, reason and what onFallback heard');
    } else {
      equal(reducer.threads, 1, 'threads');
      ok(reducer.threadsReason.length > 0, 'there is no reason');
      equal(heard, [reducer.threadsReason], 'what onFallback heard');
    }
  });
  if (!demanded) {
    await checks.check('loads nothing of the threaded core where it is of no use', () => {
      equal(loadedFiles().filter((name) => /core-mt|reduce-worker/.test(name)), [], 'files');
    });
  }
  await checkCases(checks, 'reducer', reducer, cases);

  const data = values(1 << 20);
  await checks.check('gives the same bits as the plain functions', () => compare(reducer, library, data));
  if (typeof SharedArrayBuffer === 'function') {
    await checks.check('gives the same bits from shared memory', () => compare(reducer, library, values(1 << 20, SharedArrayBuffer)));
  }
  await checks.check('reduces its allocated tensors', () => {
    const tensor = reducer.allocate('float32', [1024, 1024]);
    tensor.data.set(data);
    for (const axes of [[], [0], [1]]) {
      sameBytes(reducer.reduceSumSquare(tensor, { axes }).data, library.reduceSumSquare({ data, dims: [1024, 1024] }, { axes }).data, `axes [${axes}]`);
    }
    tensor.dispose();
  });
  await checks.check('reports a bad argument and goes on', () => {
    const error = thrownBy(() => reducer.reduceSumSquare(data, { axes: [1] }));
    ok(error instanceof RangeError && error instanceof threadsEntry.ReduceError, `${error} is no RangeError of the library`);
    equal(bitsOf(reducer.reduceSumSquare(new Float32Array([3])).data), ['0x41100000'], 'the next result');
  });
  await checks.check('one thread when one is asked for, without a complaint', async () => {
    const fallbacks = [];
    const single = await create({ threads: 1, onFallback: (reason) => fallbacks.push(reason) });
    equal([single.threads, single.threadsReason, fallbacks], [1, '', []], 'threads, reason and what onFallback heard');
    compare(single, library, data);
    single.dispose();
  });
  await checks.check("'auto' takes what there is", async () => {
    const automatic = await create();
    if (demanded && navigator.hardwareConcurrency > 1) ok(automatic.threads > 1, `threads is ${automatic.threads} of ${navigator.hardwareConcurrency}: ${automatic.threadsReason}`);
    ok(automatic.threads >= 1 && automatic.threads <= Math.max(navigator.hardwareConcurrency ?? 1, 1), `threads is ${automatic.threads}`);
    compare(automatic, library, data);
    automatic.dispose();
  });
  await checks.check('two at a time, one of them disposed of', async () => {
    const [a, b] = await Promise.all([create({ threads: 2 }), create({ threads: 2 })]);
    compare(a, library, data);
    compare(b, library, data);
    a.dispose();
    compare(b, library, data);
    b.dispose();
  });
  await checks.check('a disposed reducer throws, and disposing twice is fine', () => {
    reducer.dispose();
    reducer.dispose();
    equal(thrownBy(() => reducer.reduceSumSquare(data)).code, 'DISPOSED', 'code');
  });
  const rounds = Number(parameters.rounds ?? 10);
  await checks.check(`made and disposed of ${rounds} times`, async () => {
    const small = new Float32Array([1, 2, 3]);
    for (let i = 0; i < rounds; i++) {
      const one = await create({ threads: 2 });
      if (demanded) equal([one.threads, one.threadsReason], [2, ''], `threads and reason in round ${i}`);
      equal(one.reduceSumSquare(small).data[0], 14, `the result in round ${i}`);
      one.dispose();
    }
  });
  await checkBrokenFiles({ checks, create, library, data, demanded });
}

/** Addresses at which there is no worker and no core. */
async function checkBrokenFiles({ checks, create, library, data, demanded }) {
  const missing = new URL('./no_such_file.mjs', import.meta.url).href;
  await checks.check('a worker that can not be loaded leaves one thread', async () => {
    const reducer = await create({ threads: 2, workerUrl: missing });
    ok(reducer.threads <= 2, `threads is ${reducer.threads}`);
    if (demanded) {
      equal(reducer.threads, 1, 'threads');
      ok(reducer.threadsReason.includes(missing), `the reason doesn't name ${missing}: ${reducer.threadsReason}`);
    }
    compare(reducer, library, data);
    reducer.dispose();
  });
  await checks.check('a core that is none is named with what came back', async () => {
    const page = new URL('./checks.html', import.meta.url).href;
    for (const [url, answer] of [[page, /html/i], [new URL('./no_such.wasm', import.meta.url).href, /404/]]) {
      let said;
      try {
        const reducer = await create({ threads: 2, wasmUrl: url });
        said = reducer.threadsReason;
        compare(reducer, library, data);
        reducer.dispose();
      } catch (error) {
        said = error.message;
        ok(!demanded || 'code' in error, `${error} is no error of the library`);
      }
      if (demanded) ok(said.includes(url) && answer.test(said), `neither reason nor error names ${url} and ${answer}: ${said}`);
    }
  });
}
