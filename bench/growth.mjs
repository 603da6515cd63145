// How cost grows: nanoseconds per element against size, for four layouts, and
// what threads gain:
//   node bench/growth.mjs [--largest 27] [--write]
// --write puts docs/growth.svg, docs/threads.svg and the tables into docs/performance.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeData } from './data.mjs';
import { openIndex, openThreads, ours } from './subjects/ours.mjs';
import { linePlot } from './svg.mjs';
import { digits3, markdownTable, replaceSection, textTable } from './table.mjs';
import { measure, speedRatio, typical } from './timing.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: options } = parseArgs({ options: {
  largest: { type: 'string', default: '27' }, write: { type: 'boolean', default: false },
} });
const largest = Number(options.largest);
const exponents = [];
for (let k = 4; k <= largest; k++) exponents.push(k);
const settings = { rounds: 7, sampleMs: 4, warmMs: 40, budgetMs: 400 };

const power = (k) => 2 ** k;
/** Shapes of 2^k elements, as square as can be. */
const layouts = [
  { name: 'all axes', shape: (k) => ({ dims: [power(k)], axes: null }) },
  { name: 'inner axis', shape: (k) => ({ dims: [power(k >> 1), power(k - (k >> 1))], axes: [1] }) },
  { name: 'outer axis', shape: (k) => ({ dims: [power(k - (k >> 1)), power(k >> 1)], axes: [0] }) },
  { name: 'middle axis', shape: (k) => {
    const third = Math.floor(k / 3);
    return { dims: [power(third), power(k - 2 * third), power(third)], axes: [1] };
  } },
];

const whole = makeData('float32', power(largest));
const index = await openIndex();

// A view of memory that a reducer allocated is read in place, so one tensor
// serves all sizes.
const resident = (api) => {
  const tensor = api.allocate('float32', [whole.length]);
  tensor.data.set(whole);
  return tensor;
};

const operator = { operator: 'ReduceSumSquare', jsName: 'reduceSumSquare', type: 'float32' };

/**
 * Rows of { k, values }: for each layout and source what `judge` makes of its
 * samples and those of the first source.
 */
async function measureGrowth(sources, judge) {
  const rows = [];
  for (const k of exponents) {
    const values = new Map();
    for (const layout of layouts) {
      const { dims, axes } = layout.shape(k);
      const subjects = sources.map(({ name, api, data }) =>
        ours(name, api, { ...operator, dims, axes }, { data: data().subarray(0, power(k)), dims }));
      const samples = await measure(subjects, { ...settings, untimedFirst: k > 16 });
      const [first] = samples.values();
      for (const [name, list] of samples) values.set(`${layout.name}, ${name}`, judge(list, first, k));
    }
    rows.push({ k, values });
    process.stderr.write(`2^${k} `);
  }
  process.stderr.write('\n');
  return rows;
}

const sizeTicks = exponents.filter((k) => k % 4 === 0).map((k) => [power(k), `2^${k}`]);
const sizeAxis = { label: 'elements', low: power(exponents[0]), high: power(largest), base: 2, ticks: sizeTicks };

/** Powers of ten around all values, with 2 and 5 between. */
function costAxis(rows) {
  const all = rows.flatMap(({ values }) => [...values.values()]);
  const low = 10 ** Math.floor(Math.log10(Math.min(...all)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...all)));
  const ticks = [];
  for (let tick = low; tick <= high * 1.001; tick *= 10) ticks.push([tick, digits3(tick)]);
  return { label: 'nanoseconds per element', low, high, base: 10, ticks };
}

const seriesOf = (rows, name) => rows.map(({ k, values }) => [power(k), values.get(name)]);

function tableOf(rows) {
  const names = [...rows[0].values.keys()];
  return { header: ['elements', ...names], rows: rows.map(({ k, values }) => [`2^${k}`, ...names.map((name) => digits3(values.get(name)))]) };
}

// Time per element, one thread.
const tensor = resident(index);
const growth = await measureGrowth([
  { name: 'allocated', api: index, data: () => tensor.data },
  { name: 'JS array', api: index, data: () => whole },
], (list, _, k) => typical(list, 'cpu') * 1e6 / power(k));
tensor.dispose();
const growthPlot = linePlot({
  title: 'ReduceSumSquare of float32, one thread', x: sizeAxis, y: costAxis(growth),
  series: layouts.flatMap(({ name }, colour) => [
    { name: `${name}, allocated`, points: seriesOf(growth, `${name}, allocated`), colour },
    { name: `${name}, JS array`, points: seriesOf(growth, `${name}, JS array`), colour, dashed: true },
  ]),
});
console.log(textTable(...Object.values(tableOf(growth))));

// What threads gain over one: reducers with 1, 2, 4 ... threads, measured in turn.
const most = availableParallelism();
const wanted = [];
for (let threads = 1; threads < most; threads *= 2) wanted.push(threads);
wanted.push(most);
const reducers = [];
let reason = '';
for (const threads of wanted) {
  const reducer = await openThreads(threads);
  if (reducer.threads === threads) {
    const own = resident(reducer);
    reducers.push({ name: `${threads} threads`, api: reducer, data: () => own.data });
  } else {
    reason = reducer.threadsReason;
    reducer.dispose();
  }
}
let gains = null;
let gainPlot = null;
if (reducers.length > 1) {
  gains = await measureGrowth(reducers, (list, first) => speedRatio(list, first, 'wall'));
  for (const { values } of gains) for (const { name } of layouts) values.delete(`${name}, 1 threads`);
  const high = Math.ceil(Math.max(...gains.flatMap(({ values }) => [...values.values()])));
  gainPlot = linePlot({
    title: 'Gain of threads over one, ReduceSumSquare of float32', x: sizeAxis,
    y: { label: 'times as fast', low: 0, high, ticks: Array.from({ length: 2 * high + 1 }, (_, i) => [i / 2, digits3(i / 2)]) },
    series: reducers.slice(1).flatMap(({ name: threads }, set) => layouts.map(({ name }, colour) =>
      ({ name: `${name}, ${threads}`, points: seriesOf(gains, `${name}, ${threads}`), colour, dashed: set > 0 }))),
  });
  console.log(`\n${textTable(...Object.values(tableOf(gains)))}`);
} else {
  console.log(`\nNo threads: ${reason || 'this machine has one processor'}.`);
}
for (const { api } of reducers) api.dispose();

if (options.write) {
  const file = here('../docs/performance.md');
  let text = readFileSync(file, 'utf8');
  writeFileSync(here('../docs/growth.svg'), growthPlot);
  text = replaceSection(text, 'growth', markdownTable(...Object.values(tableOf(growth))));
  if (gainPlot !== null) {
    writeFileSync(here('../docs/threads.svg'), gainPlot);
    text = replaceSection(text, 'thread gains', markdownTable(...Object.values(tableOf(gains))));
  }
  writeFileSync(file, text);
} else {
  writeFileSync(here('../build/bench/growth.svg'), growthPlot);
  if (gainPlot !== null) writeFileSync(here('../build/bench/threads.svg'), gainPlot);
}
process.exit(0);
