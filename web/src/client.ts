// The page's end of the wire to its worker: calls that return promises.

import type { CallName, Calls, Failure, WorkerMessage } from './protocol';

/** What the worker threw, with its code and, for files, the byte. */
export class CallError extends Error {
  readonly code: string;
  readonly offset: number | undefined;

  constructor({ message, code, offset }: Failure) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

export type OnProgress = (text: string, fraction: number) => void;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  onProgress: OnProgress | undefined;
}

const worker = new Worker(new URL('./worker/main.ts', import.meta.url), { type: 'module', name: 'onnx-reduce demo' });
const waiting = new Map<number, Waiting>();
let lastId = 0;

worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
  const call = waiting.get(data.id);
  if (!call) return;
  if ('progress' in data) {
    call.onProgress?.(data.progress.text, data.progress.fraction);
    return;
  }
  waiting.delete(data.id);
  if ('failure' in data) call.reject(new CallError(data.failure));
  else call.resolve(data.value);
});

// A worker that cannot be loaded, or that breaks, answers nothing any more:
// whoever waits must hear of it.
worker.addEventListener('error', (event) => {
  const message = event.message || 'The page\'s worker could not be loaded';
  for (const call of waiting.values()) call.reject(new CallError({ message, code: 'WORKER' }));
  waiting.clear();
});

/** Asks the worker; calls are answered in the order they were made. */
export function call<N extends CallName>(name: N, argument: Calls[N]['in'], onProgress?: OnProgress): Promise<Calls[N]['out']> {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, onProgress });
    worker.postMessage({ id, name, argument });
  });
}

/** Gives up all calls that are not answered yet: they are rejected with the code CANCELLED. */
export function cancel(): void {
  worker.postMessage('cancel');
}
