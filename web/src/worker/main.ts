// The page's worker: it holds the data and the result, and does everything that
// takes time. Such calls are answered one after the other, so that two
// measurements never share the processor.

import { createReducer, type Reducer } from 'onnx-reduce/threads';
import { npyParts } from '../../../formats/npy';
import { inOrder, type FileTensor, type TensorData } from '../../../formats/tensor';
import { placeNote, unravel } from '../format';
import { operatorOf, typeOf, worthSharing } from '../operators';
import type { CallMessage, CallName, Calls, Comparison, Failure, Loaded, Result, Settings, WorkerMessage } from '../protocol';
import { elementText } from '../../../formats/numbers';
import { generate, type Progress } from './generate';
import { plainLoop } from './loop';
import { measure } from './measure';
import { open } from './open';
import { runOrt, stopOrt } from './ort';
import { bits, distance, newArray } from './values';
import { grid, lines, numbers } from './windows';

let input: FileTensor | undefined;
let result: FileTensor | undefined;
let reducer: Reducer | undefined;
let reducerThreads: Settings['threads'] | undefined;
/** The tensor of the reducer that holds the data, when it is there. */
let memory: ReturnType<Reducer['allocate']> | undefined;
let newestId = 0;
/** Calls up to this one have been given up by the page. */
let cancelledId = 0;

class Cancelled extends Error {
  readonly code = 'CANCELLED';
}

/** What a call may do while it goes on: tell the page how far it is, and let messages in. */
interface Going {
  progress: Progress;
  pause(): Promise<void>;
}

// A message to oneself comes back at once, where a timer would wait longer and longer.
const { port1, port2 } = new MessageChannel();
function turn(): Promise<void> {
  return new Promise((resume) => {
    port1.onmessage = () => resume();
    port2.postMessage(0);
  });
}

function going(id: number): Going {
  let last = 0;
  const pause = async () => {
    await turn();
    if (id <= cancelledId) throw new Cancelled('Stopped');
  };
  const progress: Progress = async (text, fraction) => {
    if (performance.now() - last > 50) {
      last = performance.now();
      send({ id, progress: { text, fraction } });
    }
    await pause();
  };
  return { progress, pause };
}

function send(message: WorkerMessage, transfer: Transferable[] = []): void {
  (self as unknown as Worker).postMessage(message, transfer);
}

function held(which: 'input' | 'result'): FileTensor {
  const tensor = which === 'input' ? input : result;
  if (!tensor) throw new Error(`There is no ${which} yet`);
  return tensor;
}

function accept(tensor: FileTensor, about: Pick<Loaded, 'name' | 'note'> & Partial<Loaded>): Loaded {
  memory?.dispose();
  memory = undefined;
  input = { ...tensor, data: inOrder(tensor.dims, tensor.data, tensor.strides) };
  result = undefined;
  const { type, dims, data } = input;
  return { ...about, type, dims, elements: data.length, bytes: data.byteLength };
}

async function reducerFor(threads: Settings['threads']): Promise<Reducer> {
  if (!reducer || reducerThreads !== threads) {
    takeBack();
    reducer?.dispose();
    reducer = undefined;
    reducer = await createReducer({ threads });
    reducerThreads = threads;
  }
  return reducer;
}

/**
 * The data where the reducer is at its best: threads share the work on what
 * lies in its own memory, and one thread reads an array as well.
 */
function placed(instance: Reducer): FileTensor {
  const tensor = held('input');
  if (memory || instance.threads === 1 || tensor.data.byteLength < worthSharing) return tensor;
  try {
    memory = instance.allocate(tensor.type, tensor.dims);
  } catch {
    // It does not fit in there: then it stays where it is.
    return tensor;
  }
  const data = memory.data as Float32Array;
  data.set(tensor.data as Float32Array);
  input = { ...tensor, data: data as TensorData };
  return input;
}

/** A copy of the elements in an array of their own. */
function arrayOf({ type, data }: FileTensor): TensorData {
  const copy = newArray(type, data.length);
  (copy as Float32Array).set(data as Float32Array);
  return copy;
}

/** Takes the data out of the reducer's memory, before that goes. */
function takeBack(): void {
  if (!memory || !input) return;
  memory = undefined;
  try {
    input = { ...input, data: arrayOf(input) };
  } catch (error) {
    // No room for a second copy: the view keeps the old memory alive.
    if (!(error instanceof RangeError)) throw error;
  }
}

type Operation = (input: unknown, options: object) => { type: string; dims: readonly number[]; data: ArrayBufferView };

/** The package's function of an operator, on the instance that has the workers. */
function operation(of: Reducer, settings: Settings): (tensor: { data: unknown; dims: readonly number[]; type: string }) => FileTensor {
  const call = (of as unknown as Record<string, Operation>)[operatorOf(settings.operator).jsName]!;
  const { axes, keepdims, opset, noop } = settings;
  const noopWithEmptyAxes = noop === 'identity' ? 'identity' : noop === 'map';
  const options = { axes, keepdims, opset, noopWithEmptyAxes };
  return (tensor) => call.call(of, tensor, options) as unknown as FileTensor;
}

async function run({ settings, budget }: Calls['run']['in'], { pause }: Going): Promise<Result> {
  const instance = await reducerFor(settings.threads);
  const tensor = placed(instance);
  const reduce = operation(instance, settings);
  let output: FileTensor | undefined;
  const timing = await measure(() => { output = reduce(memory ?? tensor); }, budget, pause);
  const { type, dims, data } = output!;
  result = { type, dims: [...dims], data };
  const single = data.length === 1 ? { value: elementText(result, 0), bits: bits(result, 0) } : undefined;
  const alone = instance.threads > 1 && !memory;
  return {
    ...timing, type, dims: result.dims, elements: data.length, ...(single ? { single } : {}),
    place: memory ? 'memory' : 'array', threads: alone ? 1 : instance.threads,
    threadsReason: alone ? 'there is too little data to share out' : instance.threadsReason,
  };
}

async function compare({ settings, who, base }: Calls['compare']['in'], { progress, pause }: Going): Promise<Comparison> {
  const tensor = held('input');
  const exact = held('result');
  const budget = 400;
  if (who === 'ort') {
    const threads = (await reducerFor(settings.threads)).threads;
    const theirs = await runOrt(tensor, settings, threads, base, budget, progress);
    const counted = threads === 1 ? '1 thread' : `${threads} threads`;
    return { ...theirs, ...errors(exact, theirs.data), note: `version ${theirs.version}, ${counted}` };
  }
  let theirs: TensorData | undefined;
  if (who === 'other') {
    const instance = await reducerFor(settings.threads);
    const reduce = operation(instance, settings);
    const other = memory ? { ...tensor, data: arrayOf(tensor) } : instance.allocate(tensor.type, tensor.dims);
    try {
      if (!memory) (other.data as Float32Array).set(tensor.data as Float32Array);
      const timing = await measure(() => { theirs = reduce(other).data; }, budget, pause);
      return { ...timing, ...errors(exact, theirs!), note: placeNote(memory ? 'array' : 'memory', 1) };
    } finally {
      if ('dispose' in other) other.dispose();
    }
  }
  const noAxes = settings.axes.length === 0;
  const reduced = tensor.dims.map((_, axis) => (noAxes ? settings.noop === 'off'
    : settings.axes.some((given) => (given < 0 ? given + tensor.dims.length : given) === axis)));
  const loop = noAxes && settings.noop === 'identity'
    ? () => { theirs = tensor.data.slice(); }
    : () => { theirs = plainLoop(settings.operator, tensor, reduced); };
  const timing = await measure(loop, budget, pause);
  return { ...timing, ...errors(exact, theirs!), note: note(tensor) };
}

function note({ type }: FileTensor): string {
  if (type === 'int64' || type === 'uint64') return 'with BigInt';
  return typeOf(type).kind === 'floating' ? 'adding up in float64' : 'in 32-bit integers';
}

/** How far results are from the exact ones, all of them looked at. */
function errors(exact: FileTensor, theirs: TensorData): Pick<Comparison, 'worst' | 'different' | 'elements' | 'example'> {
  const apart = distance(exact.type);
  const elements = exact.data.length;
  if (theirs.length !== elements) throw new RangeError(`It gave ${theirs.length} results where there are ${elements}`);
  let worst = 0;
  let different = 0;
  let at = 0;
  for (let i = 0; i < elements; i += 1) {
    const mine = exact.data[i]!;
    const other = theirs[i]!;
    if (mine === other) continue;
    const error = apart(mine, other);
    if (error > 0) different += 1;
    if (error > worst) { worst = error; at = i; }
  }
  if (worst === 0) return { worst, different, elements };
  const example = {
    index: unravel(at, exact.dims), ours: elementText(exact, at), theirs: elementText({ ...exact, data: theirs }, at),
  };
  return { worst, different, elements, example };
}

type Handlers = { [name in CallName]: (argument: Calls[name]['in'], going: Going) => Calls[name]['out'] | Promise<Calls[name]['out']> };

const handlers: Handlers = {
  async generate({ recipe }, { progress }) {
    stopOrt();
    const tensor = await generate(recipe, progress);
    return accept(tensor, { name: 'Generated', note: '', recipe });
  },
  async open({ files, imageScale }, { progress }) {
    stopOrt();
    const { tensor, about } = await open(files, imageScale, progress);
    return accept(tensor, about);
  },
  run,
  compare,
  grid: ({ which, plane, width, height }) => grid(held(which), plane, width, height),
  lines: ({ which, plane, points }) => lines(held(which), plane, points),
  numbers: ({ which, start, count }) => numbers(held(which), start, count),
  save({ which }) {
    const tensor = held(which);
    // Shared memory cannot go into a Blob.
    const own = which === 'input' && memory ? { ...tensor, data: arrayOf(tensor) } : tensor;
    return new Blob(npyParts(own) as BlobPart[], { type: 'application/octet-stream' });
  },
};

function failureOf(error: unknown): Failure {
  const { message, code, offset } = error as { message?: string; code?: string; offset?: number };
  const failure: Failure = { message: message ?? String(error), code: typeof code === 'string' ? code : '' };
  if (offset !== undefined) failure.offset = offset;
  return failure;
}

async function answer({ id, name, argument }: CallMessage): Promise<void> {
  try {
    if (id <= cancelledId) throw new Cancelled('Stopped');
    const value = await (handlers[name] as (argument: unknown, going: Going) => unknown)(argument, going(id));
    const picture = (value as Partial<Loaded> | undefined)?.thumbnail;
    send({ id, value }, picture ? [picture] : []);
  } catch (error) {
    send({ id, failure: failureOf(error) });
  }
}

const looks: ReadonlySet<CallName> = new Set(['grid', 'lines', 'numbers', 'save']);
let queue: Promise<void> = Promise.resolve();
self.addEventListener('message', ({ data }: MessageEvent<CallMessage | 'cancel'>) => {
  if (data === 'cancel') {
    cancelledId = newestId;
    return;
  }
  newestId = data.id;
  // A look at what is there need not wait for what is being worked out.
  if (looks.has(data.name)) void answer(data);
  else queue = queue.then(() => answer(data));
});
