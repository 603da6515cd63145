// The entry for runtimes that refuse to compile WebAssembly from bytes and hand
// out an imported module instead (Cloudflare Workers). Everything is as in
// index.ts, which documents it.
import { lazyCore } from './core.js';
import { startImportedCore } from './imported.js';
import { makeOperators } from './reducer.js';
import type { Operators } from './signatures.js';

export * from './exports.js';

const functions = /* @__PURE__ */ makeOperators(/* @__PURE__ */ lazyCore(startImportedCore));

export const { reduceSumSquare, reduceLogSum, allocate } = functions;

({ reduceSumSquare, reduceLogSum }) satisfies Operators;
