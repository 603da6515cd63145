// One instance of the WebAssembly core: how it is started, its control block,
// views of its memory, and the two functions through which it asks for input
// and hands out results that lie in ordinary JavaScript memory.
import { ReduceEngineError, ReduceRangeError } from './errors.js';
import { controlBlock, controlBlockCounts } from './generated/tables.js';
import { types, type PlainArray } from './types.js';
import type { Reader } from './strided.js';

/** What the Emscripten glue's factory returns. */
export interface CoreModule {
  readonly HEAPU8: Uint8Array;
  controlBlock(): number;
  run(): number;
  allocate(bytes: number): number;
  release(address: number): void;
  hostRead: (to: number, offset: number, rows: number, rowStride: number, rowLength: number) => void;
  hostWrite: (from: number, offset: number, count: number) => void;
}

export type CoreFactory = (settings: {
  /** For a core that imports its memory. */
  wasmMemory?: WebAssembly.Memory;
  instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void):
    WebAssembly.Exports;
}) => CoreModule;

/** The largest input and result that travel inside the control block. */
export const kSmallBytes = controlBlockCounts.small_input;

export class Core {
  readonly module: CoreModule;
  /** Address of the control block. */
  readonly block: number;
  /** Set when the core trapped: its memory is no longer to be trusted. */
  broken = false;
  /** How many threads may work on a call. */
  threads = 1;
  /** What hostRead reads from during run(). */
  reader: Reader | null = null;
  /** What hostWrite writes to during run(): bytes, and bytes per element. */
  target: Uint8Array | null = null;
  elementBytes = 1;

  // Views of the heap. The memory's buffer is replaced when it grows, so they
  // are made anew whenever HEAPU8 is another one.
  bytes!: Uint8Array;
  words!: Int32Array;
  doubles!: Float64Array;
  views!: PlainArray[];

  constructor(module: CoreModule) {
    this.module = module;
    this.block = module.controlBlock();
    module.hostRead = (to, offset, rows, rowStride, rowLength) => {
      // Addresses come as signed numbers.
      this.reader!.read(this.refresh().bytes, to >>> 0, offset, rows, rowStride, rowLength);
    };
    module.hostWrite = (from, offset, count) => {
      const bytes = count * this.elementBytes;
      this.target!.set(new Uint8Array(this.refresh().bytes.buffer, from >>> 0, bytes), offset * this.elementBytes);
    };
    this.refresh();
  }

  /** Brings the views up to date; to be called before they are used. */
  refresh(): this {
    const { HEAPU8 } = this.module;
    if (HEAPU8 !== this.bytes) {
      const { buffer } = HEAPU8;
      this.bytes = HEAPU8;
      this.words = new Int32Array(buffer);
      this.doubles = new Float64Array(buffer);
      this.views = types.map((type) => new type.ArrayClass(buffer));
    }
    return this;
  }

  get smallInput(): number {
    return this.block + controlBlock.small_input;
  }

  get smallOutput(): number {
    return this.block + controlBlock.small_output;
  }

  /**
   * Fills the control block and runs. `dims` has at most 64 entries; `flags`
   * has a 1 for each that is reduced. An address of 0 means reader or target.
   */
  run(
    op: number, type: number, dims: readonly number[], flags: readonly number[], input: number, output: number,
    operator: string,
  ): void {
    const { block } = this;
    const { words, doubles, bytes } = this;
    const rank = dims.length;
    words[(block + controlBlock.op) >> 2] = op;
    words[(block + controlBlock.type) >> 2] = type;
    words[(block + controlBlock.rank) >> 2] = rank;
    words[(block + controlBlock.threads) >> 2] = this.threads;
    words[(block + controlBlock.input) >> 2] = input;
    words[(block + controlBlock.output) >> 2] = output;
    const firstDim = (block + controlBlock.dims) >> 3;
    const firstFlag = block + controlBlock.reduced;
    for (let i = 0; i < rank; i++) {
      doubles[firstDim + i] = dims[i]!;
      bytes[firstFlag + i] = flags[i]!;
    }
    const status = this.module.run();
    if (status !== 0) throw failure(status, operator);
  }
}

function failure(status: number, operator: string): Error {
  return status === 1
    ? new ReduceRangeError('OUT_OF_MEMORY', `${operator}: the core found no memory to work in`)
    : new ReduceEngineError('INTERNAL', `${operator}: the core refused the request (status ${status})`, status);
}

/** Starts a core. Throws a ReduceEngineError where the engine has or allows no WebAssembly with SIMD. */
export function startCore(factory: CoreFactory, compile: () => WebAssembly.Module): Core {
  return new Core(startModule(factory, compile));
}

/** The same without the Core around it; `wasmMemory` is for a core that imports its memory. */
export function startModule(factory: CoreFactory, compile: () => WebAssembly.Module, wasmMemory?: WebAssembly.Memory): CoreModule {
  let thrown: unknown;
  try {
    const module = factory({
      ...(wasmMemory === undefined ? null : { wasmMemory }),
      instantiateWasm(imports, receive) {
        // The glue would print an exception of this function before passing it
        // on, and nothing may be printed: it is kept, and the glue then stops
        // at the missing exports.
        try {
          const compiled = compile();
          const instance = new WebAssembly.Instance(compiled, imports);
          receive(instance, compiled);
          return instance.exports;
        } catch (error) {
          thrown = error ?? new Error('unknown');
          return {};
        }
      },
    });
    if (thrown === undefined) return module;
  } catch (error) {
    thrown ??= error;
  }
  if (thrown instanceof RangeError) {
    throw new ReduceRangeError('OUT_OF_MEMORY', `the core could not be started, memory is short: ${String(thrown)}`);
  }
  throw new ReduceEngineError('WASM_UNAVAILABLE', 'the WebAssembly core could not be started; it needs WebAssembly with '
    + 'SIMD and, under a Content-Security-Policy, script-src \'wasm-unsafe-eval\'. The engine says: '
    + String(thrown), thrown);
}

/**
 * A provider that starts the core at the first call and again after it broke.
 * A failed start is not remembered: the next call tries anew.
 */
export function lazyCore(start: () => Core): () => Core {
  let core: Core | null = null;
  return () => {
    if (core === null || core.broken) core = start();
    return core;
  };
}
