// The benchmark:
//   npm run bench [-- --quick] [--check] [--case REGEX] [--no-docs] [--no-peers] [--no-build]
// Installs what it compares with, builds what it measures, measures, prints
// tables and writes JSON. A complete run regenerates docs/performance.md.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureNodeModules } from '../tools/setup/node-modules.mjs';
import { runTool } from '../tools/setup/report.mjs';
import { caseName } from './cases.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const usage = `npm run bench [-- OPTIONS]
  --quick        a few cases in less than a minute
  --check        exit 1 where a ratio of bench/thresholds.mjs is not reached
  --case REGEX   only cases whose names match, e.g. "LogSum float32 \\\\[4096"
  --no-docs      leave docs/performance.md as it is
  --no-peers     without the other libraries
  --no-build     measure dist/ as it is`;

const lengths = {
  quick: { rounds: 5, sampleMs: 4, warmMs: 40, budgetMs: 200 },
  full: { rounds: 9, sampleMs: 8, warmMs: 80, budgetMs: 450 },
  // Of what seemed too slow: more rounds, so that a busy moment counts less.
  again: { rounds: 21, sampleMs: 10, warmMs: 120, budgetMs: 1000 },
  quickAgain: { rounds: 15, sampleMs: 6, warmMs: 100, budgetMs: 500 },
};

function readArguments() {
  const { values } = parseArgs({ options: {
    quick: { type: 'boolean', default: false }, check: { type: 'boolean', default: false }, case: { type: 'string' },
    'no-docs': { type: 'boolean', default: false }, 'no-peers': { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false }, help: { type: 'boolean', default: false },
  } });
  return values;
}

async function prepare(options) {
  await ensureNodeModules();
  await ensureNodeModules(here('.'));
  if (!options['no-build']) {
    const { setup } = await import('../tools/setup.mjs');
    const { buildAll } = await import('../tools/build.mjs');
    await setup({ native: false });
    await buildAll();
  }
  const { buildLimitKernels } = await import('./limit_kernels.mjs');
  buildLimitKernels();
  // A copy, so that a build during the minutes that follow changes nothing.
  const copy = here('../build/bench/dist');
  rmSync(copy, { recursive: true, force: true });
  cpSync(here('../dist'), copy, { recursive: true });
  process.env.ONNX_REDUCE_BENCH_DIST = pathToFileURL(`${copy}/`).href;
}

const say = (text) => process.stderr.write(`${text}\n`);

// Threads are compared where they differ: on sizes, and on layouts that are cut differently.
const labelsWithThreads = {
  quick: ['64', '2^24'],
  full: ['64', '4096', '2^20', '2^24', '[4096,4096] axis 0', '[4096,4096] axis 1', '[64,512,512] axis 1', '[32,56,56,64] axes 0,1,2'],
};

/** The processes to run: groups of cases, each with a mode. */
async function planRuns(options, threads) {
  const { groupCases, listCases } = await import('./cases.mjs');
  const pattern = new RegExp(options.case ?? '');
  const groups = groupCases(listCases({ quick: options.quick && options.case === undefined, pattern }));
  const labels = labelsWithThreads[options.quick && options.case === undefined ? 'quick' : 'full'];
  const single = groups.map((cases) => ({ cases, mode: 'single' }));
  const threaded = threads < 2 ? [] : groups
    .filter(([one]) => one.type === 'float32' && labels.includes(one.label)).map((cases) => ({ cases, mode: 'threads' }));
  return [...single, ...threaded];
}

async function measureRuns(runs, options, threads, settings) {
  const { runChild } = await import('./child.mjs');
  const measured = { results: [], threads: 1, threadsReason: '', broken: [] };
  for (const [index, { cases, mode }] of runs.entries()) {
    say(`[${index + 1}/${runs.length}] ${cases.map(caseName).join(', ')}${mode === 'threads' ? `, ${threads} threads` : ''}`);
    let report;
    try {
      report = await runChild('measure_group.mjs', JSON.stringify({ cases, mode, threads, settings, peers: !options['no-peers'] }));
    } catch (error) {
      measured.broken.push(...cases.map(({ name }) => name));
      say(error.message);
      continue;
    }
    measured.results.push(...report.results);
    if (mode === 'threads') {
      measured.threads = report.threads;
      measured.threadsReason = report.threadsReason;
    }
  }
  return measured;
}

async function measureFirstCalls(options) {
  const { runChild } = await import('./child.mjs');
  const { median } = await import('./timing.mjs');
  const { firstCallNames } = await import('./first_call.mjs');
  const names = options['no-peers'] ? firstCallNames.slice(0, 2) : firstCallNames;
  const samples = new Map(names.map((name) => [name, []]));
  say('first calls in fresh processes');
  for (let round = 0; round < (options.quick ? 1 : 7); round++) {
    for (const name of names) samples.get(name).push(await runChild('first_call.mjs', name));
  }
  return [...samples].map(([name, list]) => {
    const middle = { name };
    for (const key of Object.keys(list[0])) middle[key] = median(list.map((sample) => sample[key]));
    return middle;
  });
}

/** Names of the cases in which ours disagree with each other. */
function disagreements(results) {
  const digests = new Map();
  const wrong = new Set();
  for (const { name, digest } of results) {
    if (digest === null || (digests.has(name) && digests.get(name) !== digest)) wrong.add(name);
    digests.set(name, digest);
  }
  return [...wrong];
}

/** Measures the cases that failed again, twice at most; the last measurement counts. */
async function measureAgain(report, options, threads, judgeAll) {
  for (let time = 0; time < 2; time++) {
    const failed = judgeAll(report.results, report.threads).flatMap((judgement) => judgement.failed.map(({ result }) => result));
    if (failed.length === 0) return;
    const runs = [...new Set(failed)].map((result) => ({ cases: [result.case], mode: result.mode }));
    say(`${runs.length} cases below their threshold: measured again, longer`);
    const { results, broken } = await measureRuns(runs, options, threads, lengths[options.quick ? 'quickAgain' : 'again']);
    for (const result of results) {
      const index = report.results.findIndex(({ name, mode }) => name === result.name && mode === result.mode);
      report.results[index] = result;
    }
    report.broken.push(...broken);
  }
}

const rounded = (_, value) => (typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value);

async function main() {
  const options = readArguments();
  if (options.help) return console.log(usage);
  await prepare(options);
  const [{ judgeAll }, { measureSizes }, { describeMachine }, { printReport }] = await Promise.all(
    [import('./thresholds.mjs'), import('./sizes.mjs'), import('./machine.mjs'), import('./print.mjs')]);
  const complete = !options.quick && options.case === undefined && !options['no-peers'];
  const threads = availableParallelism();
  const runs = await planRuns(options, threads);
  if (runs.length === 0) throw new Error(`no case matches ${options.case}`);
  const report = {
    date: new Date().toISOString().slice(0, 10), machine: describeMachine(),
    ...await measureRuns(runs, options, threads, lengths[options.quick ? 'quick' : 'full']),
  };
  if (options.check) await measureAgain(report, options, threads, judgeAll);
  if (options.case === undefined) {
    report.firstCalls = await measureFirstCalls(options);
    if (!options['no-peers'] && !options.quick) report.sizes = await measureSizes();
  }
  report.disagreements = disagreements(report.results);

  const keep = complete && report.broken.length === 0 && !options['no-docs'];
  const file = here(keep ? 'results.json' : '../build/bench/results.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, rounded)}\n`);
  const judgements = judgeAll(report.results, report.threads);
  printReport(report, judgements);
  if (keep) {
    const { writePerformance } = await import('./performance.mjs');
    writePerformance(report, judgements);
  }
  if (report.disagreements.length > 0 || report.broken.length > 0) process.exitCode = 1;
  if (options.check && judgements.some(({ passed }) => !passed)) process.exitCode = 1;
}

await runTool(main);
