// The core with shared memory, from wherever it is to come.
import type { CoreFactory } from './core.js';
import { ReduceEngineError } from './errors.js';
import { builtin } from './worker_start.js';

/** The parts of a core that is ready to be started. */
export interface LoadedCore {
  readonly createCore: CoreFactory;
  readonly module: WebAssembly.Module;
}

/** From inside the package, or from an address of the caller's. */
export async function loadPoolCore(wasmUrl: string | undefined): Promise<LoadedCore> {
  if (wasmUrl === undefined) {
    const { createCore, compileInline } = await import('./core_mt_inline.js');
    return { createCore, module: await compileInline() };
  }
  const [{ createCore }, module] = await Promise.all([import('./core_mt_glue.js'), compileFrom(wasmUrl)]);
  return { createCore, module };
}

function notLoaded(wasmUrl: string, what: string, cause?: unknown): ReduceEngineError {
  return new ReduceEngineError('WASM_NOT_LOADED', `createReducer: wasmUrl ${wasmUrl} ${what}`, cause);
}

async function compileFrom(wasmUrl: string): Promise<WebAssembly.Module> {
  const { bytes, answer } = await read(wasmUrl);
  if (bytes.length < 8 || bytes[0] !== 0 || bytes[1] !== 0x61 || bytes[2] !== 0x73 || bytes[3] !== 0x6d) {
    throw notLoaded(wasmUrl, `is no WebAssembly: ${answer}, ${describe(bytes)}`);
  }
  let module: WebAssembly.Module;
  try {
    module = await WebAssembly.compile(bytes);
  } catch (error) {
    throw notLoaded(wasmUrl, `can not be compiled (${bytes.length} bytes): ${String(error)}`, error);
  }
  if (!WebAssembly.Module.exports(module).some(({ name }) => name === 'onnx_reduce_worker_main')) {
    throw notLoaded(wasmUrl, 'is WebAssembly, but not the core-mt.wasm of this package');
  }
  return module;
}

async function read(wasmUrl: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; answer: string }> {
  const fs = builtin<typeof import('node:fs')>('node:fs');
  // Node's fetch takes no file: addresses and no paths.
  if (fs !== undefined && !/^(https?|data|blob):/i.test(wasmUrl)) {
    try {
      const bytes = new Uint8Array(await fs.promises.readFile(/^file:/i.test(wasmUrl) ? new URL(wasmUrl) : wasmUrl));
      return { bytes, answer: 'it is a file' };
    } catch (error) {
      throw notLoaded(wasmUrl, `could not be read: ${String(error)}`, error);
    }
  }
  let response: Response;
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    response = await fetch(wasmUrl);
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw notLoaded(wasmUrl, `could not be fetched: ${String(error)}`, error);
  }
  const kind = response.headers.get('content-type') ?? 'no content type';
  if (!response.ok) {
    throw notLoaded(wasmUrl, `was answered with HTTP status ${response.status} ${response.statusText} (${kind})`);
  }
  return { bytes, answer: `it was answered with ${kind}` };
}

/** What came instead of WebAssembly, for a human: its text if that is what it looks like. */
function describe(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'and it is empty';
  const start = bytes.subarray(0, 40);
  const text = String.fromCharCode(...start);
  if (/^\s*<(!doctype|html|head|body|\?xml|!--)/i.test(text)) return `and it is HTML: ${JSON.stringify(text)}`;
  if (/^[\t\n\r -~]+$/.test(text)) return `and it begins with ${JSON.stringify(text)}`;
  return `and it begins with the bytes ${Array.from(start.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join(' ')}`;
}
