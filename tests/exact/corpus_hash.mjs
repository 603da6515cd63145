// Prints a digest of the result bits of the shared corpus, as the native program
// corpus_hash does: equal digests mean equal bits of every result.
//
//   node tests/exact/corpus_hash.mjs [cases [seed [threads]]] [--each] [--oracle]
import { fileURLToPath } from 'node:url';
import { reduceExactly } from '../oracle/index.mjs';
import { Digest, corpusCase } from './corpus.mjs';
import { openLibrary } from './library.mjs';
import { runCase } from './paths.mjs';

/**
 * @param {(test: object) => {bits: ArrayLike<number|bigint>}} compute
 * @param {(line: string) => void} [each] is told each case's digests
 */
export function hashCorpus(cases, seed, compute, each) {
  const all = new Digest();
  const inputs = new Digest();
  let results = 0;
  for (let i = 0; i < cases; i += 1) {
    const test = corpusCase(seed, i);
    const { bits } = compute(test);
    const own = new Digest();
    own.addAll(bits);
    const data = new Digest();
    data.addAll(test.bits);
    all.digest(own);
    inputs.digest(data);
    results += bits.length;
    each?.(`${i} ${test.op} ${test.type} ${data.text} ${own.text}`);
  }
  return `cases ${cases} seed ${seed} results ${results} inputs ${inputs.text} digest ${all.text}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const plain = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
  const [cases = 2000, seed = 1, threads = 1] = plain.map(Number);
  const each = process.argv.includes('--each') ? (line) => console.log(line) : undefined;
  if (process.argv.includes('--oracle')) {
    console.log(hashCorpus(cases, seed, reduceExactly, each));
  } else {
    const library = await openLibrary([threads]);
    const { api } = library.targets[0];
    console.log(hashCorpus(cases, seed, (test) => runCase(api, test.index % 2 ? 'array' : 'allocated', null, test, null), each));
    await library.close();
  }
}
