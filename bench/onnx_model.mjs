// Writes an ONNX model of one Reduce node, to give to other runtimes. The few
// Protocol Buffers fields it takes are written by hand: numbers as varints
// (wire type 0), everything else as length-delimited bytes (wire type 2).

function varint(value) {
  const bytes = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    const low = Number(rest & 127n);
    if (rest < 128n) return [...bytes, low];
    bytes.push(low | 128);
  }
}

const number = (field, value) => [...varint(field * 8), ...varint(value)];
const bytes = (field, content) => [...varint(field * 8 + 2), ...varint(content.length), ...content];
const text = (field, value) => bytes(field, [...new TextEncoder().encode(value)]);
const message = (field, ...parts) => bytes(field, parts.flat());

const kInt64 = 7;  // TensorProto.DataType
const kAttributeInt = 2;  // AttributeProto.AttributeType
const kAttributeInts = 7;

/** ValueInfoProto of a tensor whose dims are left open, so that one model takes any. */
const tensorInfo = (field, name, onnxCode, rank) => message(field,
  text(1, name),
  message(2, message(1, number(1, onnxCode), message(2, ...Array.from({ length: rank }, (_, i) => message(1, text(2, `${name}${i}`)))))));

/**
 * @param {string} operator ONNX's name
 * @param {number} onnxCode TensorProto.DataType of the data
 * @param {number[] | null} axes null for all
 * @returns {Uint8Array} a model with input x and output y
 */
export function reduceModel(operator, onnxCode, rank, axes, { opset = 18, keepdims = 0 } = {}) {
  const asAttribute = axes !== null && opset < 18;
  const asInput = axes !== null && opset >= 18;
  const node = message(1,
    text(1, 'x'), asInput ? text(1, 'axes') : [],
    text(2, 'y'), text(4, operator),
    message(5, text(1, 'keepdims'), number(3, keepdims), number(20, kAttributeInt)),
    asAttribute ? message(5, text(1, 'axes'), ...axes.map((axis) => number(8, axis)), number(20, kAttributeInts)) : []);
  const initializer = asInput
    ? message(5, number(1, axes.length), number(2, kInt64), ...axes.map((axis) => number(7, axis)), text(8, 'axes')) : [];
  const outputRank = axes === null ? 0 : rank - axes.length;
  const graph = message(7, node, text(2, 'reduce'), initializer,
    tensorInfo(11, 'x', onnxCode, rank), tensorInfo(12, 'y', onnxCode, outputRank));
  return Uint8Array.from([...number(1, 8), ...graph, ...message(8, text(1, ''), number(2, opset))]);
}
