// What a web page downloads: our entries, and the smallest set of files that
// computes the same with the other libraries.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const packages = (path) => readFileSync(here(`node_modules/${path}`));
const cacheFile = here('../build/bench/sizes.json');

// Only what a page needs that reduces with tfjs, bundled as an app would.
const tfjsApp = `
  import * as tf from '@tensorflow/tfjs-core';
  import '@tensorflow/tfjs-backend-wasm';
  await tf.setBackend('wasm');
  globalThis.reduce = (x, axes) => [tf.sum(tf.square(x), axes), tf.log(tf.sum(x, axes))];
`;

async function bundleTfjs() {
  const result = await build({
    stdin: { contents: tfjsApp, resolveDir: here('.') }, bundle: true, minify: true, write: false,
    format: 'esm', platform: 'browser', logLevel: 'silent', external: ['fs', 'path', 'os', 'worker_threads', 'perf_hooks', 'crypto'],
  });
  return Buffer.from(result.outputFiles[0].contents);
}

const downloads = async () => [
  { name: 'onnx-reduce', files: [readFileSync(here('../dist/index.mjs'))] },
  { name: 'onnxruntime-web', files: [
    packages('onnxruntime-web/dist/ort.wasm.bundle.min.mjs'), packages('onnxruntime-web/dist/ort-wasm-simd-threaded.wasm')] },
  { name: 'tfjs-wasm', files: [
    await bundleTfjs(), packages('@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm')] },
];

// Compressing 14 MB as hard as possible takes half a minute: what has been
// compressed once is remembered by its digest.
function sizesOf(bytes, cache) {
  const key = createHash('sha256').update(bytes).digest('hex').slice(0, 24);
  cache[key] ??= {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes, { params: {
      [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length,
  };
  return cache[key];
}

/** Raw, gzip and brotli bytes of each library's download. */
export async function measureSizes() {
  const cache = existsSync(cacheFile) ? JSON.parse(readFileSync(cacheFile, 'utf8')) : {};
  const list = (await downloads()).map(({ name, files }) => {
    const total = { name, files: files.length, raw: 0, gzip: 0, brotli: 0 };
    for (const file of files) {
      const sizes = sizesOf(file, cache);
      for (const kind of ['raw', 'gzip', 'brotli']) total[kind] += sizes[kind];
    }
    return total;
  });
  mkdirSync(dirname(cacheFile), { recursive: true });
  writeFileSync(cacheFile, JSON.stringify(cache));
  return list;
}
