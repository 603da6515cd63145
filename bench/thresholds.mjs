// The ratios that must be reached: `npm run bench -- --check` fails where one
// isn't. Ratios only, each between two things measured in turn in one process,
// so that they hold on a slow or busy machine as well.
import { fewElements } from './cases.mjs';
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

// Where arithmetic takes longer than reading, no kernel reaches the read limit. How
// far the least arithmetic that the sum needs gets is measured beside it, on the
// same bytes at the same moment (limit_kernels.cc: no blocks, no rows, no test of the
// result), and this much of it must be reached.
const kOfArithmetic = 0.8;
// Each result of a few elements is tested and, where it has to be, made exactly;
// the kernel beside it rounds its sums and says nothing of their errors.
const kOfFewElements = 0.45;

/** `goal`, or what the arithmetic allows of it where that is less. */
const unlessArithmetic = (goal, share = kOfArithmetic) => ({ ms }) =>
  (ms['arithmetic limit'] === undefined ? goal : Math.min(goal, share * ms['read limit'] / ms['arithmetic limit']));

const isFew = ({ case: { label } }) => fewElements.includes(label);
const sumsOfMany = (where) => (result) => where(result) && !isFew(result);
const isLog = ({ case: { operator } }) => operator === 'ReduceLogSum';

// What another library's time is at most a multiple of: reading, the least
// arithmetic, and making the array of results.
const leastTime = ({ ms }) => Math.max(ms['read limit'], ms['arithmetic limit'] ?? 0) + (ms['result array'] ?? 0);
const kWebGoal = 4;
const kWebMean = 10;

/**
 * Each row: `of`, one of ours, must be at least `least` times as fast as
 * `than`, in every case that `where` selects, and `mean` times in the geometric
 * mean. Both may depend on what was measured beside it. `aim` is what we would like.
 */
export const thresholds = [
  { id: 'read limit', title: 'float32 in WebAssembly memory against the read limit (0.75, or 0.8 of the arithmetic limit)',
    of: 'in place', than: 'read limit', least: unlessArithmetic(0.75), aim: 0.9, where: select({ types: ['float32'], labels: layoutsAtMemorySpeed }) },
  { id: 'tall sums', title: 'float32, sums of 4 million rows of four, against the read limit (0.75, or 0.8 of the arithmetic limit)',
    of: 'in place', than: 'read limit', least: unlessArithmetic(0.75), aim: 0.9, where: select({ types: ['float32'], labels: ['[4194304,4] axis 0'] }) },
  // Where each result has three or four elements, making results is the work,
  // not reading: a prototype got to 11.5 GB/s of 25, with logarithms to 4.3, for
  // rows of four; three elements a result are three quarters of that.
  ...[['[4194304,4] axis 1', 'four', 1], ['[8,3,1024,1024] axis 1', 'three', 3 / 4]].flatMap(([label, elements, share]) => [
    { id: `sums of ${elements}, squares`, title: `float32, millions of sums of ${elements} squares, against the read limit`,
      of: 'in place', than: 'read limit', least: unlessArithmetic(0.46 * share, kOfFewElements * share),
      where: select({ operators: ['ReduceSumSquare'], types: ['float32'], labels: [label] }) },
    { id: `sums of ${elements}, logs`, title: `float32, millions of logarithms of sums of ${elements}, against the read limit`,
      of: 'in place', than: 'read limit', least: unlessArithmetic(0.17 * share, kOfFewElements * share),
      where: select({ operators: ['ReduceLogSum'], types: ['float32'], labels: [label] }) },
  ]),
  // A copy of every piece, and the arithmetic on it while it is in the cache.
  { id: 'copying', title: 'float32 in a JavaScript array against copying it into WebAssembly memory (1, or 0.8 of copying and adding piece by piece)',
    of: 'array', than: 'heap.set', least: ({ ms }) => Math.min(1, kOfArithmetic * ms['heap.set'] / ms['staged arithmetic']),
    aim: 1.5, where: select({ types: ['float32'], labels: layoutsAtMemorySpeed }) },
  { id: 'small', title: '64 elements against a plain loop over 1024: about a microsecond',
    of: 'array', than: 'JS loop of 1024', least: 1, where: select({ types: ['float32'], labels: ['64'] }) },
  { id: 'float64 squares', title: 'float64 SumSquare against the read limit (0.4, or 0.8 of the arithmetic limit)',
    of: 'in place', than: 'read limit', least: unlessArithmetic(0.4), where: select({ operators: ['ReduceSumSquare'], types: ['float64'], labels: longSums }) },
  { id: 'float64 sums', title: 'float64 LogSum against the read limit (0.65, or 0.8 of the arithmetic limit)',
    of: 'in place', than: 'read limit', least: unlessArithmetic(0.65), where: select({ operators: ['ReduceLogSum'], types: ['float64'], labels: longSums }) },
  { id: '64-bit integers', title: 'int64 and uint64 against the read limit (0.85, or 0.8 of the arithmetic limit)',
    of: 'in place', than: 'read limit', least: unlessArithmetic(0.85), where: select({ types: ['int64', 'uint64'], labels: longSums }) },
  { id: '16-bit floats', title: 'float16 and bfloat16 against as many float32 elements (1, or 0.8 of the arithmetic limit)',
    of: 'allocated', than: 'float32', least: ({ ms }) => Math.min(1, kOfArithmetic * ms.float32 / ms['arithmetic limit']),
    where: select({ types: ['float16', 'bfloat16'], labels: longSums }) },
  // Rounding to 16 bits takes a dozen instructions that float32 has one for.
  { id: '16-bit floats, few', title: 'float16 and bfloat16, millions of sums of four, against as many float32 elements',
    of: 'allocated', than: 'float32', least: 0.6, where: select({ types: ['float16', 'bfloat16'], labels: fewElements }) },
  { id: 'onnxruntime-web', title: 'in WebAssembly memory against onnxruntime-web (4, or 0.8 of what the limits allow)',
    of: 'allocated', than: 'onnxruntime-web', least: (result) => Math.min(kWebGoal, kOfArithmetic * result.ms['onnxruntime-web'] / leastTime(result)),
    where: sumsOfMany(select({})) },
  // Results of few elements: arrays of millions of them, which the system clears
  // page by page, cost either library more than what is computed.
  { id: 'onnxruntime-web, few', title: 'millions of sums of three or four against onnxruntime-web',
    of: 'allocated', than: 'onnxruntime-web', least: 0.8,
    where: (result) => select({})(result) && isFew(result) && !(isLog(result) && result.case.type === 'float64') },
  // An exactly rounded float64 logarithm of a sum in double-double needs 63 bits
  // before it can be tested; one that may be off in the last place needs 53.
  { id: 'float64 logarithms', title: 'millions of float64 logarithms, exactly rounded, against those of onnxruntime-web',
    of: 'allocated', than: 'onnxruntime-web', least: 0.4,
    where: (result) => select({ types: ['float64'] })(result) && isFew(result) && isLog(result) },
  { id: 'onnxruntime-web, mean', title: 'in WebAssembly memory against onnxruntime-web, all cases (mean 10, or 0.6 of what the limits allow)',
    of: 'allocated', than: 'onnxruntime-web',
    mean: (results) => Math.min(kWebMean, 0.6 * geometricMean(results.map((result) => result.ms['onnxruntime-web'] / leastTime(result)))),
    where: select({}) },
  { id: 'onnxruntime-node', title: 'in WebAssembly memory against onnxruntime-node, except all axes',
    of: 'allocated', than: 'onnxruntime-node', least: 1, where: sumsOfMany(select({ allAxes: false })) },
  { id: 'onnxruntime-node, few', title: 'millions of sums of three or four against onnxruntime-node',
    of: 'allocated', than: 'onnxruntime-node', least: 0.6,
    where: (result) => select({})(result) && isFew(result) && !(isLog(result) && result.case.type === 'float64') },
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
  const { of, than, least, where } = threshold;
  const rows = results.filter((result) => where(result) && typeof result.ratios[of]?.[than] === 'number')
    .map((result) => {
      const needed = typeof least === 'function' ? least(result) : least ?? 0;
      const ratio = result.ratios[of][than];
      return { result, ratio, needed, margin: ratio / (needed || 1) };
    });
  if (rows.length === 0) return null;
  rows.sort((a, b) => a.margin - b.margin);
  const average = geometricMean(rows.map(({ ratio }) => ratio));
  const mean = threshold.mean?.(rows.map(({ result }) => result));
  // NaN, of a limit that wasn't measured, fails.
  const failed = rows.filter(({ ratio, needed }) => !(ratio >= needed));
  const meanFails = mean !== undefined && !(average >= mean);
  return { threshold, worst: rows[0], average, mean, count: rows.length, failed, meanFails, passed: failed.length === 0 && !meanFails };
}

/** All thresholds that the results allow to judge. */
export const judgeAll = (results, threads) => thresholds
  .filter((threshold) => !threshold.threads || threads > 1)
  .map((threshold) => judge(threshold, results)).filter((judgement) => judgement !== null);
