// WebAssembly that the platform compiles itself (workerd).
declare module '*/core.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
