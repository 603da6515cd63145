// The command's arguments, checked as far as that is possible without data.

import { parseArgs } from 'node:util';
import { tensorTypes } from '../formats/tensor.js';
import type { TensorType } from '../formats/tensor.js';
import { UsageError } from './failure.js';
import { operatorNames } from './operators.js';

/** What to do, in full. */
export type Command =
  | { kind: 'help' }
  | { kind: 'version' }
  | ({ kind: 'reduce'; operator: string; file: string } & ReduceSettings & Common)
  | ({ kind: 'run'; model: string; files: string[] } & Common);

/** How to reduce. */
export interface ReduceSettings {
  axes?: number[];
  keepdims: boolean;
  noop: boolean;
  opset?: number;
}

/** What every command takes. */
export interface Common {
  /** Reads the bits of 16-bit data as this type. */
  type?: TensorType;
  threads?: number | 'auto';
  output?: string;
  json: boolean;
}

const options = {
  axes: { type: 'string' },
  'no-keepdims': { type: 'boolean' },
  noop: { type: 'boolean' },
  opset: { type: 'string' },
  type: { type: 'string' },
  threads: { type: 'string' },
  output: { type: 'string', short: 'o' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const;

// Those of a reduction only: a model brings its own.
const ofReduce = ['axes', 'no-keepdims', 'noop', 'opset'] as const;

/** Reads the arguments, or throws a UsageError that says what is wrong with them. */
export function parseCommand(argv: readonly string[]): Command {
  const { values, positionals } = parse(argv);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  const [first, ...rest] = positionals;
  if (first === undefined) throw new UsageError('an operator or "run" is missing');
  if (rest.includes('')) throw new UsageError('the name of a file is empty');

  const common: Common = { json: values.json ?? false };
  if (values.type !== undefined) common.type = typeName(values.type);
  if (values.threads !== undefined) common.threads = threadCount(values.threads);
  if (values.output !== undefined) {
    if (values.output === '') throw new UsageError('--output needs the name of a file');
    common.output = values.output;
  }
  if (common.json && common.output === '-') throw new UsageError('--json and "-o -" both write to standard output');

  if (first === 'run') {
    const foreign = ofReduce.find((name) => values[name] !== undefined);
    if (foreign) throw new UsageError(`--${foreign} cannot be given to "run": the model says it`);
    const [model, ...files] = rest;
    if (model === undefined) throw new UsageError('"run" needs the name of a model');
    return { kind: 'run', model, files, ...common };
  }

  const operator = operatorName(first);
  const [file, surplus] = rest;
  if (file === undefined) throw new UsageError(`${operator} needs the name of a file, or - for standard input`);
  if (surplus !== undefined) throw new UsageError(`${operator} takes one file, and "${surplus}" is one more`);
  return {
    kind: 'reduce', operator, file, ...common,
    keepdims: !values['no-keepdims'],
    noop: values.noop ?? false,
    ...(values.axes === undefined ? {} : { axes: axisList(values.axes) }),
    ...(values.opset === undefined ? {} : { opset: positiveInteger('--opset', values.opset) }),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: joinAxes(argv), options, allowPositionals: true });
  } catch (error) {
    // Its messages go on with advice about "--" that would only confuse here.
    const [sentence] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(sentence!.charAt(0).toLowerCase() + sentence!.slice(1).replace(/\.$/, ''));
  }
}

// parseArgs takes "-1" after "--axes" for an option. Nobody means that.
function joinAxes(argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const next = argv[i + 1];
    if (argv[i] === '--') return [...joined, ...argv.slice(i)];
    if (argv[i] === '--axes' && next !== undefined && /^-\d/.test(next)) {
      joined.push(`--axes=${next}`);
      i++;
    } else {
      joined.push(argv[i]!);
    }
  }
  return joined;
}

/** ONNX's name for an operator given with or without "Reduce", in any case. */
export function operatorName(given: string): string {
  const wanted = given.toLowerCase().replace(/^reduce[_-]?/, '').replaceAll(/[_-]/g, '');
  const name = operatorNames.find((known) => known.toLowerCase() === `reduce${wanted}`);
  if (name) return name;
  throw new UsageError(`there is no operator "${given}"; there are ${operatorNames.join(', ')}`);
}

function axisList(text: string): number[] {
  if (text.trim() === '') return [];
  return text.split(',').map((item) => {
    const axis = Number(item);
    if (!/^\s*[+-]?\d+\s*$/.test(item) || !Number.isSafeInteger(axis)) {
      throw new UsageError(`--axes takes integers with commas between, such as 0,-1, not "${text}"`);
    }
    return axis;
  });
}

function positiveInteger(name: string, text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value === 0) {
    throw new UsageError(`${name} takes a positive integer, not "${text}"`);
  }
  return value;
}

function threadCount(text: string): number | 'auto' {
  return text === 'auto' ? 'auto' : positiveInteger('--threads', text);
}

function typeName(text: string): TensorType {
  const type = tensorTypes.find((known) => known === text.toLowerCase());
  if (type) return type;
  throw new UsageError(`there is no type "${text}"; there are ${tensorTypes.join(', ')}`);
}
