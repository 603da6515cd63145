// The text of --help.

import { tensorTypes } from '../formats/tensor.js';
import { operatorNames } from './operators.js';

/** What --help prints. */
export function helpText(): string {
  return `Usage: onnx-reduce OPERATOR FILE [options]
       onnx-reduce run MODEL.onnx INPUT... [options]

Reduces a tensor along axes as the ONNX operators do, every result exactly
rounded. "run" does what a model says that is one Reduce node.

OPERATOR   ${operatorNames.join(', ')}
           (any case, "Reduce" may be left out)
FILE       an .npy array, or an ONNX TensorProto (.pb); - is standard input

Options:
  --axes LIST       axes to reduce, such as 0,-1; without it all of them
  --no-keepdims     drop the reduced axes instead of keeping them as 1
  --noop            with no axes, reduce none (noop_with_empty_axes, opset 18)
  --opset N         the operator's version in this opset; the newest without it
  --type T          read 2-byte data of .npy (u2, V2) as float16 or bfloat16;
                    for other data, fail unless it has this type
  --threads N       threads to use, or auto; 1 without it
  -o, --output FILE write the result there (.npy or .pb; - is .npy on standard
                    output) instead of printing its values
  --json            print one JSON object; 64-bit integers, NaN and infinities
                    are strings in it
  -h, --help        this text
  -V, --version     the version

Types: ${tensorTypes.join(', ')}

Exit codes: 0 done, 1 data cannot be read, reduced or written, 2 wrong usage

Examples:
  onnx-reduce ReduceSumSquare picture.npy --axes 0,1 --no-keepdims
  onnx-reduce logsum table.npy --axes -1 -o result.npy
  onnx-reduce run model.onnx input_0.pb input_1.pb -o output.pb
`;
}
