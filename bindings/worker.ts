// What a worker of a reducer runs: an instance of the core on the reducer's
// memory, without Emscripten's glue, parked in the core until there is work.
//
// It is bundled into one script that runs as a classic script, as a module and
// in Node, and is small, as a copy of its text is part of the threads entry.
import { controlBlock } from './generated/control_block.js';
import { DenseReader } from './strided.js';

/** The first message: what the worker becomes part of. */
export interface PoolInit {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly member: number;
  readonly stack: number;
  /** Address of the control block. */
  readonly block: number;
  /** Bytes per element, by type code. */
  readonly elementBytes: readonly number[];
}

/** Later ones: shared buffers to read from, by number, and one to let go of. */
export interface PoolSource {
  readonly id: number;
  readonly buffer: ArrayBufferLike | null;
  readonly forget: number;
}

/** What the worker says: that it runs, that it is about to park, or why it can't. */
export type WorkerReport = 'hello' | 'ready' | { readonly failed: string };

interface Port {
  postMessage(message: WorkerReport): void;
  onmessage?: unknown;
  on?(event: 'message', listener: (message: PoolInit | PoolSource) => void): void;
}

type WorkerMain = (member: number, known: number, calledOut: number) => void;

const scope = globalThis as unknown as Port & { process?: NodeJS.Process };
// Node's workers talk through a port, all others by global functions.
const port: Port = typeof scope.postMessage === 'function' ? scope
  : scope.process!.getBuiltinModule('node:worker_threads').parentPort as Port;

const sources = new Map<number, ArrayBufferLike>();
let main: WorkerMain | null = null;
let member = 0;
let known = 0;
// How many messages came after the first; the core compares it with how often
// it was told to send the workers here.
let calledOut = 0;

function receive(message: PoolInit | PoolSource): void {
  if ('module' in message) {
    try {
      main = start(message);
    } catch (error) {
      port.postMessage({ failed: String(error) });
      return;
    }
    member = message.member;
    port.postMessage('ready');
  } else {
    calledOut++;
    sources.delete(message.forget);
    if (message.buffer !== null) sources.set(known = message.id, message.buffer);
  }
  main?.(member, known, calledOut);
}

function start({ module, memory, stack, block, elementBytes }: PoolInit): WorkerMain {
  // What the core writes to here lies in the part of the memory that exists by now.
  const heap = new Uint8Array(memory.buffer);
  const words = new Int32Array(memory.buffer);
  const doubles = new Float64Array(memory.buffer);

  let reader: DenseReader | null = null;
  let readerKey = '';
  function hostRead(to: number, offset: number, rows: number, rowStride: number, rowLength: number): void {
    const source = words[(block + controlBlock.source) >> 2]!;
    const start = doubles[(block + controlBlock.source_offset) >> 3]!;
    const bytes = elementBytes[words[(block + controlBlock.type) >> 2]!]!;
    const buffer = sources.get(source)!;
    const { byteLength } = buffer;  // grows, perhaps
    const key = `${source} ${start} ${bytes} ${byteLength}`;
    if (reader === null || key !== readerKey) {
      reader = new DenseReader(buffer, start, Math.floor((byteLength - start) / bytes), bytes);
      readerKey = key;
    }
    reader.read(heap, to >>> 0, offset, rows, rowStride, rowLength);
  }

  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = kind === 'memory' ? memory : name === 'onnx_reduce_host_read' ? hostRead : () => {
      throw new Error(`a worker called ${name}`);
    };
  }
  const { exports } = new WebAssembly.Instance(module, imports);
  // Each instance has this global for itself: without it all would share the
  // caller's stack.
  (exports.__stack_pointer as WebAssembly.Global).value = stack;
  return exports.onnx_reduce_worker_main as WorkerMain;
}

if (port === scope) port.onmessage = ({ data }: MessageEvent<PoolInit | PoolSource>) => receive(data);
else port.on!('message', receive);
port.postMessage('hello');
