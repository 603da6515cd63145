// The cases of tests/data/operator-cases.json, bit for bit.
import { bitsOf, fromBits } from './bits.js';
import { equal, ok, thrownBy } from './harness.js';

/** What a case hands to the function of its operator. */
export function callOf({ dtype, dims, data, repeat, axes, keepdims, noop, opset }) {
  const hex = repeat === undefined ? data : new Array(repeat).fill(data[0]);
  return [
    { data: fromBits(dtype, hex), dims, type: dtype },
    { ...(axes === undefined ? {} : { axes }), keepdims, noopWithEmptyAxes: noop, opset },
  ];
}

/** @param {object} library whatever has reduceSumSquare and reduceLogSum */
export async function checkCases(checks, way, library, cases) {
  const operators = { ReduceSumSquare: library.reduceSumSquare, ReduceLogSum: library.reduceLogSum };
  const kinds = { TypeError, RangeError };
  for (const entry of cases) {
    await checks.check(`${way}: ${entry.op}: ${entry.name} (${entry.dtype})`, () => {
      const [input, options] = callOf(entry);
      const compute = operators[entry.op];
      if (entry.throws !== undefined) {
        const error = thrownBy(() => compute(input, options));
        ok(error instanceof kinds[entry.throws], `${error} is no ${entry.throws}`);
        return;
      }
      const before = bitsOf(input.data);
      const y = compute(input, options);
      equal(y.type, entry.dtype, 'type');
      equal(y.dims, entry.expect.dims, 'dims');
      equal(bitsOf(y.data), entry.expect.data, 'bits');
      equal(bitsOf(input.data), before, 'the input afterwards');
    });
  }
}
