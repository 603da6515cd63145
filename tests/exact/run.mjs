// npm run test:exact: random and hostile cases of the built package against the
// oracle, bit for bit.
//
//   node tests/exact/run.mjs [--cases 100000] [--seed N] [--case I] [--threads 1,2,3] [--no-large]
//     [--max-wrong 10] [--summary FILE.json]
//
// A failing case is printed with the two numbers that make it again (--seed,
// --case) and, shortened to what is needed, with its data.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { reduceExactly, floatNames } from '../oracle/index.mjs';
import { makeCase, makeLargeCase, makeOrdinaryCase, operators } from './cases.mjs';
import { runCase } from './paths.mjs';
import { Random } from './random.mjs';
import { describe, firstDifference, minimise } from './report.mjs';
import { openLibrary } from './library.mjs';

const { values: given } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    case: { type: 'string' },
    threads: { type: 'string' },
    'no-large': { type: 'boolean', default: false },
    summary: { type: 'string' },
    'max-wrong': { type: 'string', default: '10' },
  },
});
const seed = given.seed === undefined ? (Date.now() ^ (process.pid << 16)) >>> 0 : Number(given.seed) >>> 0;
const only = given.case === undefined ? null : Number(given.case);
const count = Number(given.cases);
const maxWrong = Number(given['max-wrong']);
const library = await openLibrary((given.threads ?? '1,2,3').split(',').map(Number), { bare: true, strict: given.threads !== undefined });

const tally = { cases: 0, results: 0, elements: 0, wrong: 0 };
const fallback = new Map();

function note(test, statistics) {
  if (statistics === null) return;
  const name = test.layout === 'ordinary' ? `ordinary ${test.op} ${test.type}` : 'hostile and random';
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
    // (Ordinary data is the bare core's, which counts.)
    const due = test.layout === 'ordinary' ? target.statistics() !== null : i === 0 || (turn + i) % 3 === 0;
    if (!due && only === null) continue;
    check(test, expected, target, target.ways[(turn + i) % target.ways.length]);
    if (only !== null) for (const way of target.ways) check(test, expected, target, way);
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
// Ten million elements at once; and ordinary data, for the rate of the fallback.
if (only === null) {
  for (const type of floatNames) {
    for (const op of operators) {
      if (!given['no-large']) runOne(makeLargeCase(seed, type, op, 1e7 + 1));
      for (let i = 0; i < (given['no-large'] ? 3 : 10); i += 1) runOne(makeOrdinaryCase(seed, i, type, op, 6000));
    }
  }
}
const seconds = (performance.now() - start) / 1000;
await library.close();

console.log(`${tally.cases} cases, ${tally.results} results, ${tally.elements} elements in ${seconds.toFixed(1)} s`);
const ordinary = { results: 0, undecided: 0 };
for (const [name, { results, undecided }] of fallback) {
  console.log(`  decided by the exact accumulator, ${name}: ${undecided} of ${results} results`);
  if (!name.startsWith('ordinary')) continue;
  ordinary.results += results;
  ordinary.undecided += undecided;
}
if (ordinary.undecided * 1e4 > ordinary.results) {
  tally.wrong += 1;
  console.log(`TOO OFTEN: the exact accumulator decided ${ordinary.undecided} of ${ordinary.results} ordinary results, more than 1 in 10^4`);
}
const wrongCases = Math.min(tally.wrong, tally.cases);
console.log(`${tally.cases - wrongCases} passed, ${wrongCases} failed (seed ${seed})`);
if (given.summary !== undefined) {
  // For the test runner's sum.
  mkdirSync(dirname(given.summary), { recursive: true });
  writeFileSync(given.summary, JSON.stringify({
    name: 'exact', passed: tally.cases - wrongCases, failed: wrongCases, skipped: 0, seed, seconds, ...tally,
    fallback: Object.fromEntries(fallback),
  }));
}
process.exitCode = tally.wrong === 0 && tally.cases > 0 ? 0 : 1;
