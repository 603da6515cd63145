// The core with shared memory, glue and WebAssembly: a file of its own, loaded
// when threads can be had.
import { wasmText } from './generated/core_mt_wasm.js';
import { decodeWasm } from './wasm_text.js';

export { default as createCore } from '../build/wasm/core-mt.mjs';

let compiled: Promise<WebAssembly.Module> | null = null;

/** Compiled once for all reducers. A failure is not remembered. */
export function compileInline(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compile(decodeWasm(wasmText)).catch((error: unknown) => {
    compiled = null;
    throw error;
  });
  return compiled;
}
