// Runs the asked-for groups of checks, in a page or in a worker.
import { Checks, equal, ok, thrownBy, watchNoise } from './harness.js';
import { checkCases } from './operator_cases.js';
import { checkGrowth, checkLarge } from './memory.js';
import { checkReducers } from './reducers.js';

const groups = {
  /** The page is what the test means it to be. */
  async environment({ checks, parameters }) {
    await checks.check('isolated as the headers say', () => {
      equal(globalThis.crossOriginIsolated === true, parameters.isolated === 'yes', 'crossOriginIsolated');
    });
    if (parameters.sharedMemory === 'yes') {
      await checks.check('shared memory is there', () => ok(typeof SharedArrayBuffer === 'function', 'there is no SharedArrayBuffer'));
    }
    if (parameters.eval === 'no') {
      await checks.check('the policy forbids eval', () => {
        thrownBy(() => new Function('return 1'));
      });
    }
  },
  cases: ({ checks, library, data }) => checkCases(checks, 'functions', library, data),
  growth: ({ checks, library }) => checkGrowth(checks, library),
  large: ({ checks, library }) => checkLarge(checks, library),
  reducers: (context) => checkReducers(context),
  /** The policy allows no WebAssembly at all. */
  async refused({ checks, library }) {
    await checks.check('says what the policy lacks', () => {
      for (let i = 0; i < 2; i++) {
        const error = thrownBy(() => library.reduceSumSquare(new Float32Array([1, 2, 3])));
        ok(error instanceof library.ReduceError, `${error} is no ReduceError`);
        equal(error.code, 'WASM_UNAVAILABLE', 'code');
        ok(error.message.includes('wasm-unsafe-eval'), `the message doesn't name 'wasm-unsafe-eval': ${error.message}`);
      }
    });
  },
};

/**
 * @param {Record<string, string>} parameters `groups`, comma-separated; `library` 'module' or
 *   'script'; `dist`, the folder's address; `threads` 'yes' where the headers allow threads
 * @param {(name: string) => void} onStart is told the name of each check before it runs
 */
export async function runChecks(parameters, onStart) {
  const noise = watchNoise();
  const checks = new Checks(onStart);
  const dist = new URL(parameters.dist ?? '../dist/', import.meta.url).href;
  const library = parameters.library === 'script' ? globalThis.onnxReduce : await import(`${dist}index.mjs`);
  const data = await (await fetch(new URL('../data/operator-cases.json', import.meta.url))).json();
  const context = { checks, parameters, dist, library, data };
  for (const name of parameters.groups.split(',')) await groups[name](context);
  await checks.check('nothing is printed', () => equal(noise, [], 'output'));
  return checks.results;
}
