// ONNX's own node tests of the two operators, parsed by protobufjs.
const { readdirSync } = require('node:fs');
const path = require('node:path');
const protobuf = require('protobufjs');
const { dataFile, operators } = require('./support/tensors.cjs');

const folder = path.join(__dirname, '../data/conformance');
const schema = protobuf.loadSync(path.join(__dirname, '../../formats/onnx.proto'));
const TensorProto = schema.lookupType('onnx.TensorProto');
const ModelProto = schema.lookupType('onnx.ModelProto');

const arrays = { 1: ['float32', Float32Array], 7: ['int64', BigInt64Array], 11: ['float64', Float64Array] };

function readTensor(name, file) {
  const tensor = TensorProto.decode(dataFile('conformance', name, 'test_data_set_0', file));
  const [type, ArrayClass] = arrays[tensor.dataType];
  // All of these files keep their elements in raw_data.
  const bytes = Uint8Array.from(tensor.rawData);
  return { type, dims: tensor.dims.map(Number), data: new ArrayClass(bytes.buffer) };
}

const names = readdirSync(folder);

test('all of ONNX\'s cases are here', () => {
  expect(names).toHaveLength(14);
});

test.each(names)('%s', (name) => {
  const { graph, opsetImport } = ModelProto.decode(dataFile('conformance', name, 'model.onnx'));
  const [node] = graph.node;
  const attributes = Object.fromEntries(node.attribute.map(({ name: key, i }) => [key, Number(i)]));
  const input = readTensor(name, 'input_0.pb');
  const expected = readTensor(name, 'output_0.pb');
  const options = { opset: Number(opsetImport[0].version), keepdims: attributes.keepdims ?? 1, noopWithEmptyAxes: attributes.noop_with_empty_axes ?? 0 };
  if (node.input.length > 1) options.axes = readTensor(name, 'input_1.pb').data;

  const y = operators[node.opType](input, options);
  expect(y.type).toBe(expected.type);
  expect(y.dims).toEqual(expected.dims);
  expect(y.data).toHaveLength(expected.data.length);
  // ONNX's expected values come from sums in float32, so they are only near.
  y.data.forEach((value, i) => {
    const wanted = expected.data[i];
    if (Number.isFinite(wanted)) expect(Math.abs(value - wanted)).toBeLessThanOrEqual(1e-6 * Math.abs(wanted));
    else expect(value).toBe(wanted);
  });
});
