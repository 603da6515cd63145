// Comparison of a result with the oracle's, and a small reproduction of what
// differs.
import { bitsArrayOf, hex } from '../oracle/formats.mjs';
import { forEachElement, reduceExactly, reducedFlags } from '../oracle/reduction.mjs';

/** Index of the first difference, -1 when dims and bits are equal, -2 for dims. */
export function firstDifference(expected, actual) {
  if (expected.dims.length !== actual.dims.length || expected.dims.some((dim, i) => dim !== actual.dims[i])) return -2;
  if (expected.bits.length !== actual.bits.length) return -2;
  for (let i = 0; i < expected.bits.length; i += 1) {
    if (expected.bits[i] !== actual.bits[i]) return i;
  }
  return -1;
}

/**
 * Makes the slice of one wrong output as short as possible: as long as the
 * library still differs from the oracle, pieces of it are left out.
 * @param {(test: object) => {dims: number[], bits: ArrayLike<number|bigint>}} compute
 * @returns {object|null} a rank-1 case, or null when the slice alone is right
 */
export function minimise(test, output, compute) {
  const { op, type, dims, axes, noopWithEmptyAxes, bits } = test;
  const flags = reducedFlags(dims.length, axes, noopWithEmptyAxes);
  const slice = [];
  forEachElement(dims, flags, (to, from) => {
    if (to === output) slice.push(bits[from]);
  });
  const caseOf = (list) => ({
    op, type, dims: [list.length], axes: undefined, keepdims: true, noopWithEmptyAxes: false,
    bits: bitsArrayOf(type).from(list),
  });
  const wrong = (list) => {
    const candidate = caseOf(list);
    try {
      return firstDifference(reduceExactly(candidate), compute(candidate)) !== -1;
    } catch {
      return true;
    }
  };
  if (!wrong(slice)) return null;
  let list = slice;
  for (let size = list.length >> 1; size >= 1;) {
    let shorter = null;
    for (let from = 0; from < list.length && shorter === null; from += size) {
      const rest = [...list.slice(0, from), ...list.slice(from + size)];
      if (rest.length > 0 && wrong(rest)) shorter = rest;
    }
    if (shorter !== null) list = shorter;
    else size >>= 1;
    if (size > list.length) size = list.length >> 1;
  }
  return caseOf(list);
}

/** A case and what was wrong with it, as text from which it can be run again. */
export function describe(test, expected, actual, at) {
  const { op, type, dims, axes, keepdims, noopWithEmptyAxes, bits, layout, kind, seed, index } = test;
  const lines = [
    `${op} ${type} dims [${dims}] axes ${axes === undefined ? 'missing' : `[${axes}]`} keepdims ${keepdims} noop ${noopWithEmptyAxes}`,
  ];
  if (seed !== undefined) lines.push(`  seed ${seed} case ${index} layout ${layout} values ${kind}`);
  if (at === -2) lines.push(`  dims [${actual.dims}], expected [${expected.dims}]`);
  else lines.push(`  output ${at}: ${hex(type, actual.bits[at])}, expected ${hex(type, expected.bits[at])}`);
  if (bits.length <= 80) lines.push(`  data ${Array.from(bits, (value) => hex(type, value)).join(' ')}`);
  return lines.join('\n');
}
