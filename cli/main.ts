// The command onnx-reduce: from arguments to files and text. Everything goes
// through the package's public functions, as any other program would.

import { readFile } from 'node:fs/promises';
import * as library from 'onnx-reduce';
import { FormatError } from '../formats/tensor.js';
import type { FileTensor } from '../formats/tensor.js';
import { axesOf, readReduceModel } from '../formats/onnx_model.js';
import type { ModelInput, ReduceModel } from '../formats/onnx_model.js';
import { parseCommand } from './arguments.js';
import type { Command, Common } from './arguments.js';
import { DataError, UsageError } from './failure.js';
import { inFile, readBytes, readTensor, removeTemporary, shown, writeFile, writerFor } from './files.js';
import { helpText } from './help.js';
import { operatorNames, reduce } from './operators.js';
import type { Options } from './operators.js';
import { printed, report } from './report.js';

await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<void> {
  // A reader that has seen enough, such as head, closes the pipe. That is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : fail(new DataError(`cannot write to standard output: ${error.message}`)));
  });
  for (const [signal, number] of [['SIGINT', 2], ['SIGTERM', 15], ['SIGHUP', 1]] as const) {
    process.once(signal, () => {
      removeTemporary();
      process.exit(128 + number);
    });
  }
  try {
    await execute(parseCommand(argv));
  } catch (error) {
    process.exitCode = fail(error);
  }
}

// Prints the one sentence and returns the exit code.
function fail(error: unknown): number {
  const { message } = error as Error;
  if (error instanceof UsageError) {
    process.stderr.write(`onnx-reduce: ${message} (onnx-reduce --help tells more)\n`);
    return 2;
  }
  if (error instanceof DataError || error instanceof FormatError || error instanceof library.ReduceError) {
    process.stderr.write(`onnx-reduce: ${message}\n`);
    return 1;
  }
  // A defect of ours: the stack is what a report needs.
  process.stderr.write(`onnx-reduce: internal error: ${(error as Error).stack ?? message}\n`);
  return 1;
}

async function execute(command: Command): Promise<void> {
  switch (command.kind) {
    case 'help':
      return printed([helpText()]);
    case 'version': {
      const file = await readFile(new URL('../package.json', import.meta.url), 'utf8');
      return printed([`${(JSON.parse(file) as { version: string }).version}\n`]);
    }
    case 'reduce': {
      const { operator, file, axes, keepdims, noop, opset } = command;
      checkOutput(command);
      const input = await readTensor(file, command.type);
      const options: Options = {
        keepdims, noopWithEmptyAxes: noop,
        ...(axes === undefined ? {} : { axes }), ...(opset === undefined ? {} : { opset }),
      };
      return finish(operator, file, input, options, command);
    }
    case 'run':
      return runModel(command.model, command.files, command);
  }
}

async function runModel(modelFile: string, files: readonly string[], common: Common): Promise<void> {
  checkOutput(common);
  const bytes = await readBytes(modelFile);
  const model = inFile(modelFile, () => readReduceModel(bytes));
  if (!operatorNames.includes(model.operator)) {
    throw new DataError(`${modelFile} is a model of ${model.operator}; known are ${operatorNames.join(', ')}`);
  }
  if (files.length !== model.inputs.length) {
    const names = model.inputs.map(({ name }) => name).join(', ') || 'none';
    throw new UsageError(`${modelFile} takes ${model.inputs.length} inputs (${names}), and ${files.length} are given`);
  }
  if (files.filter((file) => file === '-').length > 1) throw new UsageError('standard input can be only one of the inputs');

  const given = new Map<string, { tensor: FileTensor; file: string }>();
  for (const [i, input] of model.inputs.entries()) {
    const file = files[i]!;
    // The type reinterprets bits of the data; axes are always int64.
    const tensor = await readTensor(file, input.name === model.dataName ? common.type : undefined);
    checkDeclared(input, tensor, file);
    given.set(input.name, { tensor, file });
  }
  const axes = axesOfModel(model, given);
  const options: Options = {
    keepdims: model.keepdims, noopWithEmptyAxes: model.noopWithEmptyAxes, opset: model.opset,
    ...(axes === undefined ? {} : { axes }),
  };
  const data = given.get(model.dataName) ?? { tensor: model.data!, file: modelFile };
  await finish(model.operator, data.file, { ...data.tensor }, options, common, model.outputName);
}

function axesOfModel(model: ReduceModel, given: Map<string, { tensor: FileTensor; file: string }>): number[] | undefined {
  const axes = model.axesName === undefined ? undefined : given.get(model.axesName);
  return axes ? inFile(axes.file, () => axesOf(axes.tensor)) : model.axes;
}

function checkDeclared(input: ModelInput, tensor: FileTensor, file: string): void {
  const fits = !input.dims || (input.dims.length === tensor.dims.length &&
    input.dims.every((dim, axis) => dim === null || dim === tensor.dims[axis]));
  const wanted = `${input.type ?? 'a tensor'} of shape [${(input.dims ?? []).map((dim) => dim ?? '?').join(', ')}]`;
  if ((input.type && input.type !== tensor.type) || !fits) {
    throw new DataError(`the model declares its input ${input.name} as ${wanted}, ` +
      `and ${shown(file)} holds ${tensor.type} of shape [${tensor.dims.join(', ')}]`);
  }
}

// A name that cannot be written to is refused before the work, not after it.
function checkOutput({ output }: Common): void {
  if (output !== undefined) writerFor(output);
}

async function finish(
  operator: string, file: string, input: FileTensor, options: Options, common: Common, outputName?: string,
): Promise<void> {
  const outcome = await reduce(operator, input, options, common.threads);
  const { output } = common;
  const { tensor } = outcome;
  if (output !== undefined) {
    const parts = writerFor(output)({ ...plain(tensor), ...(outputName ? { name: outputName } : {}) });
    if (output === '-') return printed(parts);
    await writeFile(output, parts);
  }
  await report({ operator, file: shown(file), input, options, outcome, output, json: common.json });
}

// The package's tensors have getters; a spread would lose them.
function plain({ type, dims, data }: FileTensor): FileTensor {
  return { type, dims, data };
}
