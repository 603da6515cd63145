// WebAssembly that the platform compiles itself (workerd).
declare module '*/core.wasm' {
  const module: WebAssembly.Module;
  export default module;
}

// The bundled worker script, as text (tools/build/bundle.mjs).
declare module '*/worker.txt' {
  const text: string;
  export default text;
}
