// How large the published files are.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { project } from './files.mjs';

/** What the default entry may weigh after brotli, in bytes (1 kB = 1000). */
export const entryBudget = 60_000;

/** Raw, gzip and brotli bytes of a file of dist/. */
export function sizesOf(name) {
  const bytes = readFileSync(join(project, 'dist', name));
  return {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length,
  };
}

/** Prints a table of all files. */
export function printSizes() {
  const names = readdirSync(join(project, 'dist')).filter((name) => !/\.d\.c?ts$/.test(name)).sort();
  const kb = (bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(10);
  console.log(`${'dist/'.padEnd(22)}${'raw'.padStart(10)}${'gzip'.padStart(10)}${'brotli'.padStart(10)}`);
  for (const name of names) {
    const { raw, gzip, brotli } = sizesOf(name);
    console.log(`${name.padEnd(22)}${kb(raw)}${kb(gzip)}${kb(brotli)}`);
  }
}
