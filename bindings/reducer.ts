// Makes the operator functions for whichever core they are to run on. One call:
// read everything that belongs to the caller, decide the plan, and only then
// touch the core, so that a getter of the caller's that calls an operator itself
// finds nothing half done.
import { allocateTensor } from './allocate.js';
import { type Core, kSmallBytes } from './core.js';
import { isReduceError, ReduceEngineError, ReduceRangeError, ReduceTypeError, showList } from './errors.js';
import { operators as rows } from './generated/tables.js';
import { detached, readTensor, type Source } from './input.js';
import { checkVersion, flagAxes, readOptions, type Version } from './options.js';
import { DenseReader, gather, mergeDims, planStrided, type Reader, StridedReader } from './strided.js';
import { isTensor, makeArray, makeTensor, type Tensor } from './tensor.js';
import type { Allocate, Operators } from './signatures.js';
import { typeByName, type PlainArray, type TensorData, type TypeName } from './types.js';
import { isShared, setElements, viewBuffer, viewByteOffset, viewLength } from './views.js';

/** The core's limit; without dims of 1 no tensor comes near it. */
const kMaxRank = 64;

/** Gives the core to run on (for an input, if it is given), and starts it when that has not been done. */
export type CoreProvider = (source?: Source) => Core;

interface OperatorInfo {
  readonly name: string;
  readonly code: number;
  readonly versions: readonly Version[];
  /** One bit for each type code that any version takes. */
  readonly typeMask: number;
}

/** The operator functions and allocate(), bound to one provider of a core. */
export function makeOperators(provider: CoreProvider): Operators & { allocate: Allocate } {
  const functions: Record<string, unknown> = {
    allocate: (type: TypeName, dims: readonly number[]) => allocateTensor(provider(), type, dims),
  };
  rows.forEach((row, code) => {
    let typeMask = 0;
    for (const version of row.versions) {
      for (const type of version.types) typeMask |= 1 << typeByName.get(type)!.code;
    }
    const operator: OperatorInfo = { name: row.name, code, versions: row.versions, typeMask };
    const run = (input: unknown, options?: unknown) => reduce(provider, operator, input, options);
    functions[row.jsName] = Object.defineProperty(run, 'name', { value: row.jsName });
  });
  return functions as unknown as Operators & { allocate: Allocate };
}

function reduce(provider: CoreProvider, operator: OperatorInfo, input: unknown, optionsGiven: unknown): Tensor {
  const { name } = operator;
  const source = readTensor(input, name, 'input', null);
  const { type, dims } = source;
  const options = readOptions(optionsGiven, name);
  if (options.opset !== 0 || (operator.typeMask & (1 << type.code)) === 0) {
    checkVersion(operator.versions, type, options, name);
  }
  const flags = flagAxes(options, dims.length, name);
  const { keepdims, noop } = options;
  const skipped = noop !== 'off' && (options.axes === null || options.axes.length === 0);

  let kept = 0;
  if (keepdims) kept = dims.length;
  else for (let i = 0; i < dims.length; i++) kept += 1 - flags[i]!;
  // Of the right length at once: an array that grows takes room for 17.
  const resultDims = new Array<number>(kept);
  let count = 1;
  for (let i = 0, to = 0; i < dims.length; i++) {
    if (flags[i] === 0) {
      resultDims[to++] = dims[i]!;
      count *= dims[i]!;
    } else if (keepdims) {
      resultDims[to++] = 1;
    }
  }
  // Dims of an empty input may be of any size: Infinity times 0 is nothing, too.
  if (Number.isNaN(count)) count = 0;
  const out = options.out === undefined || options.out === null
    ? null : readOut(options.out, source, resultDims, count, name);
  // The options, or out, may have getters that detach what was read before.
  checkAlive(source, 'input', name);
  if (out !== null) checkAlive(out, 'out', name);
  const core = provider(source).refresh();
  const outInside = out !== null && out.buffer === core.bytes.buffer;

  let bits: ArrayBufferView;
  if (skipped && noop === 'identity') {
    bits = copyOf(source, name);
  } else if (source.strides === null || source.count === 0) {
    bits = runDense(core, operator, source, flags, count, out);
  } else {
    bits = runStrided(core, operator, source, flags, count, out);
  }
  if (out === null) return makeTensor(type.name, asHalf(bits, source), resultDims);
  if (bits !== out.view) {
    // The core's memory may have grown meanwhile, and have another buffer.
    const buffer = outInside ? core.refresh().bytes.buffer : out.buffer;
    new Uint8Array(buffer, out.byteOffset, bits.byteLength).set(new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength));
  }
  return isTensor(options.out) ? options.out : makeTensor(type.name, out.data as TensorData, resultDims);
}

function checkAlive({ view, length }: Source, what: string, operator: string): void {
  if (view !== null && viewLength(view) < length) throw detached(what, operator);
}

/** Float16Array where that came in, else the array as it is. */
function asHalf(bits: ArrayBufferView, { half }: Source): TensorData {
  return half === null ? bits as PlainArray : new half(bits.buffer, bits.byteOffset, bits.byteLength >> 1);
}

/** Checks `out`; its own shape may leave out dims of 1, or be flat. */
function readOut(value: unknown, source: Source, resultDims: number[], count: number, operator: string): Source {
  const { type } = source;
  const out = readTensor(value, operator, 'out', type);
  if (out.strides !== null || out.offset !== 0) {
    throw new ReduceTypeError('WRONG_OUT', `${operator}: out has strides or an offset; results are written in C order only`);
  }
  if (out.type !== type) {
    throw new ReduceRangeError('OUT_MISMATCH', `${operator}: out has type ${out.type.name}, the result has ${type.name}`);
  }
  const shape = (dims: readonly number[]) => dims.filter((dim) => dim !== 1).join(', ');
  if (out.count !== count || (out.dims.length > 1 && shape(out.dims) !== shape(resultDims))) {
    throw new ReduceRangeError('OUT_MISMATCH', `${operator}: out has dims ${showList(out.dims)}, the result has `
      + `${showList(resultDims)}, ${count} elements`);
  }
  return out;
}

function copyOf(source: Source, operator: string): ArrayBufferView {
  const { type, count, dims } = source;
  const copy = makeArray(type.ArrayClass, count, type.bytes, operator);
  if (source.strides !== null) {
    gather(copy, source, type.bytes, dims, source.strides, source.offset, count);
  } else {
    const start = source.byteOffset + source.offset * type.bytes;
    new Uint8Array(copy.buffer).set(new Uint8Array(source.buffer, start, count * type.bytes));
  }
  return copy;
}


/** An input in C order, to be reduced over the dims that `flags` marks. */
function runDense(
  core: Core, operator: OperatorInfo, source: Source, flags: number[], count: number, out: Source | null,
): ArrayBufferView {
  const { type, buffer, view } = source;
  const { bytes } = type;
  let { dims } = source;
  if (source.count === 0) {
    // Nothing is read; how many identities are wanted is all that matters.
    dims = [0, count];
    flags = [1, 0];
  } else if (dims.length > kMaxRank) {
    flags = flags.filter((_, i) => dims[i] !== 1);
    dims = dims.filter((dim) => dim !== 1);
  }
  // A small input travels in the control block, one in the core's memory stays
  // where it is, and any other is asked for in pieces.
  const start = source.byteOffset + source.offset * bytes;
  const inputBytes = source.count * bytes;
  if (buffer === core.bytes.buffer && inputBytes !== 0) {
    return runFrom(core, operator, source, dims, flags, start, null, count, out);
  }
  if (inputBytes > kSmallBytes) {
    const reader = new DenseReader(buffer, start, source.count, bytes);
    return runFrom(core, operator, source, dims, flags, 0, reader, count, out);
  }
  const input = core.smallInput;
  if (view !== null && source.half === null && source.length === source.count) {
    core.views[type.code]!.set(view as never, input / bytes);
  } else {
    core.bytes.set(new Uint8Array(buffer, start, inputBytes), input);
  }
  return runFrom(core, operator, source, dims, flags, input, null, count, out);
}

/** A strided input: read in the order of its strides, the result put in order afterwards. */
function runStrided(
  core: Core, operator: OperatorInfo, source: Source, flags: number[], count: number, out: Source | null,
): ArrayBufferView {
  const { type } = source;
  const { bytes } = type;
  const plan = planStrided(source, flags);
  const merged = mergeDims(plan.dims, plan.strides);
  const gapless = merged.dims.length === 0 || (merged.dims.length === 1 && merged.strides[0] === 1);
  if (!gapless && (source.count * bytes <= kSmallBytes || source.buffer === core.bytes.buffer)) {
    // Small, or in memory that may move while it is read: a copy is simplest.
    return runDense(core, operator, denseCopy(source, operator.name), flags, count, out);
  }
  const { restore } = plan;
  const place = restore === null ? out : null;
  const bits = gapless
    ? runDense(core, operator, { ...source, dims: plan.dims, strides: null, offset: plan.offset }, plan.flags, count, place)
    : runFrom(core, operator, source, plan.dims, plan.flags, 0,
      new StridedReader(source, plan.dims, plan.strides, plan.offset), count, place);
  if (restore === null) return bits;
  const ordered = makeArray(type.ArrayClass, count, bytes, operator.name);
  gather(ordered, bits as PlainArray, bytes, restore.dims, restore.strides, restore.offset, count);
  return ordered;
}

function denseCopy(source: Source, operator: string): Source {
  const view = copyOf(source, operator);
  return {
    ...source, view, half: null, buffer: view.buffer, byteOffset: 0, length: source.count, strides: null, offset: 0,
  };
}

/** Runs the core and puts the result in the place that its size and `out` call for. */
function runFrom(
  core: Core, operator: OperatorInfo, source: Source, dims: number[], flags: number[], input: number,
  reader: Reader | null, count: number, out: Source | null,
): ArrayBufferView {
  const { bytes, code, ArrayClass } = source.type;
  if (count * bytes <= kSmallBytes) {
    if (count === 0) return new ArrayClass(0);
    const { smallOutput } = core;
    run(core, operator, code, dims, flags, input, reader, smallOutput, null, bytes);
    const heap = core.refresh().views[code]!;
    const first = smallOutput / bytes;
    if (out === null || out.view === null || out.half !== null) return heap.slice(first, first + count);
    setElements(out.view, heap.subarray(first, first + count));
    return out.view;
  }
  // A large result goes straight to its place, unless that would overwrite
  // input that is still to be read.
  const direct = out !== null && out.view !== null && !overlap(out, source);
  if (direct && out.buffer === core.bytes.buffer) {
    run(core, operator, code, dims, flags, input, reader, out.byteOffset, null, bytes);
    return out.view!;
  }
  const place = direct ? out.view! : makeArray(ArrayClass, count, bytes, operator.name);
  const target = new Uint8Array(viewBuffer(place), viewByteOffset(place), count * bytes);
  run(core, operator, code, dims, flags, input, reader, 0, target, bytes);
  return place;
}

function run(
  core: Core, operator: OperatorInfo, type: number, dims: number[], flags: number[], input: number,
  reader: Reader | null, output: number, target: Uint8Array | null, bytes: number,
): void {
  core.reader = reader;
  core.target = target;
  core.elementBytes = bytes;
  try {
    core.run(operator.code, type, dims, flags, input, output, operator.name);
  } catch (error) {
    if (isReduceError(error)) throw error;
    // A trap leaves the core's memory in an unknown state: the next call gets a new one.
    core.broken = true;
    throw new ReduceEngineError('INTERNAL', `${operator.name}: the core stopped: ${String(error)}`, error);
  } finally {
    core.reader = null;
    core.target = null;
  }
}

/** Whether writing to `out` could change elements of the input. */
function overlap(out: Source, input: Source): boolean {
  // Two SharedArrayBuffer objects may be one and the same memory.
  if (out.buffer !== input.buffer && !(isShared(out.buffer) && isShared(input.buffer))) return false;
  const end = (source: Source) => source.byteOffset + source.length * source.type.bytes;
  return out.byteOffset < end(input) && input.byteOffset < end(out);
}
