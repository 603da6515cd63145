// A run's tables: the rows, and how the terminal shows them.
import { bytes, digits3, markdownTable, textTable, time } from './table.mjs';

/** Milliseconds and bytes as GB/s. */
const rate = (result, name) => (result.ms[name] === undefined ? '-' : digits3(result.bytes / result.ms[name] / 1e6));
const ratio = (result, mine, other) => digits3(result.ratios[mine]?.[other]);

const singleHeader = ['case', 'allocated', 'GB/s', 'of read limit', 'of arithmetic limit', 'JS array', 'than heap.set', 'than JS loop',
  'than ort-web', 'array than ort-web', 'than ort-node', 'than tfjs'];

/** Times of ours, and how many times as fast they are as what else there is. */
export function singleRows(results) {
  return results.filter(({ mode }) => mode === 'single').map((result) => [
    result.name, time(result.ms.allocated), rate(result, 'allocated'), ratio(result, 'in place', 'read limit'), ratio(result, 'in place', 'arithmetic limit'),
    time(result.ms.array), ratio(result, 'array', 'heap.set'), ratio(result, 'allocated', 'JS loop'),
    ratio(result, 'allocated', 'onnxruntime-web'), ratio(result, 'array', 'onnxruntime-web'),
    ratio(result, 'allocated', 'onnxruntime-node'), ratio(result, 'allocated', 'tfjs-wasm'),
  ]);
}

const limitHeader = ['case', 'read limit', 'GB/s', 'streams', 'arithmetic limit', 'staged', 'heap.set', 'JS loop', 'ort-web', 'ort-node', 'tfjs'];

/** What else was measured, in times. */
export function otherRows(results) {
  return results.filter(({ mode }) => mode === 'single').map((result) => [
    result.name, time(result.ms['read limit']), rate(result, 'read limit'), result.streams,
    ...['arithmetic limit', 'staged arithmetic', 'heap.set', 'JS loop', 'onnxruntime-web', 'onnxruntime-node', 'tfjs-wasm'].map((name) => time(result.ms[name])),
  ]);
}

const threadsHeader = ['case', 'allocated, one thread', 'all threads', 'gain', 'gain of reading', 'JS array', 'gain', 'SharedArrayBuffer', 'than ort-web', 'than ort-node'];

export function threadRows(results) {
  return results.filter(({ mode }) => mode === 'threads').map((result) => [
    result.name, time(result.ms.allocated), time(result.ms['threads allocated']), ratio(result, 'threads allocated', 'allocated'),
    result.bytes < 2 ** 20 ? '-' : digits3(result.ms['one thread reads'] / result.ms['read limit']),
    time(result.ms['threads array']), ratio(result, 'threads array', 'array'), time(result.ms['threads shared']),
    ratio(result, 'threads allocated', 'onnxruntime-web'), ratio(result, 'threads allocated', 'onnxruntime-node'),
  ]);
}

const firstHeader = ['first call of', 'import', 'then the first result', 'together', 'second call'];
const firstRows = (list) => list.map((one) => [one.name, time(one.import), time(one.first), time(one.total), time(one.second)]);

const sizeHeader = ['download of', 'files', 'raw', 'gzip', 'brotli'];
const sizeRows = (list) => list.map((one) => [one.name, one.files, bytes(one.raw), bytes(one.gzip), bytes(one.brotli)]);

const judgeHeader = ['threshold', 'needed', 'worst', 'where', 'mean', 'cases', ''];
const judgeRows = (judgements) => judgements.map(({ threshold, worst, average, mean, count, passed }) => [
  threshold.title, mean === undefined ? digits3(worst.needed) : `mean ${digits3(mean)}`, digits3(worst.ratio),
  worst.result.name, digits3(average), count, passed ? 'reached' : 'NOT REACHED']);

/** All tables of a report as { name, header, rows }; empty ones are left out. */
export function tablesOf(report, judgements) {
  return [
    { name: 'speed', header: singleHeader, rows: singleRows(report.results) },
    { name: 'others', header: limitHeader, rows: otherRows(report.results) },
    { name: 'threads', header: threadsHeader, rows: report.threads > 1 ? threadRows(report.results) : [] },
    { name: 'first calls', header: firstHeader, rows: firstRows(report.firstCalls ?? []) },
    { name: 'sizes', header: sizeHeader, rows: sizeRows(report.sizes ?? []) },
    { name: 'thresholds', header: judgeHeader, rows: judgeRows(judgements) },
  ].filter(({ rows }) => rows.length > 0);
}

export const asMarkdown = ({ header, rows }) => markdownTable(header, rows);

/** What each library can't do: operator and type, or the type where that goes for every operator. */
export function absentOf(results) {
  const operators = new Set(results.map(({ case: one }) => one.operator));
  const lists = new Map();
  for (const { case: { operator, type }, absent } of results) {
    for (const library of Object.keys(absent)) {
      if (!lists.has(library)) lists.set(library, new Map());
      const types = lists.get(library);
      types.set(type, (types.get(type) ?? new Set()).add(operator));
    }
  }
  return [...lists].map(([library, types]) => [library, [...types].map(([type, those]) =>
    (those.size === operators.size ? type : `${[...those].join(' and ')} of ${type}`))]);
}

/** Prints everything to stdout. */
export function printReport(report, judgements) {
  for (const table of tablesOf(report, judgements)) console.log(`${textTable(table.header, table.rows)}\n`);
  if (report.threads < 2 && report.threadsReason) console.log(`No threads: ${report.threadsReason}.`);
  for (const [library, cases] of absentOf(report.results)) console.log(`${library} has no ${cases.join(', ')}.`);
  if (report.broken.length > 0) console.log(`NOT MEASURED, the process failed: ${report.broken.join('; ')}.`);
  const wrong = report.disagreements;
  console.log(wrong.length === 0
    ? 'Results from arrays, allocated tensors and threads agree bit for bit in every case.'
    : `RESULTS DIFFER between ways to call the same case: ${wrong.join('; ')}.`);
}
