// The glue of the core with shared memory: a file of its own, loaded when
// threads can be had and the WebAssembly comes from elsewhere.
export { default as createCore } from '../build/wasm/core-mt.mjs';
