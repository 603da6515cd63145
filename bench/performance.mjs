// Puts a run's tables into docs/performance.md, between its markers; the words
// around them are written by hand.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { asMarkdown, tablesOf } from './print.mjs';
import { replaceSection } from './table.mjs';

const file = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
const packages = ['onnxruntime-web', 'onnxruntime-node', '@tensorflow/tfjs-backend-wasm'];

const versionOf = (name) => JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;

function machineSection({ machine, threads, threadsReason, date }) {
  const { processor, caches, memory, system, node, v8 } = machine;
  return [
    `- ${processor}; caches as the system reports them: ${caches || 'unknown'}; ${memory} of memory; ${system}`,
    `- Node.js ${node} (V8 ${v8})`,
    `- ${packages.map((name) => `${name} ${versionOf(name)}`).join(', ')}`,
    `- threads: ${threads}${threads < 2 && threadsReason ? ` (${threadsReason})` : ''}`,
    `- measured ${date}`,
  ].join('\n');
}

/** @param {object} report as run.mjs makes it */
export function writePerformance(report, judgements) {
  let text = readFileSync(file, 'utf8');
  text = replaceSection(text, 'machine', machineSection(report));
  const tables = new Map(tablesOf(report, judgements).map((table) => [table.name, table]));
  for (const name of ['speed', 'others', 'threads', 'first calls', 'sizes', 'thresholds']) {
    if (tables.has(name)) text = replaceSection(text, name, asMarkdown(tables.get(name)));
  }
  writeFileSync(file, text);
}
