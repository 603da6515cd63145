// The mutation check: breaks the core on purpose, one small way after another,
// and runs the native tests on each. Every row must make tests fail; a row that
// none notices is a gap in the tests. Its table stands in docs/numerics.md.
//
//   node tests/mutations/run.mjs [--only 3,4] [--write]
//
// A mutation whose pattern no longer matches the source stops the check: it is
// to be brought up to date, not dropped.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutations } from './mutations.mjs';

const project = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(project, 'build/mutations');
const tree = join(folder, 'tree');
// The tests that judge bits; those that walk shapes take long and add nothing.
const filter = '*Hostile*:*Corpus*:*AroundPowersOfTwo*:*Integers*:RoundLog*:FastLog*:ExpCeilings*:ExactSum*:DoubleDouble*:Format*';

const { values: given } = parseArgs({ options: { only: { type: 'string' }, write: { type: 'boolean', default: false } } });
const only = given.only?.split(',').map(Number);

function build() {
  return spawnSync('cmake', ['--build', join(folder, 'out'), '--target', 'native_tests'], { encoding: 'utf8' });
}

function failures() {
  const { stdout } = spawnSync(join(folder, 'out/native_tests'), [`--gtest_filter=${filter}`, '--gtest_brief=1'],
    { encoding: 'utf8', maxBuffer: 1 << 28 });
  const names = [...stdout.matchAll(/^\[ {2}FAILED {2}\] (?:Every\/)?(\w+\.\w+)\S* \(\d+ ms\)|^\[ {2}FAILED {2}\] (?:Every\/)?(\w+\.\w+)\S*, where/gm)]
    .map(([, plain, matrix]) => plain ?? matrix);
  return { count: names.length, suites: [...new Set(names)].sort() };
}

rmSync(tree, { recursive: true, force: true });
mkdirSync(tree, { recursive: true });
for (const part of ['src', 'tests', 'bindings', 'cmake', 'CMakeLists.txt']) {
  cpSync(join(project, part), join(tree, part), { recursive: true });
}
execFileSync('cmake', ['-G', 'Ninja', '-S', tree, '-B', join(folder, 'out'), '-DCMAKE_CXX_COMPILER=clang++'], { stdio: 'ignore' });
const first = build();
if (first.status !== 0) throw new Error(`the core does not compile as it is:\n${first.stdout}`);
const before = failures();
if (before.count !== 0) throw new Error(`tests fail on the core as it is: ${before.suites}`);

const rows = [];
let unnoticed = 0;
for (const [index, { what, file, from, to }] of mutations.entries()) {
  if (only && !only.includes(index)) continue;
  const path = join(tree, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(from).length !== 2) throw new Error(`mutation ${index} (${what}): ${file} holds its text ${source.split(from).length - 1} times`);
  writeFileSync(path, source.replace(from, () => to));
  const built = build();
  if (built.status !== 0) throw new Error(`mutation ${index} (${what}) does not compile:\n${built.stdout}`);
  const { count, suites } = failures();
  writeFileSync(path, source);
  if (count === 0) unnoticed += 1;
  const shown = suites.slice(0, 3).join(', ') + (suites.length > 3 ? ', ...' : '');
  rows.push(`| ${what} | ${count} | ${shown} |`);
  console.log(`${index} ${rows.at(-1)}`);
}
if (given.write) {
  const path = join(project, 'docs/numerics.md');
  const table = ['| what was broken | tests that fail | among them |', '|---|---|---|', ...rows].join('\n');
  const text = readFileSync(path, 'utf8');
  const [begin, end] = ['<!-- mutations: begin -->', '<!-- mutations: end -->'];
  const [head, rest] = text.split(begin);
  writeFileSync(path, `${head}${begin}\n${table}\n${end}${rest.split(end)[1]}`);
}
console.log(`${rows.length} mutations, ${unnoticed} unnoticed`);
process.exitCode = unnoticed === 0 ? 0 : 1;
