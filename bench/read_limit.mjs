// Builds read_limit.cc with the project's Emscripten and instantiates it.
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { mustRun } from '../tools/setup/report.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const source = here('read_limit.cc');
const wasm = here('../build/bench/read_limit.wasm');

/** How many streams there are kernels for. */
export const streamCounts = [1, 2, 4, 8];

/** Compiles read_limit.cc when that has not been done, or not since it changed. */
export function buildReadLimit() {
  if (existsSync(wasm) && statSync(wasm).mtimeMs > statSync(source).mtimeMs) return;
  mkdirSync(here('../build/bench'), { recursive: true });
  mustRun('compiling bench/read_limit.cc', process.execPath, [
    here('../tools/emcc.mjs'), source, '-O3', '-msimd128', '-fno-exceptions', '-fno-rtti', '--no-entry',
    '-sALLOW_MEMORY_GROWTH', '-sMAXIMUM_MEMORY=4GB', '-o', wasm,
  ]);
}

export const readLimitModule = () => new WebAssembly.Module(readFileSync(wasm));

/**
 * An instance that holds a copy of `bytes`; read(streams) loads all of them once.
 * @param {WebAssembly.Module} module
 * @param {Uint8Array} bytes
 */
export function readLimitOf(module, bytes) {
  const { exports } = new WebAssembly.Instance(module, {});
  const pages = Math.ceil(bytes.length / 65536);
  const address = exports.memory.grow(pages) * 65536;
  new Uint8Array(exports.memory.buffer, address).set(bytes);
  const kernels = new Map(streamCounts.map((streams) => [streams, exports[`read_${streams}`]]));
  return (streams) => kernels.get(streams)(address, bytes.length);
}
