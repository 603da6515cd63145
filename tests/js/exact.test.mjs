// A fixed part of `npm run test:exact`: random and hostile cases of the built
// package against the exact oracle, and the digest of the corpus that the
// native tests share. Most of it runs in processes of its own, as it is slow in
// Jest's realm; a few cases run here, where typed arrays are another realm's.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeCase } from '../exact/cases.mjs';
import { runCase, wayNames } from '../exact/paths.mjs';
import { Random } from '../exact/random.mjs';
import { describe as describeCase, firstDifference } from '../exact/report.mjs';
import { reduceExactly } from '../oracle/index.mjs';

const exact = fileURLToPath(new URL('../exact/', import.meta.url));
const kSeed = 20261;

async function script(name, ...args) {
  try {
    return (await promisify(execFile)(process.execPath, [`${exact}${name}`, ...args])).stdout;
  } catch (error) {
    return `${error.stdout}${error.stderr}`;
  }
}

test('random and hostile cases in this realm, bit for bit', async () => {
  const api = await import('../../dist/index.mjs');
  const wrong = [];
  for (let index = 0; index < 400; index += 1) {
    const test = makeCase(kSeed, index);
    const expected = reduceExactly(test);
    const way = wayNames[index % wayNames.length];
    const actual = runCase(api, way, new Random(kSeed, index), test, expected);
    const at = firstDifference(expected, actual);
    if (at !== -1) wrong.push(`by way of ${way}: ${describeCase(test, expected, actual, at)}`);
  }
  expect(wrong).toEqual([]);
});

test('random and hostile cases of all types and layouts; the exact accumulator is hardly ever needed', async () => {
  const text = await script('run.mjs', '--cases', '3000', '--seed', String(kSeed), '--no-large');
  expect(text).not.toMatch(/WRONG|THROWN|TOO OFTEN/);
  expect(text).toMatch(/^3024 passed, 0 failed/m);
  expect(text).toMatch(/decided by the exact accumulator, ordinary ReduceLogSum float64: \d+ of 18000 results/);
}, 300000);

const recorded = JSON.parse(readFileSync(`${exact}corpus_digest.inc`, 'utf8'));
test.each([1, 2])('with %i threads the result bits of the shared corpus are those that were recorded', async (threads) => {
  const text = await script('corpus_hash.mjs', '640', '1', String(threads));
  expect(text.trim()).toBe(recorded);
}, 300000);
