// TensorProto and models. The other side of every test is protobufjs's own
// reflection over formats/onnx.proto, and ONNX's node tests.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import { bitsOf, loadFormats, packBits, randomBits, sampleBits, thrownBy } from './support/load_formats.mjs';

const formats = await loadFormats();
const { FormatError, readReduceModel, readTensorProto, writeTensorProto } = formats;
const schema = protobuf.loadSync(fileURLToPath(new URL('../../formats/onnx.proto', import.meta.url)));
const messages = Object.fromEntries(
  ['TensorProto', 'ModelProto'].map((name) => [name, schema.lookupType(`onnx.${name}`)]));
const encode = (name, object) => new Uint8Array(messages[name].encode(messages[name].fromObject(object)).finish());
const tensorProto = (object) => encode('TensorProto', object);
const codes = { float32: 1, float64: 11, float16: 10, bfloat16: 16, int32: 6, int64: 7, uint32: 12, uint64: 13 };
const fieldOf = {
  float32: 'floatData', float64: 'doubleData', float16: 'int32Data', bfloat16: 'int32Data', int32: 'int32Data',
  int64: 'int64Data', uint32: 'uint64Data', uint64: 'uint64Data',
};

describe('TensorProto', () => {
  describe.each(Object.keys(sampleBits))('%s', (type) => {
    const { bits, bytes } = sampleBits[type];
    const data = formats.arrayOver(type, packBits(bits, bytes));

    test('raw_data is read', () => {
      const tensor = readTensorProto(tensorProto({ dims: [2, 3], dataType: codes[type], rawData: packBits(bits, bytes), name: 'x' }));
      expect(tensor).toMatchObject({ type, dims: [2, 3], name: 'x' });
      expect(bitsOf(tensor.data)).toEqual(bits);
    });

    // protobufjs takes 64-bit integers as Longs, signalling NaNs pass through it as they are.
    const values = bytes === 8 && type !== 'float64'
      ? bits.map((value) => protobuf.util.Long.fromString((type === 'int64' ? BigInt.asIntN(64, value) : value).toString(), type === 'uint64'))
      : [...data];

    test('values in their typed field are read', () => {
      const tensor = readTensorProto(tensorProto({ dims: [6], dataType: codes[type], [fieldOf[type]]: values }));
      expect(tensor).toMatchObject({ type, dims: [6] });
      // A NaN's payload may be lost on the way through JavaScript's numbers.
      const isNaNAt = (i) => Number.isNaN(data[i]);
      expect(bitsOf(tensor.data).map((value, i) => (isNaNAt(i) ? 'NaN' : value)))
        .toEqual(bits.map((value, i) => (isNaNAt(i) ? 'NaN' : value)));
    });

    test('values that are not packed are read', () => {
      const type64 = messages.TensorProto;
      const field = type64.fields[fieldOf[type]];
      const writer = new protobuf.Writer();
      writer.uint32(2 << 3).int32(codes[type]).uint32(1 << 3 | 2).fork().int64(6).ldelim();
      const wire = { float: 5, double: 1 }[field.type] ?? 0;
      for (const value of values) writer.uint32((field.id << 3) | wire)[field.type](value);
      const tensor = readTensorProto(new Uint8Array(writer.finish()));
      expect(tensor.dims).toEqual([6]);
      expect(tensor.data).toHaveLength(6);
      expect(bitsOf(tensor.data).slice(3)).toEqual(bits.slice(3));
    });

    test('what is written, reflection reads', () => {
      const written = writeTensorProto({ type, dims: [3, 2], data, name: 'result' });
      const message = messages.TensorProto.decode(written);
      expect(message.dims.map(Number)).toEqual([3, 2]);
      expect(message.dataType).toBe(codes[type]);
      expect(message.name).toBe('result');
      expect([...message.rawData]).toEqual([...packBits(bits, bytes)]);
      expect(bitsOf(readTensorProto(written).data)).toEqual(bits);
    });

    test('a scalar and an empty tensor', () => {
      expect(readTensorProto(writeTensorProto({ type, dims: [], data: data.slice(0, 1) }))).toMatchObject({ type, dims: [] });
      const empty = readTensorProto(tensorProto({ dims: [3, 0], dataType: codes[type] }));
      expect(empty).toMatchObject({ type, dims: [3, 0] });
      expect(empty.data).toHaveLength(0);
    });
  });

  test('strides are undone when writing', () => {
    const tensor = { type: 'int32', dims: [2, 3], data: Int32Array.of(0, 3, 1, 4, 2, 5), strides: [1, 2] };
    expect([...readTensorProto(writeTensorProto(tensor)).data]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('unknown fields of every kind are skipped', () => {
    const writer = new protobuf.Writer();
    writer.uint32(100 << 3).uint32(300).uint32(101 << 3 | 1).fixed64(1).uint32(102 << 3 | 2).string('x').uint32(103 << 3 | 5).fixed32(1);
    const unknown = writer.finish();
    const known = writeTensorProto({ type: 'float32', dims: [1], data: Float32Array.of(5) });
    for (const parts of [[unknown, known], [known, unknown]]) {
      expect(readTensorProto(formats.concatenate(parts)).data[0]).toBe(5);
    }
  });

  const float = { dims: [2], dataType: 1 };
  const rawFloats = new Uint8Array(8);
  // name, file, the byte where it broke, a part of what was expected, a part of what was found
  const broken = [
    ['nothing', new Uint8Array(0), 0, 'a TensorProto', 'empty'],
    ['a tag of field 0', Uint8Array.of(0, 1), 0, 'a field of TensorProto', 'field 0'],
    ['a tag of wire type 7', Uint8Array.of(0x0f), 0, 'a field of TensorProto', 'wire type 7'],
    ['an end of a group', Uint8Array.of(0x0c), 0, 'a field of TensorProto', 'wire type 4'],
    ['a tag that does not end', Uint8Array.of(0x88), 0, 'a field of TensorProto', 'end of the file at byte 1'],
    ['dims that do not end', Uint8Array.of(0x08, 0x80, 0x80), 1, 'TensorProto.dims: a varint', 'end of the file at byte 3'],
    ['a varint of 11 bytes', Uint8Array.of(0x08, ...new Array(10).fill(0x80), 1), 1, 'at most 10 bytes', 'other bytes'],
    ['dims as fixed 32 bits', Uint8Array.of(0x0d, 1, 0, 0, 0), 1, 'TensorProto.dims as a varint', '4 bytes'],
    ['a negative dim', tensorProto({ dims: [-1], dataType: 1 }), 1, 'a dim from 0', '-1'],
    ['a dim of 2^62', tensorProto({ dims: [protobuf.util.Long.fromString('4611686018427387904')], dataType: 1 }), 1, 'a dim from 0', '4611686018427387904'],
    ['a product past 2^53', tensorProto({ dims: [94906267, 94906267], dataType: 1, rawData: rawFloats }), 0, 'fewer than 2^53 bytes', '94906267'],
    ['data_type as bytes', Uint8Array.of(0x12, 0), 1, 'TensorProto.data_type as a varint', 'a length and bytes'],
    ['no data_type', tensorProto({ dims: [2], rawData: rawFloats }), 0, 'with a data_type', 'none'],
    ['an undefined type', tensorProto({ ...float, dataType: 0, rawData: rawFloats }), 3, 'one of the data types FLOAT', 'UNDEFINED'],
    ['bool', tensorProto({ dims: [2], dataType: 9, int32Data: [1, 0] }), 3, 'one of the data types', 'BOOL'],
    ['text', tensorProto({ dims: [1], dataType: 8, stringData: [Uint8Array.of(65)] }), 3, 'one of the data types', 'STRING'],
    ['a type of the future', tensorProto({ ...float, dataType: 99, rawData: rawFloats }), 3, 'one of the data types', 'the code 99'],
    ['raw_data too short', tensorProto({ ...float, rawData: rawFloats.subarray(1) }), 5, 'raw_data of 8 bytes for dims [2]', '7 bytes'],
    ['raw_data too long', tensorProto({ ...float, rawData: new Uint8Array(12) }), 5, 'raw_data of 8 bytes', '12 bytes'],
    ['raw_data longer than the file', Uint8Array.of(0x10, 1, 0x4a, 0x7f, 0), 3, 'TensorProto.raw_data: a length of at most 1 bytes', '127'],
    ['a length of 2^31', Uint8Array.of(0x4a, 0x80, 0x80, 0x80, 0x80, 0x08, 0), 1, 'a length below 2^31', 'other bytes'],
    ['no data', tensorProto(float), 4, 'raw_data or float_data of 2 values', 'neither'],
    ['too few values', tensorProto({ ...float, floatData: [1] }), 5, '2 values in float_data', '1'],
    ['float_data of 7 bytes', Uint8Array.of(0x10, 1, 0x22, 7, 0, 0, 0, 0, 0, 0, 0), 4, 'float_data: a multiple of 4 bytes', '7 bytes'],
    ['another typed field', tensorProto({ ...float, doubleData: [1, 2] }), 5, 'float_data for float32', 'double_data'],
    ['both kinds of data', tensorProto({ ...float, floatData: [1, 2], rawData: rawFloats }), 15, 'either raw_data or float_data', 'both'],
    ['two typed fields', tensorProto({ ...float, floatData: [1, 2], int32Data: [1] }), 15, 'one kind of data', 'int32_data'],
    ['an int32 beyond 32 bits', Uint8Array.of(0x10, 6, 0x08, 1, 0x28, 0x80, 0x80, 0x80, 0x80, 0x10), 5, '32 bits in int32_data', '4294967296'],
    ['a float16 beyond 16 bits', tensorProto({ dims: [1], dataType: 10, int32Data: [65536] }), 5, '16 bits in int32_data', '65536'],
    ['a uint32 beyond 32 bits', tensorProto({ dims: [1], dataType: 12, uint64Data: [4294967296] }), 5, '32 bits in uint64_data', '4294967296'],
    ['external data', tensorProto({ ...float, externalData: [{ key: 'location', value: 'x.bin' }], dataLocation: 1 }), 5, 'in this file', 'in another file'],
    ['an external location', tensorProto({ ...float, dataLocation: 1 }), 5, 'in this file', 'EXTERNAL'],
    ['a segment', tensorProto({ ...float, segment: { begin: 0, end: 1 }, rawData: rawFloats }), 5, 'in one piece', 'segment'],
    ['a name that is no UTF-8', Uint8Array.of(0x42, 1, 0xff), 2, 'TensorProto.name: text in UTF-8', 'other bytes'],
  ];
  test.each(broken)('broken: %s', (_, file, offset, expected, found) => {
    const error = thrownBy(() => readTensorProto(file));
    expect(error).toBeInstanceOf(FormatError);
    expect(error).toMatchObject({
      offset, expected: expect.stringContaining(expected), found: expect.stringContaining(found),
    });
  });

  test('cut anywhere or changed anywhere it reads or fails with a FormatError inside the file', () => {
    const random = randomBits(7);
    const files = Object.keys(codes).map((type) =>
      tensorProto({ dims: [2, 3], dataType: codes[type], rawData: packBits(sampleBits[type].bits, sampleBits[type].bytes), name: 'abc' }));
    files.push(tensorProto({ dims: [3], dataType: 7, int64Data: [1, -1, 300] }), tensorProto({ dims: [3], dataType: 1, floatData: [1, 2, 3] }));
    const wrong = [];
    let failures = 0;
    const check = (file) => {
      const error = thrownBy(() => readTensorProto(file));
      if (error) failures++;
      if (error && !(error instanceof FormatError && error.offset <= file.length)) wrong.push([[...file], error]);
    };
    for (const file of files) {
      for (let length = 0; length < file.length; length++) check(file.subarray(0, length));
      for (let i = 0; i < 5000; i++) check(file.with(random() % file.length, random() & 255).with(random() % file.length, random() & 255));
    }
    expect(wrong).toEqual([]);
    expect(failures).toBeGreaterThan(5000);
  });
});

describe('models', () => {
  const conformance = fileURLToPath(new URL('../data/conformance/', import.meta.url));
  const folders = readdirSync(conformance, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name);

  test("ONNX's node tests are there", () => {
    expect(folders).toHaveLength(14);
  });

  test.each(folders)('%s is read as reflection reads it', (folder) => {
    const bytes = new Uint8Array(readFileSync(`${conformance}${folder}/model.onnx`));
    const message = messages.ModelProto.decode(bytes);
    const [node] = message.graph.node;
    const attribute = (name) => node.attribute.find((entry) => entry.name === name);
    expect(readReduceModel(bytes)).toEqual({
      operator: node.opType,
      opset: Number(message.opsetImport[0].version),
      keepdims: Number(attribute('keepdims')?.i ?? 1) === 1,
      noopWithEmptyAxes: false,
      inputs: message.graph.input.map(({ name, type }) => ({
        name,
        type: { 1: 'float32', 7: 'int64' }[type.tensorType.elemType],
        dims: type.tensorType.shape.dim.map((dim) => (dim.dimParam ? null : Number(dim.dimValue))),
      })),
      dataName: node.input[0],
      ...(node.input[1] ? { axesName: node.input[1] } : {}),
      outputName: node.output[0],
    });
  });

  const value = (name, elemType, dims) => ({
    name, type: { tensorType: { elemType, shape: { dim: dims.map((dim) => (typeof dim === 'number' ? { dimValue: dim } : { dimParam: dim })) } } },
  });
  const graph = {
    node: [{ opType: 'ReduceLogSum', input: ['x'], output: ['y'], attribute: [{ name: 'axes', ints: [0, -1], type: 7 }, { name: 'keepdims', i: 0, type: 2 }] }],
    input: [value('x', 1, [2, 'N'])], output: [value('y', 1, [])], name: 'g',
  };
  const modelOf = (changes = {}, opsets = [{ domain: '', version: 11 }]) =>
    encode('ModelProto', { irVersion: 8, graph: { ...graph, ...changes }, opsetImport: opsets });
  const axesTensor = (name, axes) => ({ name, dims: [axes.length], dataType: 7, int64Data: axes });

  test('axes as an attribute', () => {
    expect(readReduceModel(modelOf())).toEqual({
      operator: 'ReduceLogSum', opset: 11, keepdims: false, noopWithEmptyAxes: false, axes: [0, -1],
      inputs: [{ name: 'x', type: 'float32', dims: [2, null] }], dataName: 'x', outputName: 'y',
    });
  });

  test.each([
    ['an initializer', { initializer: [axesTensor('axes', [-1, 2])] }, []],
    ['an initializer that is listed as an input, too', { initializer: [axesTensor('axes', [-1, 2])], input: [value('x', 1, [2]), value('axes', 7, [2])] }, []],
    ['a Constant tensor', {}, [{ opType: 'Constant', output: ['axes'], attribute: [{ name: 'value', t: axesTensor('', [-1, 2]), type: 4 }] }]],
    ['a Constant of integers', {}, [{ opType: 'Constant', output: ['axes'], attribute: [{ name: 'value_ints', ints: [-1, 2], type: 7 }] }]],
  ])('axes as %s', (_, changes, before) => {
    const node = [...before, { opType: 'ReduceSumSquare', input: ['x', 'axes'], output: ['y'], attribute: [{ name: 'noop_with_empty_axes', i: 1, type: 2 }] }];
    const model = readReduceModel(modelOf({ ...changes, node }, [{ domain: 'ml', version: 3 }, { domain: 'ai.onnx', version: 18 }]));
    expect(model).toMatchObject({ operator: 'ReduceSumSquare', opset: 18, axes: [-1, 2], noopWithEmptyAxes: true, keepdims: true });
    expect(model.inputs.map(({ name }) => name)).toEqual(['x']);
    expect(model.axesName).toBeUndefined();
  });

  test('axes as an input, an optional input left out, data as an initializer', () => {
    const node = (...input) => [{ opType: 'ReduceSumSquare', input, output: ['y'] }];
    const both = modelOf({ node: node('x', 'a'), input: [value('a', 7, [1]), value('x', 1, [2])] });
    expect(readReduceModel(both)).toMatchObject({ axesName: 'a', dataName: 'x', inputs: [{ name: 'a' }, { name: 'x' }] });
    expect(readReduceModel(modelOf({ node: node('x', '') }))).not.toHaveProperty('axes');
    const inside = modelOf({ node: node('w'), input: [], initializer: [{ name: 'w', dims: [2], dataType: 1, floatData: [1, 2] }] });
    expect([...readReduceModel(inside).data.data]).toEqual([1, 2]);
  });

  const nodeOf = (changes) => ({ node: [{ ...graph.node[0], ...changes }] });
  test.each([
    ['nothing', new Uint8Array(0), 'an ONNX model', 'empty'],
    ['no graph', encode('ModelProto', { irVersion: 8, opsetImport: [{ version: 18 }] }), 'with a graph', 'the end'],
    ['no opset', modelOf({}, []), 'an opset_import', 'the end'],
    ['another domain only', modelOf({}, [{ domain: 'ml', version: 3 }]), 'an opset_import', 'the end'],
    ['no node', modelOf({ node: [] }), 'a Reduce node', 'none'],
    ['two nodes', modelOf({ node: [graph.node[0], { ...graph.node[0], opType: 'Relu' }] }), 'one Reduce node', 'Relu'],
    ['another operator', modelOf(nodeOf({ opType: 'MatMul' })), 'a Reduce node', 'MatMul'],
    ['another domain', modelOf(nodeOf({ domain: 'my.own' })), 'default domain', 'ReduceLogSum of my.own'],
    ['no op_type', modelOf(nodeOf({ opType: '' })), 'a Reduce node', 'without op_type'],
    ['no input', modelOf(nodeOf({ input: [] })), 'one or two inputs', '0 and 1'],
    ['two outputs', modelOf(nodeOf({ output: ['y', 'z'] })), 'one output', '1 and 2'],
    ['an input from nowhere', modelOf(nodeOf({ input: ['z'] })), "'z' among the graph's inputs", 'neither'],
    ['axes from nowhere', modelOf(nodeOf({ input: ['x', 'z'], attribute: [] })), "'z' among the graph's inputs", 'neither'],
    ['axes twice', modelOf({ ...nodeOf({ input: ['x', 'a'] }), initializer: [axesTensor('a', [0])] }), 'as an attribute or as an input', 'both'],
    ['axes of floats', modelOf({ ...nodeOf({ input: ['x', 'a'], attribute: [] }), initializer: [{ name: 'a', dims: [1], dataType: 1, floatData: [0] }] }), 'axes as int64', 'float32 of rank 1'],
    ['another attribute', modelOf(nodeOf({ attribute: [{ name: 'alpha', i: 1 }] })), 'the attributes axes', "'alpha'"],
    ['keepdims 2', modelOf(nodeOf({ attribute: [{ name: 'keepdims', i: 2 }] })), 'keepdims as 0 or 1', '2'],
    ['keepdims without a number', modelOf(nodeOf({ attribute: [{ name: 'keepdims' }] })), 'keepdims as 0 or 1', 'no integer'],
    ['an input of bool', modelOf({ input: [value('x', 9, [2])] }), 'one of the data types', 'BOOL'],
    ['a TensorProto', tensorProto({ dims: [2], dataType: 1, floatData: [1, 2], name: 'x' }), 'ModelProto', 'the end'],
    ['an initializer that is cut', modelOf({ initializer: [{ name: 'a', dims: [3], dataType: 7, rawData: new Uint8Array(23) }] }), 'raw_data of 24 bytes', '23 bytes'],
  ])('broken: %s', (_, file, expected, found) => {
    const error = thrownBy(() => readReduceModel(file));
    expect(error).toBeInstanceOf(FormatError);
    expect(error).toMatchObject({ expected: expect.stringContaining(expected), found: expect.stringContaining(found) });
    expect(error.offset).toBeLessThanOrEqual(file.length);
  });

  test('the error lies at the byte of the node that is wrong', () => {
    const file = modelOf(nodeOf({ opType: 'MatMul' }));
    const { offset } = thrownBy(() => readReduceModel(file));
    // The node's length stands there, its tag before it, and "MatMul" in it.
    expect(file[offset - 1]).toBe(0x0a);
    expect(Buffer.from(file.subarray(offset, offset + 1 + file[offset])).includes('MatMul')).toBe(true);
  });

  test('changed anywhere it reads or fails with a FormatError inside the file', () => {
    const random = randomBits(11);
    const file = modelOf({ initializer: [axesTensor('axes', [-1, 2])] });
    const wrong = [];
    let failures = 0;
    for (let i = 0; i < 20000; i++) {
      const changed = file.with(random() % file.length, random() & 255);
      const part = changed.subarray(0, random() % 4 ? file.length : random() % file.length);
      const error = thrownBy(() => readReduceModel(part));
      if (error) failures++;
      if (error && !(error instanceof FormatError && error.offset <= part.length)) wrong.push([[...part], error]);
    }
    expect(wrong).toEqual([]);
    expect(failures).toBeGreaterThan(1000);
  });
});
