// The one-thread core from a WebAssembly module that the platform has compiled:
// some refuse to compile one from bytes (Cloudflare Workers).
import createCore from '../build/wasm/core.mjs';
import module from './core.wasm';
import { type Core, startCore } from './core.js';

export function startImportedCore(): Core {
  return startCore(createCore, () => module);
}
