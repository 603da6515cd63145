// The one-thread core whose WebAssembly is part of this module's text: no file
// to host, no path to configure, nothing to wait for.
import createCore from '../build/wasm/core.mjs';
import { type Core, decodeBase64, startCore } from './core.js';
import { wasmBase64 } from './generated/core_wasm_base64.js';

export function startInlineCore(): Core {
  return startCore(createCore, () => new WebAssembly.Module(decodeBase64(wasmBase64)));
}
