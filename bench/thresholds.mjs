// The ratios that must be reached: `npm run bench -- --check` fails where one
// isn't. Ratios only, each between two things measured in turn in one process,
// so that they hold on a slow or busy machine as well.
import { geometricMean } from './timing.mjs';

const layoutsAtMemorySpeed = [
  '2^24', '[4096,4096] axis 0', '[4096,4096] axis 1', '[64,512,512] axis 1', '[32,64,56,56] axes 0,2,3',
  '[32,56,56,64] axes 0,1,2',
];
const longSums = ['2^24', '[4096,4096] axis 0', '[4096,4096] axis 1'];

const is = (wanted, value) => wanted === undefined || wanted.includes(value);
const select = ({ mode = 'single', operators, types, labels, allAxes }) => (result) =>
  result.mode === mode && is(operators, result.case.operator) && is(types, result.case.type) && is(labels, result.case.label)
  && (allAxes === undefined || (result.case.axes === null) === allAxes);

// What two threads can gain is what the memory has left: reading alone, by as
// many threads, shows it.
const kThreadsGain = 1.7;
const gainOfReading = ({ ms }) => ms['one thread reads'] / ms['read limit'];

/**
 * Each row: `of`, one of ours, must be at least `least` times as fast as
 * `than`, in every case that `where` selects. `aim` is what we would like.
 */
export const thresholds = [
  { id: 'read limit', title: 'float32 in WebAssembly memory against the read limit',
    of: 'in place', than: 'read limit', least: 0.75, aim: 0.9, where: select({ types: ['float32'], labels: layoutsAtMemorySpeed }) },
  { id: 'tall sums', title: 'float32, sums of 4 million rows of four, against the read limit',
    of: 'in place', than: 'read limit', least: 0.75, aim: 0.9, where: select({ types: ['float32'], labels: ['[4194304,4] axis 0'] }) },
  // Where each result has three or four elements, making results is the work,
  // not reading: a prototype got to 11.5 GB/s of 25, with logarithms to 4.3, for
  // rows of four; three elements a result are three quarters of that.
  ...[['[4194304,4] axis 1', 'four', 1], ['[8,3,1024,1024] axis 1', 'three', 3 / 4]].flatMap(([label, elements, share]) => [
    { id: `sums of ${elements}, squares`, title: `float32, millions of sums of ${elements} squares, against the read limit`,
      of: 'in place', than: 'read limit', least: 0.46 * share,
      where: select({ operators: ['ReduceSumSquare'], types: ['float32'], labels: [label] }) },
    { id: `sums of ${elements}, logs`, title: `float32, millions of logarithms of sums of ${elements}, against the read limit`,
      of: 'in place', than: 'read limit', least: 0.17 * share,
      where: select({ operators: ['ReduceLogSum'], types: ['float32'], labels: [label] }) },
  ]),
  { id: 'copying', title: 'float32 in a JavaScript array against copying it into WebAssembly memory',
    of: 'array', than: 'heap.set', least: 1, aim: 1.5, where: select({ types: ['float32'], labels: layoutsAtMemorySpeed }) },
  { id: 'small', title: '64 elements against a plain loop over 1024: about a microsecond',
    of: 'array', than: 'JS loop of 1024', least: 1, where: select({ types: ['float32'], labels: ['64'] }) },
  { id: 'float64 squares', title: 'float64 SumSquare against the read limit',
    of: 'in place', than: 'read limit', least: 0.4, where: select({ operators: ['ReduceSumSquare'], types: ['float64'], labels: longSums }) },
  { id: 'float64 sums', title: 'float64 LogSum against the read limit',
    of: 'in place', than: 'read limit', least: 0.65, where: select({ operators: ['ReduceLogSum'], types: ['float64'], labels: longSums }) },
  { id: '64-bit integers', title: 'int64 and uint64 against the read limit',
    of: 'in place', than: 'read limit', least: 0.85, where: select({ types: ['int64', 'uint64'], labels: longSums }) },
  { id: '16-bit floats', title: 'float16 and bfloat16 against as many float32 elements',
    of: 'allocated', than: 'float32', least: 1, where: select({ types: ['float16', 'bfloat16'] }) },
  { id: 'onnxruntime-web', title: 'in WebAssembly memory against onnxruntime-web',
    of: 'allocated', than: 'onnxruntime-web', least: 4, mean: 10, where: select({}) },
  { id: 'onnxruntime-node', title: 'in place against onnxruntime-node, except all axes',
    of: 'allocated', than: 'onnxruntime-node', least: 1, where: select({ allAxes: false }) },
  { id: 'threads', title: 'all threads against one, from 2^24 elements on (1.7, or 0.9 of what reading gains)',
    of: 'threads allocated', than: 'allocated', threads: true,
    least: (result) => Math.min(kThreadsGain, 0.9 * gainOfReading(result)),
    where: select({ mode: 'threads', labels: layoutsAtMemorySpeed.slice(0, 4) }) },
  // A clock's noise on equal times is allowed for.
  { id: 'threads on little', title: 'all threads against one on small inputs: not slower',
    of: 'threads allocated', than: 'allocated', threads: true, least: 0.95, where: select({ mode: 'threads', labels: ['64', '4096'] }) },
];

/** What the default entry may weigh after brotli, in bytes. */
export { entryBudget } from '../tools/build/sizes.mjs';

/** One threshold on all results: null when none of its cases was measured. */
export function judge(threshold, results) {
  const { of, than, least, mean, where } = threshold;
  const rows = results.filter((result) => where(result) && typeof result.ratios[of]?.[than] === 'number')
    .map((result) => {
      const needed = typeof least === 'function' ? least(result) : least;
      const ratio = result.ratios[of][than];
      return { result, ratio, needed, margin: ratio / needed };
    });
  if (rows.length === 0) return null;
  rows.sort((a, b) => a.margin - b.margin);
  const average = geometricMean(rows.map(({ ratio }) => ratio));
  const failed = rows.filter(({ margin }) => margin < 1);
  const meanFails = mean !== undefined && average < mean;
  return { threshold, worst: rows[0], average, count: rows.length, failed, meanFails, passed: failed.length === 0 && !meanFails };
}

/** All thresholds that the results allow to judge. */
export const judgeAll = (results, threads) => thresholds
  .filter((threshold) => !threshold.threads || threads > 1)
  .map((threshold) => judge(threshold, results)).filter((judgement) => judgement !== null);
