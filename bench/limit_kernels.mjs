// Builds limit_kernels.cc with the project's Emscripten and instantiates it.
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { mustRun } from '../tools/setup/report.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const source = here('limit_kernels.cc');
const wasm = here('../build/bench/limit_kernels.wasm');

/** How many streams there are kernels for. */
export const streamCounts = [1, 2, 4, 8];

/** Compiles limit_kernels.cc when that has not been done, or not since it changed. */
export function buildLimitKernels() {
  if (existsSync(wasm) && statSync(wasm).mtimeMs > statSync(source).mtimeMs) return;
  mkdirSync(here('../build/bench'), { recursive: true });
  mustRun('compiling bench/limit_kernels.cc', process.execPath, [
    here('../tools/emcc.mjs'), source, '-O3', '-msimd128', '-fno-slp-vectorize', '-fno-exceptions', '-fno-rtti', '--no-entry',
    '-sALLOW_MEMORY_GROWTH', '-sMAXIMUM_MEMORY=4GB', '-o', wasm,
  ]);
}

export const limitModule = () => new WebAssembly.Module(readFileSync(wasm));

/**
 * An instance that holds a copy of `bytes`.
 * @param {WebAssembly.Module} module
 * @param {Uint8Array} bytes
 */
export function limitsOf(module, bytes) {
  const { exports } = new WebAssembly.Instance(module, {});
  // Results follow the data, if there are any. A kernel's last load may reach
  // eight bytes behind what it reads.
  const pages = Math.ceil(bytes.length / 65536) + 1;
  const address = exports.memory.grow(pages + Math.ceil(pages / 4)) * 65536;
  const held = new Uint8Array(exports.memory.buffer, address, bytes.length);
  held.set(bytes);
  return {
    /** Loads them all as so many streams; of another `kernel` also adds them. */
    run: (streams, kernel = 'read', length = bytes.length) =>
      exports[`${kernel}_${streams}`](address, length, address + pages * 65536),
    has: (kernel) => `${kernel}_1` in exports,
    held,
  };
}
