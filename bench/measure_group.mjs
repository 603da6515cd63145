// One process of the benchmark: measures a group of cases that share their data.
//   node bench/measure_group.mjs '{"cases": [...], "mode": "single", "settings": {...}, "peers": true}'
// Prints one line of JSON. Modes: "single" compares all libraries with one
// thread each, by processor time; "threads" with as many as there are, by the clock.
import { createHash } from 'node:crypto';
import { bytesOf, makeData } from './data.mjs';
import { countOf, fewElements, outputsOf } from './cases.mjs';
import { readTogether } from './read_together.mjs';
import { allocated, openIndex, openThreads, ours, oursInPlace } from './subjects/ours.mjs';
import { heapSet, Limits, plainLoop, resultArray } from './subjects/limits.mjs';
import { openOrtNode, openOrtWeb, openTfjs, ortSubject, tfjsSubject } from './subjects/peers.mjs';
import { measure, speedRatio, typical } from './timing.mjs';

const request = JSON.parse(process.argv[2]);
const { mode, settings, peers } = request;
const [first] = request.cases;
const count = countOf(first.dims);
const data = makeData(first.type, count);

// Where the second-level cache ends, about: beyond it a sample begins with an
// untimed call.
settings.untimedFirst = data.byteLength > 2 ** 18;

const missing = {};
const said = (error) => String(error?.message ?? error).split('\n')[0].slice(0, 200);

/** Opens a library; where it can't be had, says why and gives null. */
async function attempt(name, open) {
  try {
    return await open();
  } catch (error) {
    missing[name] = said(error);
    return null;
  }
}

async function openLibraries() {
  if (!peers) return [];
  const list = [];
  const threads = mode === 'single' ? 1 : request.threads;
  const web = await attempt('onnxruntime-web', () => openOrtWeb(threads));
  if (web) list.push({ name: 'onnxruntime-web', subject: (one) => ortSubject(web, one, data) });
  const node = await attempt('onnxruntime-node', () => openOrtNode(threads));
  if (node) list.push({ name: 'onnxruntime-node', subject: (one) => ortSubject(node, one, data) });
  if (mode === 'single') {
    const tf = await attempt('tfjs-wasm', openTfjs);
    if (tf) list.push({ name: 'tfjs-wasm', subject: (one) => tfjsSubject(tf, one, data) });
  }
  return list;
}

/** What belongs to us in this mode: name, api and input of each. */
async function openOurs() {
  const index = await openIndex();
  const tensorOf = (api) => allocated(api, first.type, first.dims, data);
  const array = { data, dims: first.dims, type: first.type };
  const list = [
    { name: 'allocated', api: index, input: tensorOf(index) },
    { name: 'array', api: index, input: array },
  ];
  if (mode === 'single') {
    if (first.type === 'float16' || first.type === 'bfloat16') {
      // Its bits are not comparable: it only sets the pace.
      list.push({ name: 'float32', api: index, input: allocated(index, 'float32', first.dims, makeData('float32', count)), pace: true });
    }
    return { list, threads: 1, reason: '', close() {} };
  }
  const reducer = await openThreads(request.threads);
  const sharedData = new data.constructor(new SharedArrayBuffer(data.byteLength));
  sharedData.set(data);
  list.push(
    { name: 'threads allocated', api: reducer, input: tensorOf(reducer) },
    { name: 'threads array', api: reducer, input: array },
    { name: 'threads shared', api: reducer, input: { ...array, data: sharedData } });
  return { list, threads: reducer.threads, reason: reducer.threadsReason, close: () => reducer.dispose() };
}

/** A digest of the result's bits if all of ours agree, else null. */
function agreement(subjects) {
  const digests = subjects.map(({ run, resultOf }) => createHash('sha256').update(bytesOf(resultOf(run()))).digest('hex').slice(0, 16));
  return digests.every((digest) => digest === digests[0]) ? digests[0] : null;
}

async function measureCase(one, own, limits, libraries) {
  const mine = own.list.map(({ name, api, input, pace }) => ({ ...ours(name, api, one, input), pace }));
  if (mode === 'single') mine.push(oursInPlace(own.list[0].api, one, own.list[0].input));
  const digest = agreement(mine.filter(({ pace }) => !pace));
  const subjects = [...mine, ...limits];
  if (mode === 'single' && count > 2 ** 16) subjects.push(...alone.arithmetic(one), ...alone.staged(one));
  if (mode === 'single' && fewElements.includes(one.label)) subjects.push(resultArray(one, data, outputsOf(one)));
  const absent = { ...missing };
  if (mode === 'single') {
    const loop = plainLoop(one, data);
    if (loop) subjects.push(loop);
    if (count === 64 && loop) {
      const longer = { ...one, dims: [1024], axes: null };
      subjects.push({ ...plainLoop(longer, makeData(one.type, 1024)), name: 'JS loop of 1024' });
    }
  }
  for (const library of libraries) {
    try {
      subjects.push(await library.subject(one));
    } catch (error) {
      absent[library.name] = said(error);
    }
  }
  const samples = await measure(subjects, settings);
  for (const { close } of subjects) await close?.();
  return describe(one, digest, samples, absent);
}

/**
 * Names the best of the kernels of a kind its limit, and gives its number of
 * streams. It is chosen by its typical time, not anew in every round: the luckiest
 * of four would be faster than any.
 */
function chooseStreams(samples, kind, clock) {
  const kernels = [...samples.keys()].filter((name) => new RegExp(`^${kind} \\d`).test(name));
  if (kernels.length === 0) return null;
  const [best] = kernels.sort((a, b) => typical(samples.get(a), clock) - typical(samples.get(b), clock));
  samples.set(`${kind} limit`, samples.get(best));
  return Number(best.split(' ')[1]);
}

function describe(one, digest, samples, absent) {
  const clock = mode === 'single' ? 'cpu' : 'wall';
  const streams = chooseStreams(samples, 'read', clock);
  chooseStreams(samples, 'arithmetic', clock);
  const ms = {};
  for (const [name, list] of samples) ms[name] = typical(list, clock);
  const ratios = {};
  for (const [mine, list] of samples) {
    if (!/^((threads )?(allocated|array|shared)|in place)$/.test(mine)) continue;
    ratios[mine] = {};
    for (const [other, others] of samples) {
      if (other !== mine && !/^(read|arithmetic) \d/.test(other)) ratios[mine][other] = speedRatio(list, others, clock);
    }
  }
  return { name: one.name, case: one, mode, bytes: data.byteLength, count, streams, digest, ms, ratios, absent };
}

const own = await openOurs();
const alone = new Limits(data);
const reads = alone.reads();
const together = mode === 'threads' ? await readTogether(bytesOf(data), request.threads) : null;
// In the mode with threads, the read limit of one thread tells what the memory gives.
const limits = together === null ? [...reads, heapSet(data)]
  : [...together.subjects, { ...reads[2], name: 'one thread reads' }];
const libraries = await openLibraries();
const results = [];
for (const one of request.cases) results.push(await measureCase(one, own, limits, libraries));
await together?.close();
await own.close();
process.stdout.write(`${JSON.stringify({ threads: own.threads, threadsReason: own.reason, results })}\n`);
process.exit(0);
