// The test runners, each of which answers with counts {passed, failed, skipped}.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { dropStaleFolder } from '../build/cmake.mjs';
import { filesBelow, project } from '../build/files.mjs';
import { entryBudget, sizesOf } from '../build/sizes.mjs';
import { mustRun } from '../setup/report.mjs';
import { run } from './process.mjs';

const results = join(project, 'build/test-results');
const at = (path) => join(project, path);

/** The counts of a runner that gave none: one failure, with the reason. */
const broken = (note) => ({ passed: 0, failed: 1, skipped: 0, note });

function clear(name) {
  mkdirSync(results, { recursive: true });
  const path = join(results, `${name}.json`);
  rmSync(path, { force: true });
  return path;
}

/** Reads a result file; a runner that fails without naming a failed test counts as one. */
function collect(path, { code, timedOut }, read) {
  if (timedOut) return broken('took too long and was ended');
  if (!existsSync(path)) return broken(`ended with code ${code} before it wrote its results`);
  let counts;
  try {
    counts = read(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    return broken(`wrote results that can't be read: ${error.message}`);
  }
  if (code !== 0 && counts.failed === 0) return { ...counts, failed: 1, note: `ended with code ${code}` };
  if (counts.passed + counts.failed + counts.skipped === 0) return broken('ran no test');
  return counts;
}

const plain = ({ passed, failed, skipped = 0, skips }) => ({ passed, failed, skipped, skips });

const total = (list, key) => list.reduce((sum, counts) => sum + counts[key], 0);

/** Builds and runs the native tests; `options` are CMake's. */
async function native(name, options, env) {
  const folder = at(`build/${name}`);
  dropStaleFolder(folder);
  mustRun(`Configuring the build of the tests "${name}"`, 'cmake', ['-G', 'Ninja', '-S', project, '-B', folder,
    '-DCMAKE_CXX_COMPILER=clang++', '-DONNX_REDUCE_WERROR=ON', ...options]);
  const built = await run('cmake', ['--build', folder]);
  if (built.code !== 0) return broken('does not compile');
  // GoogleTest deals its tests out to as many processes as there are cores.
  const shards = Math.min(availableParallelism(), 4);
  const counts = await Promise.all(Array.from({ length: shards }, async (_, index) => {
    const path = clear(`${name}-${index}`);
    const ended = await run(join(folder, 'native_tests'), ['--gtest_brief=1', `--gtest_output=json:${path}`],
      { env: { ...env, GTEST_TOTAL_SHARDS: String(shards), GTEST_SHARD_INDEX: String(index) } });
    return collect(path, ended, (json) => {
      const skipped = json.testsuites.flatMap((suite) => suite.testsuite).filter((test) => test.result === 'SKIPPED').length;
      return { passed: json.tests - json.failures - json.disabled - skipped, failed: json.failures, skipped: skipped + json.disabled };
    });
  }));
  return {
    passed: total(counts, 'passed'), failed: total(counts, 'failed'), skipped: total(counts, 'skipped'),
    note: counts.map(({ note }) => note).filter(Boolean).join('; '),
  };
}

/** A few seconds of each fuzzer: enough to replay its corpus and to see that it still runs. */
async function fuzz() {
  const folder = at('build/fuzz');
  dropStaleFolder(folder);
  mustRun('Configuring the fuzzers', 'cmake', ['-G', 'Ninja', '-S', project, '-B', folder, '-DCMAKE_CXX_COMPILER=clang++', '-DONNX_REDUCE_FUZZ=ON']);
  const targets = readdirSync(at('tests/fuzz')).filter((name) => name.endsWith('.cc')).map((name) => name.slice(0, -3));
  const built = await run('cmake', ['--build', folder, '--target', ...targets]);
  if (built.code !== 0) return broken('does not compile');
  let passed = 0;
  for (const target of targets) {
    // New inputs go to the build folder; the corpus in the repository stays as it is.
    const found = at(`build/fuzz/corpus-${target}`);
    mkdirSync(found, { recursive: true });
    const corpus = at(`tests/fuzz/corpus/${target}`);
    const ended = await run(join(folder, target), ['-max_total_time=15', '-print_final_stats=0', '-verbosity=0', `-artifact_prefix=${folder}/`, found, ...(existsSync(corpus) ? [corpus] : [])]);
    if (ended.code === 0) ++passed;
  }
  return { passed, failed: targets.length - passed, skipped: 0 };
}

async function jest() {
  const path = clear('jest');
  const ended = await run(process.execPath, ['--experimental-vm-modules', '--no-warnings', at('node_modules/jest/bin/jest.js'), '--json', `--outputFile=${path}`, '--reporters=default'],
    // Jest prints its JSON only to the file.
    { env: { FORCE_COLOR: process.stdout.isTTY ? '1' : '0' } });
  return collect(path, ended, (json) => ({
    passed: json.numPassedTests,
    // A suite that doesn't load has no tests to fail.
    failed: json.numFailedTests + json.numRuntimeErrorTestSuites,
    skipped: json.numPendingTests + json.numTodoTests,
  }));
}

/** A runner of ours: it writes build/test-results/NAME.json itself. */
async function own(name, script, args = [], options = {}) {
  const path = clear(name);
  const ended = await run(process.execPath, [at(script), ...args], options);
  return collect(path, ended, plain);
}

function size() {
  const { brotli } = sizesOf('index.mjs');
  const fits = brotli <= entryBudget;
  const note = `dist/index.mjs: ${(brotli / 1000).toFixed(1)} kB brotli, budget ${entryBudget / 1000} kB`;
  console.log(note);
  const counts = { passed: fits ? 1 : 0, failed: fits ? 0 : 1, skipped: 0, note };
  writeFileSync(clear('size'), JSON.stringify({ name: 'size', ...counts }));
  return counts;
}

const has = (folder, pattern) => () => filesBelow(at(folder)).some((path) => pattern.test(path));
const sanitizerOptions = { ASAN_OPTIONS: 'detect_leaks=1:strict_string_checks=1', UBSAN_OPTIONS: 'print_stacktrace=1' };

/** All runners, in the order in which they run; those that aren't there yet are left out. */
export const runners = [
  { name: 'native', title: 'core, natively', exists: has('tests/native', /_test\.cc$/), run: () => native('native', ['-DCMAKE_BUILD_TYPE=Release']) },
  { name: 'asan', title: 'core, ASan and UBSan', exists: has('tests/native', /_test\.cc$/), run: () => native('asan', ['-DCMAKE_BUILD_TYPE=Debug', '-DONNX_REDUCE_SANITIZE=ON'], sanitizerOptions) },
  { name: 'fuzz', title: 'fuzzers, briefly', exists: has('tests/fuzz', /\.cc$/), run: fuzz },
  { name: 'jest', title: 'package (Jest)', exists: has('tests', /\.test\.m?js$/), run: jest },
  { name: 'exact', title: 'exactness sample', exists: has('tests/exact', /run\.mjs$/), run: () => own('exact', 'tests/exact/run.mjs', ['--cases', '4000', '--seed', '1', '--summary', join(results, 'exact.json')]) },
  { name: 'package', title: 'apps and bundlers', exists: has('tests/package', /^.*tests\/package\/run\.mjs$/), run: ({ all }) => own('package', 'tests/package/run.mjs', all ? ['--all'] : [], { minutes: 45 }) },
  { name: 'browser', title: 'browsers', exists: has('tests/browser', /^.*tests\/browser\/run\.mjs$/), run: () => own('browser', 'tests/browser/run.mjs') },
  { name: 'size', title: 'size budget', exists: () => true, run: size },
];
