// The workers of one reducer: starting them, telling them of shared buffers,
// and going on without those that are lost.
import { startModule } from './core.js';
import { isReduceError } from './errors.js';
import { type Crew, PoolCore, type PoolModule } from './pool_core.js';
import { loadPoolCore } from './pool_wasm.js';
import { types } from './types.js';
import type { PoolSource, WorkerReport } from './worker.js';
import { type Launcher, launchers, type PoolWorker } from './worker_start.js';

/** When no worker has said anything for so long, those that are awaited never will. */
const kStartTimeout = 10_000;

/** Shared buffers that the workers keep, so that using a few in turn costs no messages. */
const kSources = 4;

const kPage = 65536;
/** What core-mt.wasm needs before it has allocated anything, and the most it may have. */
const kInitialPages = (16 << 20) / kPage;
const kMaximumPages = 2 ** 31 / kPage;
const kLeastMaximumPages = (64 << 20) / kPage;

interface Source {
  readonly id: number;
  readonly buffer: WeakRef<ArrayBufferLike>;
}

export class Pool implements Crew {
  readonly core: PoolCore;
  /** Why there are fewer workers than were asked for. */
  reason = '';
  // By member - 1, as the caller is member 0.
  readonly #workers: (PoolWorker | null)[] = [];
  readonly #onLoss: () => void;
  #sources: Source[] = [];
  #lastSource = 0;
  // The workers must not keep a buffer alive that nobody else has.
  readonly #collected = new FinalizationRegistry<number>((id) => {
    if (!this.#sources.some((source) => source.id === id)) return;
    this.#sources = this.#sources.filter((source) => source.id !== id);
    this.#tell({ id: 0, buffer: null, forget: id });
  });

  // Engines don't count shared memory when they decide whether to collect
  // garbage; ordinary memory they do, even if it is never touched. Without it
  // many reducers would come and go before the first one's memory is given back.
  weight: ArrayBuffer | null = new ArrayBuffer(kInitialPages * kPage);

  constructor(module: PoolModule, onLoss: () => void) {
    this.core = new PoolCore(module, this);
    this.#onLoss = onLoss;
  }

  /** How many threads work, the caller's included. */
  get threads(): number {
    let count = 1;
    for (const worker of this.#workers) if (worker !== null) count++;
    return count;
  }

  get admitted(): number {
    return this.#workers.length + 1;
  }

  /** Takes a worker in that is ready. */
  admit(member: number, worker: PoolWorker): void {
    while (this.#workers.length < member) this.#workers.push(null);
    this.#workers[member - 1] = worker;
    worker.onEnd = (reason) => {
      this.#workers[member - 1] = null;
      while (this.#workers.at(-1) === null) this.#workers.pop();
      worker.terminate();
      this.reason = `a worker was lost: ${reason}`;
      this.#onLoss();
    };
    worker.unref();
    if (worker.endReason !== '') worker.onEnd(worker.endReason);
  }

  sourceOf(buffer: ArrayBufferLike): number {
    const at = this.#sources.findIndex((source) => source.buffer.deref() === buffer);
    if (at >= 0) {
      const [found] = this.#sources.splice(at, 1);
      this.#sources.push(found!);
      return found!.id;
    }
    const id = ++this.#lastSource;
    this.#sources.push({ id, buffer: new WeakRef(buffer) });
    this.#collected.register(buffer, id);
    const forgotten = this.#sources.length > kSources ? this.#sources.shift() : undefined;
    this.#tell({ id, buffer, forget: forgotten?.id ?? 0 });
    return id;
  }

  /** A worker did not come back: the core will call none of them again. */
  lost(): void {
    this.end('a worker did not come back from its part of the work');
    this.#onLoss();
  }

  /** Ends all workers. */
  end(reason: string): void {
    this.reason = reason;
    this.#sources = [];
    this.weight = null;
    // Deno can't terminate a worker that is parked.
    (this.core.module as PoolModule).poolCallOut();
    for (const worker of this.#workers.splice(0)) {
      if (worker === null) continue;
      worker.onEnd = () => {};
      worker.terminate();
    }
  }

  #tell(message: PoolSource): void {
    if (this.#workers.length === 0) return;
    for (const worker of this.#workers) worker?.post(message);
    (this.core.module as PoolModule).poolCallOut();
  }
}

export interface PoolOptions {
  /** The caller's included; at least 2. */
  readonly threads: number;
  readonly wasmUrl: string | undefined;
  readonly workerUrl: string | undefined;
  /** Called when a pool that was running has fewer workers than before. */
  readonly onLoss: () => void;
}

/**
 * Starts a pool. Answers with the reason when there can be none at all; throws
 * only when the caller's wasmUrl is at fault.
 */
export async function startPool({ threads, wasmUrl, workerUrl, onLoss }: PoolOptions): Promise<Pool | string> {
  const problems = new Problems();
  // The first worker shows whether there can be any, and in which way, before
  // anything is loaded for them.
  const workers: PoolWorker[] = [];
  let way!: Launcher;
  for (way of launchers(workerUrl)) {
    const worker = await startWorker(way, problems);
    if (worker === null) continue;
    workers.push(worker);
    // That another way was closed is of no interest then.
    problems.clear();
    break;
  }
  if (workers.length === 0) return problems.toString();
  const name = way.name;
  const others = Promise.all(Array.from({ length: threads - 2 }, () => startWorker(way, problems)));
  try {
    const { createCore, module: compiled } = await loadPoolCore(wasmUrl);
    for (const worker of await others) if (worker !== null) workers.push(worker);
    const memory = makeMemory();
    const module = startModule(createCore, () => compiled, memory) as PoolModule;
    const pool = new Pool(module, onLoss);
    const members = module.poolCreate(workers.length + 1);
    for (const worker of workers.splice(members - 1)) {
      problems.add('there was no memory for one more worker');
      worker.terminate();
    }
    const block = module.controlBlock();
    const elementBytes = types.map(({ bytes }) => bytes);
    const ready = await Promise.all(workers.map((worker, i) => {
      // Each says that it is ready before it parks.
      const answer = settled(worker, 'ready', name, problems);
      worker.post({ module: compiled, memory, member: i + 1, stack: module.poolStack(i + 1) >>> 0, block, elementBytes });
      return answer;
    }));
    const failed = problems.toString();
    ready.forEach((worker, i) => {
      if (worker !== null) pool.admit(i + 1, worker);
    });
    if (pool.threads === 1) return pool.reason || failed;
    pool.reason ||= failed;
    return pool;
  } catch (error) {
    for (const worker of workers) worker.terminate();
    void others.then((late) => {
      for (const worker of late) worker?.terminate();
    });
    if (isReduceError(error) && error.code === 'WASM_NOT_LOADED') throw error;
    return String((error as Error | null)?.message ?? error);
  }
}

/** What went wrong so far, and when something last went right. */
class Problems {
  readonly #found = new Set<string>();
  lastProgress = Date.now();

  add(problem: string): void {
    this.#found.add(problem);
  }

  clear(): void {
    this.#found.clear();
  }

  toString(): string {
    return [...this.#found].join('; ');
  }
}

/** Starts one worker; null, with the reason among the problems, when it doesn't come up. */
async function startWorker(launcher: Launcher, problems: Problems): Promise<PoolWorker | null> {
  try {
    return await settled(launcher.launch(), 'hello', launcher.name, problems);
  } catch (error) {
    problems.add(`${launcher.name} could not be started: ${String(error)}`);
    return null;
  }
}

/** Waits until a worker says the word, or ends, or nobody has said anything for too long. */
function settled(worker: PoolWorker, word: WorkerReport, name: string, problems: Problems): Promise<PoolWorker | null> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (reason: string) => {
      clearTimeout(timer);
      worker.onReport = () => {};
      worker.onEnd = () => {};
      if (reason !== '') {
        worker.terminate();
        problems.add(`${name} could not be started: ${reason}`);
      }
      resolve(reason === '' ? worker : null);
    };
    if (worker.endReason !== '') {
      end(worker.endReason);
      return;
    }
    problems.lastProgress = Date.now();
    const wait = () => {
      // Many that start at once on a busy machine are slow, each of them.
      const rest = problems.lastProgress + kStartTimeout - Date.now();
      if (rest > 0) timer = setTimeout(wait, rest);
      else end(`it said nothing for ${kStartTimeout / 1000} seconds`);
    };
    wait();
    worker.onEnd = end;
    worker.onReport = (report) => {
      problems.lastProgress = Date.now();
      if (report === word) end('');
      else if (typeof report === 'object') end(report.failed);
    };
  });
}

/** Address space for all that may ever be needed, or for as much of it as the engine gives. */
function makeMemory(): WebAssembly.Memory {
  for (let maximum = kMaximumPages; ; maximum /= 2) {
    try {
      return new WebAssembly.Memory({ initial: kInitialPages, maximum, shared: true });
    } catch (error) {
      if (maximum <= kLeastMaximumPages) throw new RangeError(`no shared memory could be had: ${String(error)}`);
    }
  }
}
