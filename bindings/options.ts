// Reads the options of one call, and decides which axes are reduced.
import { isArray, ReduceRangeError, ReduceTypeError, show } from './errors.js';
import { asList, lengthOf } from './input.js';
import type { TypeInfo, TypeName } from './types.js';

/** What noopWithEmptyAxes asks for when no axes are given. */
export type Noop = 'off' | 'elementwise' | 'identity';

export interface ParsedOptions {
  readonly axes: number[] | null;
  readonly keepdims: boolean;
  readonly noop: Noop;
  /** 0: the newest version of the operator that takes the input's type. */
  readonly opset: number;
  readonly out: unknown;
}

const defaults: ParsedOptions = { axes: null, keepdims: true, noop: 'off', opset: 0, out: undefined };

interface Given {
  readonly axes?: unknown;
  readonly keepdims?: unknown;
  readonly noopWithEmptyAxes?: unknown;
  readonly opset?: unknown;
  readonly out?: unknown;
}

/** Each option is read once. A name that is no option is an error: misspelt, it would be ignored in silence. */
export function readOptions(value: unknown, operator: string): ParsedOptions {
  if (value === undefined || value === null) return defaults;
  if (typeof value !== 'object' || isArray(value) || ArrayBuffer.isView(value)) {
    throw new ReduceTypeError('WRONG_OPTIONS',
      `${operator}: the options must be an object such as { axes: [0], keepdims: false }, not ${show(value)}`);
  }
  for (const name in value) {
    if (name !== 'axes' && name !== 'keepdims' && name !== 'noopWithEmptyAxes' && name !== 'opset' && name !== 'out'
      && !isEverywhere(name)) {
      throw unknownOption(name, ['axes', 'keepdims', 'noopWithEmptyAxes', 'opset', 'out'], operator);
    }
  }
  const { axes, keepdims, noopWithEmptyAxes, opset, out } = value as Given;
  return {
    axes: axes === undefined || axes === null ? null : readAxes(axes, operator),
    keepdims: keepdims === undefined || keepdims === true || keepdims === 1
      || (keepdims !== false && keepdims !== 0 && wrongKeepdims(keepdims, operator)),
    noop: noopWithEmptyAxes === undefined ? 'off' : readNoop(noopWithEmptyAxes, operator),
    opset: opset === undefined ? 0 : readOpset(opset, operator),
    out,
  };
}

/** Whether every object has it: what old scripts add to Object.prototype is nothing the caller wrote. */
export function isEverywhere(name: string): boolean {
  return name in Object.prototype;
}

/** The error for an option that does not exist, with the one that was probably meant. */
export function unknownOption(name: string, known: readonly string[], owner: string): ReduceTypeError {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
  const wanted = plain(name);
  const meant = known.find((option) => plain(option) === wanted)
    ?? (/^ax[ei]s?$|^dims?$/.test(wanted) ? known.find((option) => option === 'axes') : undefined)
    ?? (wanted.startsWith('keepdim') ? known.find((option) => option === 'keepdims') : undefined)
    ?? (wanted.startsWith('noop') ? known.find((option) => option === 'noopWithEmptyAxes') : undefined);
  return new ReduceTypeError('UNKNOWN_OPTION', `${owner}: there is no option ${show(name)}`
    + (meant === undefined ? `; the options are ${known.join(', ')}` : `; did you mean ${show(meant)}?`));
}

function readAxes(value: unknown, operator: string): number[] {
  if (typeof value === 'number' || typeof value === 'bigint') return [readAxis(value, operator)];
  const list = asList(value);
  if (list === null) {
    throw new ReduceTypeError('WRONG_AXES', `${operator}: axes must be a number, number[], bigint[], Int32Array or `
      + `BigInt64Array, not ${show(value)}`);
  }
  const length = lengthOf(list, operator, 'axes');
  const axes: number[] = [];
  for (let i = 0; i < length; i++) axes.push(readAxis(list[i], operator));
  return axes;
}

function readAxis(value: unknown, operator: string): number {
  if (typeof value === 'number') {
    if (Math.floor(value) === value && value - value === 0) return value;
    throw new ReduceRangeError('AXIS_NOT_INTEGER', `${operator}: axis ${show(value)} is not an integer`);
  }
  if (typeof value === 'bigint') {
    // A bigint too large for a number becomes one that is out of range as well.
    return Number(value);
  }
  throw new ReduceTypeError('WRONG_AXES', `${operator}: an axis must be a number or a bigint, not ${show(value)}`);
}

function wrongKeepdims(value: unknown, operator: string): never {
  throw new ReduceTypeError('WRONG_KEEPDIMS', `${operator}: keepdims must be true, false, 1 or 0, not ${show(value)}`);
}

function readNoop(value: unknown, operator: string): Noop {
  if (value === false || value === 0) return 'off';
  if (value === true || value === 1) return 'elementwise';
  if (value === 'identity') return 'identity';
  throw new ReduceTypeError('WRONG_NOOP',
    `${operator}: noopWithEmptyAxes must be true, false, 1, 0 or 'identity', not ${show(value)}`);
}

function readOpset(value: unknown, operator: string): number {
  const opset = typeof value === 'bigint' ? Number(value) : value;
  if (typeof opset === 'number' && Number.isInteger(opset) && opset >= 1) return opset;
  throw new ReduceRangeError('OPSET_OUT_OF_RANGE', `${operator}: opset must be a positive integer, not ${show(value)}`);
}

/** One version of an operator: the opset it came with and the types it takes. */
export interface Version {
  readonly since: number;
  readonly types: readonly TypeName[];
}

/** Checks what depends on the opset: the type, and whether noopWithEmptyAxes exists yet. */
export function checkVersion(
  versions: readonly Version[], type: TypeInfo, options: ParsedOptions, operator: string,
): void {
  const { opset, noop } = options;
  if (opset === 0) return;
  let version = versions[0]!;
  for (const candidate of versions) {
    if (candidate.since <= opset) version = candidate;
  }
  if (!version.types.includes(type.name)) {
    throw new ReduceTypeError('TYPE_NOT_ALLOWED', `${operator}: ${type.name} is not allowed in opset ${opset} `
      + `(version ${version.since} of the operator); allowed are ${version.types.join(', ')}`);
  }
  if (noop !== 'off' && opset < 18) {
    throw new ReduceTypeError('NOOP_NOT_ALLOWED',
      `${operator}: noopWithEmptyAxes came with opset 18 and does not exist in opset ${opset}`);
  }
}

/** A flag for each dim: 1 where it is reduced. */
export function flagAxes(options: ParsedOptions, rank: number, operator: string): number[] {
  const { axes } = options;
  const none = axes === null || axes.length === 0;
  const flags = new Array<number>(rank);
  const flag = none && options.noop === 'off' ? 1 : 0;
  for (let i = 0; i < rank; i++) flags[i] = flag;
  if (none) return flags;
  for (let i = 0; i < axes.length; i++) {
    const axis = axes[i]!;
    if (!(axis >= -rank && axis < rank)) {
      throw new ReduceRangeError('AXIS_OUT_OF_RANGE', `${operator}: axis ${axis} is out of range for rank ${rank}`
        + (rank === 0 ? ', which has no axes' : `; allowed are ${-rank} to ${rank - 1}`));
    }
    flags[axis < 0 ? axis + rank : axis] = 1;
  }
  return flags;
}
