// What the command prints about a finished reduction.

import type { FileTensor } from '../formats/tensor.js';
import type { Options, Outcome } from './operators.js';
import { elementsJson, shapeText, sizeText, tensorText, timeText } from './text.js';

export interface Report {
  operator: string;
  file: string;
  input: FileTensor;
  options: Options;
  outcome: Outcome;
  output: string | undefined;
  json: boolean;
}

/** Prints for a person, or in JSON. */
export async function report(result: Report): Promise<void> {
  await printed(result.json ? jsonParts(result) : [forPeople(result)]);
}

/** Writes to standard output, no faster than it is read. */
export async function printed(parts: Iterable<string | Uint8Array>): Promise<void> {
  for (const part of parts) {
    if (!process.stdout.write(part)) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}

function forPeople({ operator, file, input, options, outcome, output }: Report): string {
  const { tensor, milliseconds, firstMilliseconds, threads, threadsReason } = outcome;
  const { axes, keepdims, noopWithEmptyAxes, opset } = options;
  const bytes = input.data.byteLength;
  const empty = axes === undefined || axes.length === 0;
  const settings = [
    `axes ${empty ? (noopWithEmptyAxes ? 'none (noop)' : 'all') : shapeText(axes)}`,
    keepdims ? 'keepdims' : 'no keepdims',
    ...(opset === undefined ? [] : [`opset ${opset}`]),
  ];
  const order = input.strides ? ', Fortran order' : '';
  const repeated = firstMilliseconds !== milliseconds;
  const time = [
    timeText(milliseconds) + (repeated ? ` (${timeText(firstMilliseconds)} the first time)` : ''),
    ...(bytes > 0 ? [`${sizeText(bytes / (milliseconds / 1000))}/s`] : []),
    threads === 1 ? '1 thread' : `${threads} threads`,
  ];
  const width = process.stdout.columns || 80;
  return [
    `${operator} of ${file}: ${settings.join(', ')}`,
    `input   ${input.type} ${shapeText(input.dims)} (${sizeText(bytes)}${order})`,
    `output  ${tensor.type} ${shapeText(tensor.dims)}${output === undefined ? '' : ` written to ${output}`}`,
    // The result is in the file then; a screen full of it is not asked for.
    ...(output === undefined ? [tensorText(tensor, width)] : []),
    `time    ${time.join(', ')}${threadsReason ? ` (${threadsReason})` : ''}`,
    '',
  ].join('\n');
}

function* jsonParts({ operator, file, input, options, outcome, output }: Report): Generator<string> {
  const { tensor, milliseconds, firstMilliseconds, threads, threadsReason } = outcome;
  const head = {
    operator, file,
    input: { type: input.type, dims: input.dims },
    ...options,
    milliseconds, firstMilliseconds,
    // null in the JSON when the time is too short to be measured
    bytesPerSecond: input.data.byteLength / (milliseconds / 1000),
    threads, threadsReason,
    ...(output === undefined ? {} : { written: output }),
  };
  const description = JSON.stringify({ type: tensor.type, dims: tensor.dims });
  yield `${JSON.stringify(head).slice(0, -1)},"output":${description.slice(0, -1)}`;
  if (output === undefined) {
    yield ',"data":';
    yield* elementsJson(tensor);
  }
  yield '}}\n';
}
