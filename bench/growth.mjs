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
import { measure, typical } from './timing.mjs';

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

/** Median time per element of each subject, at 2^k elements. */
async function perElement(k, subjects, clock) {
  const untimedFirst = k > 16;
  const samples = await measure(subjects, { ...settings, untimedFirst });
  return new Map([...samples].map(([name, list]) => [name, typical(list, clock) * 1e6 / power(k)]));
}

const operator = { operator: 'ReduceSumSquare', jsName: 'reduceSumSquare', type: 'float32' };

/** Rows of { k, values } for inputs that `sources` name. */
async function measureGrowth(sources, clock) {
  const rows = [];
  for (const k of exponents) {
    const values = new Map();
    for (const layout of layouts) {
      const { dims, axes } = layout.shape(k);
      const subjects = sources.map(({ name, api, data }) =>
        ours(name, api, { ...operator, dims, axes }, { data: data().subarray(0, power(k)), dims }));
      for (const [name, value] of await perElement(k, subjects, clock)) values.set(`${layout.name}, ${name}`, value);
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
], 'cpu');
tensor.dispose();
const growthPlot = linePlot({
  title: 'ReduceSumSquare of float32, one thread', x: sizeAxis, y: costAxis(growth),
  series: layouts.flatMap(({ name }, colour) => [
    { name: `${name}, allocated`, points: seriesOf(growth, `${name}, allocated`), colour },
    { name: `${name}, JS array`, points: seriesOf(growth, `${name}, JS array`), colour, dashed: true },
  ]),
});
console.log(textTable(...Object.values(tableOf(growth))));

// What 2 .. N threads gain over one, all on the same memory.
const gains = [];
let reason = '';
for (let threads = 1; threads <= availableParallelism(); threads++) {
  const reducer = await openThreads(threads);
  if (reducer.threads === threads) {
    const own = resident(reducer);
    gains.push({ threads, rows: await measureGrowth([{ name: `${threads}`, api: reducer, data: () => own.data }], 'wall') });
  } else {
    reason = reducer.threadsReason;
  }
  reducer.dispose();
}
const gainRows = exponents.map((k, i) => ({
  k,
  values: new Map(gains.slice(1).flatMap(({ threads, rows }) => layouts.map(({ name }) =>
    [`${name}, ${threads} threads`, gains[0].rows[i].values.get(`${name}, 1`) / rows[i].values.get(`${name}, ${threads}`)]))),
}));
let gainPlot = null;
if (gains.length > 1) {
  const most = Math.ceil(Math.max(...gainRows.flatMap(({ values }) => [...values.values()])));
  gainPlot = linePlot({
    title: 'Gain of threads over one, ReduceSumSquare of float32', x: sizeAxis,
    y: { label: 'times as fast', low: 0, high: most, ticks: Array.from({ length: 2 * most + 1 }, (_, i) => [i / 2, digits3(i / 2)]) },
    series: gains.slice(1).flatMap(({ threads }, set) => layouts.map(({ name }, colour) =>
      ({ name: `${name}, ${threads} threads`, points: seriesOf(gainRows, `${name}, ${threads} threads`), colour, dashed: set > 0 }))),
  });
  console.log(`\n${textTable(...Object.values(tableOf(gainRows)))}`);
} else {
  console.log(`\nNo threads: ${reason || 'this machine has one processor'}.`);
}

if (options.write) {
  const file = here('../docs/performance.md');
  let text = readFileSync(file, 'utf8');
  writeFileSync(here('../docs/growth.svg'), growthPlot);
  text = replaceSection(text, 'growth', markdownTable(...Object.values(tableOf(growth))));
  if (gainPlot !== null) {
    writeFileSync(here('../docs/threads.svg'), gainPlot);
    text = replaceSection(text, 'thread gains', markdownTable(...Object.values(tableOf(gainRows))));
  }
  writeFileSync(file, text);
} else {
  writeFileSync(here('../build/bench/growth.svg'), growthPlot);
  if (gainPlot !== null) writeFileSync(here('../build/bench/threads.svg'), gainPlot);
}
process.exit(0);
