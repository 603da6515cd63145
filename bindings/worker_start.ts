// Starts workers, in whichever ways the surroundings have, and makes Node's and
// the web's look alike.
import type { Worker as NodeWorker, WorkerOptions as NodeWorkerOptions } from 'node:worker_threads';
import type { PoolInit, PoolSource, WorkerReport } from './worker.js';
import { startWorkerFile } from './worker_file.js';
import workerText from './worker.txt';

/** A worker that said hello. */
export interface PoolWorker {
  post(message: PoolInit | PoolSource): void;
  terminate(): void;
  /** From now on it doesn't keep the process alive. */
  unref(): void;
  /** Called with what it says, and, once, with why it is no more. */
  onReport: (report: WorkerReport) => void;
  onEnd: (reason: string) => void;
  /** The same reason, for those who ask later; empty as long as it lives. */
  readonly endReason: string;
}

/** One way to start a worker, as a function that may throw. */
export interface Launcher {
  /** For messages: what is started. */
  readonly name: string;
  launch(): PoolWorker;
}

interface Surroundings {
  readonly Worker?: typeof Worker;
  readonly Deno?: unknown;
  readonly process?: Partial<NodeJS.Process>;
}

const surroundings = globalThis as unknown as Surroundings;

/** A module of Node's, asked for in a way that no bundler sees; undefined elsewhere. */
export function builtin<T>(name: string): T | undefined {
  return surroundings.process?.getBuiltinModule?.(name) as T | undefined;
}

type NodeThreads = typeof import('node:worker_threads');

/** Whether there are workers at all. */
export function hasWorkers(): boolean {
  return hasWebWorkers() || builtin<NodeThreads>('node:worker_threads') !== undefined;
}

// Deno has both kinds, but only Node's lets the process end before it.
function hasWebWorkers(): boolean {
  return typeof surroundings.Worker === 'function' && surroundings.Deno === undefined;
}

/** The ways to try, in this order. An address of the caller's is not second-guessed. */
export function launchers(workerUrl: string | undefined): Launcher[] {
  if (!hasWebWorkers()) {
    return [{ name: workerUrl ?? 'the worker', launch: () => launchInNode(workerUrl) }];
  }
  if (workerUrl !== undefined) {
    return [{ name: workerUrl, launch: () => new WebWorker(new Worker(workerUrl, { type: 'module' })) }];
  }
  const ways: Launcher[] = [{ name: 'a blob: worker', launch: launchBlob }];
  const file = startWorkerFile;
  if (file !== null) ways.push({ name: 'reduce-worker.mjs', launch: () => new WebWorker(file()) });
  return ways;
}

abstract class AnyWorker implements PoolWorker {
  onReport: (report: WorkerReport) => void = () => {};
  onEnd: (reason: string) => void = () => {};
  endReason = '';
  abstract post(message: PoolInit | PoolSource): void;
  abstract terminate(): void;
  abstract unref(): void;

  protected ended(reason: string): void {
    // An error is followed by the end, which knows less about it.
    if (this.endReason !== '') return;
    this.endReason = reason;
    this.onEnd(reason);
  }
}

class WebWorker extends AnyWorker {
  readonly #worker: Worker;
  #blobUrl: string;

  constructor(worker: Worker, blobUrl = '') {
    super();
    this.#worker = worker;
    this.#blobUrl = blobUrl;
    worker.onmessage = ({ data }) => {
      this.#loaded();
      this.onReport(data);
    };
    worker.onmessageerror = () => this.ended('a message could not be read');
    worker.onerror = (event) => {
      // Else it would be reported to the page, and printed.
      event.preventDefault?.();
      this.ended(event.message || 'it could not be loaded');
    };
  }

  post(message: PoolInit | PoolSource): void {
    this.#worker.postMessage(message);
  }

  terminate(): void {
    this.#loaded();
    this.#worker.terminate();
  }

  unref(): void {
    (this.#worker as { unref?(): void }).unref?.();
  }

  /** The script has been read, or never will be. */
  #loaded(): void {
    if (this.#blobUrl !== '') URL.revokeObjectURL(this.#blobUrl);
    this.#blobUrl = '';
  }
}

/** From a script's text: needs no file, and works from a CDN's origin, but a Content-Security-Policy may forbid it. */
function launchBlob(): PoolWorker {
  const url = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }));
  try {
    // A classic script, as older engines have no other.
    return new WebWorker(new Worker(url), url);
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
}

function launchInNode(workerUrl: string | undefined): PoolWorker {
  // Its own arguments and environment, or it would take over the process's:
  // --input-type=module, for one, would turn the text into a module.
  const options: NodeWorkerOptions = { execArgv: [], env: {} };
  const { Worker: ThreadWorker } = builtin<NodeThreads>('node:worker_threads')!;
  return new ThreadOfNode(workerUrl === undefined
    ? new ThreadWorker(workerText, { ...options, eval: true })
    : new ThreadWorker(/^[a-z]{2,}:/i.test(workerUrl) ? new URL(workerUrl) : workerUrl, options));
}

class ThreadOfNode extends AnyWorker {
  readonly #worker: NodeWorker;

  constructor(worker: NodeWorker) {
    super();
    this.#worker = worker;
    worker.on('message', (report) => this.onReport(report));
    worker.on('messageerror', () => this.ended('a message could not be read'));
    worker.on('error', (error) => this.ended(String(error)));
    worker.on('exit', (code) => this.ended(`it ended with code ${code}`));
  }

  post(message: PoolInit | PoolSource): void {
    this.#worker.postMessage(message);
  }

  terminate(): void {
    void this.#worker.terminate();
  }

  unref(): void {
    this.#worker.unref();
  }
}
