// The one-thread core whose WebAssembly is part of this module's text: no file
// to host, no path to configure, nothing to wait for.
import createCore from '../build/wasm/core.mjs';
import { type Core, startCore } from './core.js';
import { wasmText } from './generated/core_wasm.js';
import { decodeWasm } from './wasm_text.js';

export function startInlineCore(): Core {
  return startCore(createCore, () => new WebAssembly.Module(decodeWasm(wasmText)));
}
