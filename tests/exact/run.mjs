// npm run test:exact: random and hostile cases of the built package against the
// oracle, bit for bit.
//
//   node tests/exact/run.mjs [--cases 100000] [--seed N] [--case I] [--threads 1,2,3] [--no-large] [--max-wrong 10]
//
// A failing case is printed with the two numbers that make it again (--seed,
// --case) and, shortened to what is needed, with its data.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { reduceExactly, floatNames } from '../oracle/index.mjs';
import { makeCase, makeLargeCase, operators } from './cases.mjs';
import { runCase, wayNames } from './paths.mjs';
import { Random } from './random.mjs';
import { describe, firstDifference, minimise } from './report.mjs';
import { openLibrary } from './library.mjs';

const { values: given } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    case: { type: 'string' },
    threads: { type: 'string', default: '1,2,3' },
    'no-large': { type: 'boolean', default: false },
    'max-wrong': { type: 'string', default: '10' },
  },
});
const seed = given.seed === undefined ? (Date.now() ^ (process.pid << 16)) >>> 0 : Number(given.seed) >>> 0;
const only = given.case === undefined ? null : Number(given.case);
const count = Number(given.cases);
const maxWrong = Number(given['max-wrong']);
const library = await openLibrary(given.threads.split(',').map(Number));

const tally = { cases: 0, results: 0, elements: 0, wrong: 0 };
const fallback = new Map();

function note(test, statistics) {
  if (statistics === null) return;
  const name = ['uniform', 'normal', 'integers', 'tenths'].includes(test.kind) ? test.kind : 'hostile';
  const entry = fallback.get(name) ?? { results: 0, undecided: 0 };
  entry.results += statistics.results;
  entry.undecided += statistics.undecided;
  fallback.set(name, entry);
}

function check(test, expected, target, way) {
  const random = new Random(test.seed, test.index ^ 0x5bd1e995);
  let actual;
  let at;
  try {
    actual = runCase(target.api, way, random, test, expected);
    at = firstDifference(expected, actual);
    note(test, target.statistics());
  } catch (error) {
    tally.wrong += 1;
    console.log(`THROWN by ${target.name} (${way}): ${error?.stack ?? error}`);
    console.log(describe(test, expected, { dims: expected.dims, bits: expected.bits }, 0));
    return;
  }
  if (at === -1) return;
  tally.wrong += 1;
  console.log(`WRONG by ${target.name} (${way})`);
  console.log(describe(test, expected, actual, at));
  if (at < 0) return;
  const again = (candidate) => runCase(target.api, 'array', random, candidate, null);
  const small = minimise(test, at, again);
  if (small === null) console.log('  (its slice alone is right: the layout matters)');
  else console.log(`  in short: ${describe(small, reduceExactly(small), again(small), 0)}`);
}

function runOne(test) {
  const expected = reduceExactly(test);
  tally.cases += 1;
  tally.results += expected.bits.length;
  tally.elements += test.bits.length;
  const turn = tally.cases;
  for (const [i, target] of library.targets.entries()) {
    // Every target sees every third case at least; the first one sees all.
    if (i > 0 && only === null && (turn + i) % 3 !== 0) continue;
    check(test, expected, target, wayNames[(turn + i) % wayNames.length]);
    if (only !== null) for (const way of wayNames) check(test, expected, target, way);
  }
}

console.log(`seed ${seed}, ${only === null ? `${count} cases` : `case ${only}`}, by ${library.targets.map((target) => target.name).join(', ')}`);
const start = performance.now();
let said = start;
for (let i = only ?? 0; i < (only === null ? count : only + 1) && tally.wrong < maxWrong; i += 1) {
  runOne(makeCase(seed, i));
  if (performance.now() - said > 15000) {
    said = performance.now();
    console.log(`  ${i + 1} cases, ${((said - start) / 1000).toFixed(0)} s, ${tally.wrong} wrong`);
  }
}
if (!given['no-large'] && only === null) {
  for (const type of floatNames) {
    for (const op of operators) runOne(makeLargeCase(seed, type, op, 1e7 + 1));
  }
}
const seconds = (performance.now() - start) / 1000;
await library.close();

console.log(`${tally.cases} cases, ${tally.results} results, ${tally.elements} elements in ${seconds.toFixed(1)} s`);
for (const [name, { results, undecided }] of fallback) {
  console.log(`  decided by the exact accumulator, ${name} values: ${undecided} of ${results} results (${(undecided / results).toExponential(2)})`);
}
const wrongCases = Math.min(tally.wrong, tally.cases);
console.log(`${tally.cases - wrongCases} passed, ${wrongCases} failed (seed ${seed})`);
const folder = fileURLToPath(new URL('../../build/test-results/', import.meta.url));
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}exact.json`, JSON.stringify({
  name: 'exact', passed: tally.cases - wrongCases, failed: wrongCases, skipped: 0, seed, seconds, ...tally,
  fallback: Object.fromEntries(fallback),
}));
process.exitCode = tally.wrong === 0 && tally.cases > 0 ? 0 : 1;
