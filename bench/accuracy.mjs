// How wrong results are, in units in the last place (ulps), counted from the
// exactly rounded result:
//   node bench/accuracy.mjs            prints the table
//   node bench/accuracy.mjs --write    and puts it into docs/numerics.md
// Compared are a loop that rounds each step to float32, a loop over JavaScript's
// numbers (float64), onnxruntime-web, tfjs, and onnx-reduce. Exits 1 when
// onnx-reduce is off anywhere.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensureNodeModules } from '../tools/setup/node-modules.mjs';
import { asBits, formats } from '../tests/oracle/index.mjs';
import { Random } from '../tests/exact/random.mjs';
import { makeData } from './data.mjs';
import { exactResults, ulpsApart } from './exact.mjs';
import { markdownTable, replaceSection, textTable } from './table.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
await ensureNodeModules(here('.'));
const { openIndex, ours } = await import('./subjects/ours.mjs');
const { openOrtWeb, openTfjs, ortSubject, tfjsSubject } = await import('./subjects/peers.mjs');

/** One of the sample arrays: version 1 of .npy, float32, in C order. */
function sample(name) {
  const file = readFileSync(here(`../web/public/data/${name}.npy`));
  const headerEnd = 10 + file.readUInt16LE(8);
  const header = file.toString('latin1', 10, headerEnd);
  if (!header.includes("'<f4'")) throw new Error(`${name}.npy is not float32`);
  return new Float32Array(file.buffer.slice(file.byteOffset + headerEnd, file.byteOffset + file.length));
}

const filled = (Kind, count, next) => Kind.from({ length: count }, next);
const random = new Random(7);
const pixels = sample('chelsea');
const uniform = makeData('float32', 2 ** 24);
const tenths = new Float32Array(2 ** 24).fill(0.1);
// Sums a little above 1: of their logarithm, the last bits of the sum are all there is.
const nearOne = filled(Float32Array, 256 * 4096, () => (1 + random.unit() * 2 ** -7) / 4096);
// Every large term comes back with the other sign; what stays is small.
const cancelling = new Float32Array(256 * 4096);
for (let i = 0; i < cancelling.length; i += 4) {
  const large = random.normal() * 2 ** 30;
  cancelling.set([large, random.unit(), -large, random.unit()], i);
}
// Terms of both signs that nearly cancel, as residuals do.
const residuals = filled(Float64Array, 64 * 16384, () => random.normal() + 2 ** -4);

const data = [
  { label: '16.7 million uniform in [0, 1)', type: 'float32', data: uniform, dims: [4096, 4096], axis: null },
  { label: '16.7 million times 0.1', type: 'float32', data: tenths, dims: [4096, 4096], axis: null },
  { label: 'uniform, [4096,4096] axis 0', type: 'float32', data: uniform, dims: [4096, 4096], axis: 0 },
  { label: 'uniform, [4096,4096] axis 1', type: 'float32', data: uniform, dims: [4096, 4096], axis: 1 },
  { label: 'pixels of a photograph, by channel', type: 'float32', data: pixels, dims: [pixels.length / 3, 3], axis: 0 },
  { label: 'sums next to 1, [256,4096] axis 1', type: 'float32', data: nearOne, dims: [256, 4096], axis: 1, only: 'ReduceLogSum' },
  { label: 'large terms that cancel, [256,4096] axis 1', type: 'float32', data: cancelling, dims: [256, 4096], axis: 1, only: 'ReduceLogSum' },
  { label: '1 million uniform in [0, 1)', type: 'float64', data: makeData('float64', 2 ** 20), dims: [1024, 1024], axis: null },
  { label: 'nearly cancelling, [64,16384] axis 1', type: 'float64', data: residuals, dims: [64, 16384], axis: 1, only: 'ReduceLogSum' },
];

/** A plain loop over [rows, columns] in the order of memory; `round` is what each step is rounded by. */
function plain(operator, values, [rows, columns], axis, round) {
  const outputs = axis === null ? 1 : axis === 0 ? columns : rows;
  const sums = new Float64Array(outputs);
  for (let row = 0, i = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, i++) {
      const output = axis === null ? 0 : axis === 0 ? column : row;
      const term = operator === 'ReduceSumSquare' ? round(values[i] * values[i]) : values[i];
      sums[output] = round(sums[output] + term);
    }
  }
  return operator === 'ReduceSumSquare' ? sums : sums.map(Math.log);
}

const index = await openIndex();
const web = await openOrtWeb(1);
const tf = await openTfjs();

const columns = [
  { name: 'float32 loop', compute: (one, set) => (set.type === 'float32'
    ? Float32Array.from(plain(one.operator, set.data, set.dims, set.axis, Math.fround)) : null) },
  { name: 'float64 loop', compute: (one, set) => new set.data.constructor(plain(one.operator, set.data, set.dims, set.axis, (x) => x)) },
  { name: 'onnxruntime-web', compute: (one, set) => resultOf(() => ortSubject(web, one, set.data)) },
  { name: 'tfjs-wasm', compute: (one, set) => resultOf(() => tfjsSubject(tf, one, set.data)) },
  { name: 'onnx-reduce', compute: (one, set) => resultOf(() => ours('', index, one, { data: set.data, dims: set.dims })) },
];

/** What a subject gives, or null where its library can't do it. */
async function resultOf(open) {
  let subject;
  try {
    subject = await open();
  } catch {
    return null;
  }
  const values = subject.resultOf(await subject.run()).slice();
  await subject.close?.();
  return values;
}

let oursIsOff = false;

/** The largest error, and of how many results any is wrong. */
function cell(name, type, values, right) {
  if (values === null) return '-';
  const bits = asBits(type, values);
  const errors = right.map((expected, i) => ulpsApart(type, bits[i], expected));
  const worst = errors.reduce((most, error) => Math.max(most, error), 0);
  const wrong = errors.filter((error) => error > 0).length;
  if (name === 'onnx-reduce' && wrong > 0) oursIsOff = true;
  if (worst >= 2 ** (formats[type].precision - 1)) return 'no digit right';
  const shown = worst.toLocaleString('en-US').replaceAll(',', ' ');
  return right.length === 1 || wrong === 0 ? shown : `${shown} (${Math.max(1, Math.round(100 * wrong / right.length))} % wrong)`;
}

const rows = [];
for (const set of data) {
  for (const [operator, jsName] of [['ReduceSumSquare', 'reduceSumSquare'], ['ReduceLogSum', 'reduceLogSum']]) {
    if (set.only !== undefined && set.only !== operator) continue;
    const one = { operator, jsName, type: set.type, dims: set.dims, axes: set.axis === null ? null : [set.axis] };
    const right = exactResults(operator, set.type, set.data, set.dims, set.axis);
    const row = [operator.replace('Reduce', ''), set.type, set.label];
    for (const { name, compute } of columns) row.push(cell(name, set.type, await compute(one, set), right));
    rows.push(row);
    process.stderr.write('.');
  }
}
process.stderr.write('\n');

const explanation = `Made by \`node bench/accuracy.mjs --write\`. The error of the worst result, in units in the last place counted from the
exactly rounded result, and how many of several results are wrong. The loops add in the order of memory: the float32 loop
rounds every step to float32, the float64 loop only the result. A dash: the library doesn't have the type.`;

const header = ['operator', 'type', 'data', ...columns.map(({ name }) => name)];
console.log(textTable(header, rows));
if (process.argv.includes('--write')) {
  const file = here('../docs/numerics.md');
  writeFileSync(file, replaceSection(readFileSync(file, 'utf8'), 'accuracy', `${explanation}\n\n${markdownTable(header, rows)}`));
}
process.exit(oursIsOff ? 1 : 0);
