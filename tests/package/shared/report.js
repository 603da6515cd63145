// What every app does with what it imported: all the cases that have a result,
// through the plain functions and through a reducer. Bundled into one file by
// the runner and copied into each app, so that no app needs more than that.
import { bitsOf } from '../../browser/page/bits.js';
import { callOf } from '../../browser/page/operator_cases.js';
import allCases from '../../data/operator-cases.json';

const cases = allCases.filter(({ throws }) => throws === undefined);

/** Names of the cases with wrong results. */
function wrongCases({ reduceSumSquare, reduceLogSum }) {
  const operators = { ReduceSumSquare: reduceSumSquare, ReduceLogSum: reduceLogSum };
  return cases.filter((entry) => {
    const y = operators[entry.op](...callOf(entry));
    return y.type !== entry.dtype || `${y.dims}` !== `${entry.expect.dims}` || `${bitsOf(y.data)}` !== `${entry.expect.data}`;
  }).map(({ op, name, dtype }) => `${op}: ${name} (${dtype})`);
}

/**
 * Prints one line for the runner: in a page into the element that it waits for,
 * elsewhere to the console.
 * @param {object} functions reduceSumSquare, reduceLogSum and, where there is one, createReducer
 * @param {unknown} own what the app itself found out
 */
export async function report({ createReducer, ...functions }, own) {
  const result = { cases: cases.length, wrong: wrongCases(functions), own };
  if (createReducer) {
    const reducer = await createReducer({ threads: 2 });
    result.threads = reducer.threads;
    result.threadsReason = reducer.threadsReason;
    result.wrongInReducer = wrongCases(reducer);
    // Large enough for the threads to share the work, and where they can read it.
    const data = new Float32Array(new (globalThis.SharedArrayBuffer ?? ArrayBuffer)(4 << 20)).fill(0.1);
    const [alone, together] = [functions, reducer].map(({ reduceSumSquare }) => bitsOf(reduceSumSquare(data).data)[0]);
    if (alone !== together) result.wrongInReducer.push(`a million tenths: ${together}, not ${alone}`);
    reducer.dispose();
  }
  show(result);
}

/** Says what went wrong in place of a result. */
export function fail(error) {
  show({ error: `${error}\n${error?.stack ?? ''}` });
}

function show(result) {
  const text = JSON.stringify(result);
  if (typeof document === 'undefined') {
    console.log(`RESULT ${text}`);
    return;
  }
  const element = document.createElement('pre');
  element.id = 'result';
  element.textContent = text;
  document.body.append(element);
}
