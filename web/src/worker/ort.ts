// The engine's side of onnxruntime-web: starts its worker when first asked,
// sends the data once, and turns its complaints into a sentence.

import type { FileTensor, TensorData } from '../../../formats/tensor';
import type { Settings, TypeName } from '../protocol';
import type { Progress } from './generate';
import type { Timing } from './measure';
import { newArray } from './values';
import { reduceModel } from './ort_model';
import type { OrtReply, OrtRequest } from './ort_worker';

let worker: Worker | undefined;
let workerThreads = 0;
let sent: TensorData | undefined;

export function stopOrt(): void {
  worker?.terminate();
  worker = undefined;
  sent = undefined;
}

export interface OrtResult extends Timing {
  data: TensorData;
  version: string;
}

/** Runs one reduction in onnxruntime-web; rejects with its own words where it cannot. */
export async function runOrt(
  input: FileTensor, settings: Settings, threads: number, base: string, budget: number, progress: Progress,
): Promise<OrtResult> {
  if (worker && workerThreads !== threads) stopOrt();
  if (!worker) {
    worker = new Worker(new URL('./ort_worker.ts', import.meta.url), { type: 'module' });
    workerThreads = threads;
  }
  const request: OrtRequest = {
    base, threads, budget, type: input.type, dims: input.dims,
    model: reduceModel(settings, input.type, input.dims),
  };
  if (sent !== input.data) request.data = input.data;
  const reply = await exchange(worker, request, progress);
  if ('error' in reply) {
    // After a failure the instance may be half set up; the next click starts anew.
    stopOrt();
    throw new Error(explain(reply.error, settings.operator, input.type));
  }
  sent = input.data;
  return { ...reply, data: asElements(input.type, reply.data) };
}

type Final = Exclude<OrtReply, { progress: number }>;

function exchange(to: Worker, request: OrtRequest, progress: Progress): Promise<Final> {
  return new Promise((resolve) => {
    to.onmessage = ({ data }: MessageEvent<OrtReply>) => {
      if ('progress' in data) void progress('Loading onnxruntime-web, 14 MB', data.progress);
      else resolve(data);
    };
    to.onerror = (event) => {
      event.preventDefault();
      resolve({ error: event.message || 'its worker could not be loaded' });
    };
    to.postMessage(request);
  });
}

/** Results come in a Float16Array where the engine has one; compare bits instead. */
function asElements(type: TypeName, data: ArrayBufferView): TensorData {
  const empty = newArray(type, 0);
  const Elements = empty.constructor as new (buffer: ArrayBufferLike, offset: number, length: number) => TensorData;
  return new Elements(data.buffer, data.byteOffset, data.byteLength / empty.BYTES_PER_ELEMENT);
}

function explain(message: string, operator: string, type: TypeName): string {
  if (/could not find an implementation|not_implemented|is not supported|unsupported|invalid.*type/i.test(message)) {
    return `It has no ${operator} for ${type}`;
  }
  return message.split('\n')[0]!.slice(0, 200);
}
