// An ONNX model whose graph is one Reduce node: which operator and opset, its
// attributes, and where its axes come from. That is the shape of ONNX's own
// node tests. Constant nodes that feed it are folded, as exporters write axes so.

import { FormatError } from './tensor.js';
import type { FileTensor, TensorType } from './tensor.js';
import { readNestedTensor, typeOfDataType } from './tensor_proto.js';
import { WireReader } from './wire.js';
import type { Fields } from './wire.js';

/** An input that the caller has to give. */
export interface ModelInput {
  name: string;
  /** What the model declares; absent where it declares nothing. */
  type?: TensorType;
  /** Null where the model leaves a dim open. */
  dims?: (number | null)[];
}

/** The reduction that a model describes. */
export interface ReduceModel {
  /** ONNX's name, such as ReduceSumSquare. Whether it is known is the caller's matter. */
  operator: string;
  opset: number;
  keepdims: boolean;
  noopWithEmptyAxes: boolean;
  /** From the attribute, an initializer or a Constant; undefined when missing or an input. */
  axes?: number[];
  /** The inputs to give, in the model's order. */
  inputs: ModelInput[];
  /** The name of the data: one of the inputs, or an initializer. */
  dataName: string;
  /** The data when the model holds it itself. */
  data?: FileTensor;
  /** The name of the input that the axes come from, when they do. */
  axesName?: string;
  outputName: string;
}

/** Reads a model file. */
export function readReduceModel(bytes: Uint8Array): ReduceModel {
  if (bytes.length === 0) throw new FormatError(0, 'an ONNX model', 'an empty file');
  const opsets: { domain: string; version: number }[] = [];
  let graph: Graph | undefined;
  const reader = new WireReader(bytes);
  reader.message('ModelProto', {
    7: ['graph', (from, wire) => { graph = readGraph(from, wire); }],
    8: ['opset_import', (from, wire) => {
      const entry = { domain: '', version: 0 };
      from.nested(wire, 'OperatorSetIdProto', {
        1: ['domain', (inner, kind) => { entry.domain = inner.string(kind); }],
        2: ['version', (inner, kind) => { entry.version = inner.integer(kind); }],
      });
      opsets.push(entry);
    }],
  });
  if (!graph) throw new FormatError(bytes.length, 'a ModelProto with a graph', 'the end of the file');
  const opset = opsets.find(({ domain }) => isDefaultDomain(domain));
  if (!opset) {
    throw new FormatError(bytes.length, 'an opset_import of the default domain', 'the end of the file');
  }
  return describe(graph, opset.version);
}

interface Attribute { name: string; offset: number; i?: number; ints: number[]; t?: FileTensor }
interface Node { offset: number; opType: string; domain: string; inputs: string[]; outputs: string[]; attributes: Attribute[] }
interface Graph { offset: number; nodes: Node[]; inputs: ModelInput[]; initializers: Map<string, FileTensor> }

function isDefaultDomain(domain: string): boolean {
  return domain === '' || domain === 'ai.onnx';
}

function describe(graph: Graph, opset: number): ReduceModel {
  const constants = new Map(graph.initializers);
  const others = graph.nodes.filter((node) => !fold(node, constants));
  const node = others[0];
  if (!node) throw new FormatError(graph.offset, 'a graph with a Reduce node', 'none in it');
  if (others.length > 1) {
    throw new FormatError(others[1]!.offset, 'a graph of one Reduce node', `a second node, ${others[1]!.opType}`);
  }
  if (!isDefaultDomain(node.domain) || !node.opType.startsWith('Reduce')) {
    const domain = isDefaultDomain(node.domain) ? '' : ` of ${node.domain}`;
    throw new FormatError(node.offset, 'a Reduce node of the default domain', `${node.opType || 'a node without op_type'}${domain}`);
  }
  const [dataName, axesName] = node.inputs;
  if (!dataName || node.inputs.length > 2 || node.outputs.length !== 1) {
    throw new FormatError(node.offset, `${node.opType} with one or two inputs and one output`,
      `${node.inputs.length} and ${node.outputs.length}`);
  }

  const model: ReduceModel = {
    operator: node.opType, opset, keepdims: true, noopWithEmptyAxes: false,
    // Before IR version 4 initializers are listed among the inputs, too.
    inputs: graph.inputs.filter(({ name }) => !constants.has(name)),
    dataName, outputName: node.outputs[0]!,
  };
  for (const attribute of node.attributes) applyAttribute(model, node, attribute);

  const data = constants.get(dataName);
  if (data) model.data = data;
  else if (!model.inputs.some(({ name }) => name === dataName)) {
    throw new FormatError(node.offset, `'${dataName}' among the graph's inputs and initializers`, 'neither');
  }
  if (axesName) {
    if (model.axes) throw new FormatError(node.offset, 'axes as an attribute or as an input', 'both');
    const axes = constants.get(axesName);
    if (axes) model.axes = axesOf(axes, node.offset);
    else if (model.inputs.some(({ name }) => name === axesName)) model.axesName = axesName;
    else throw new FormatError(node.offset, `'${axesName}' among the graph's inputs and initializers`, 'neither');
  }
  return model;
}

function applyAttribute(model: ReduceModel, node: Node, { name, offset, i, ints }: Attribute): void {
  switch (name) {
    case 'axes':
      model.axes = ints;
      break;
    case 'keepdims':
      model.keepdims = flag(name, i, offset);
      break;
    case 'noop_with_empty_axes':
      model.noopWithEmptyAxes = flag(name, i, offset);
      break;
    default:
      throw new FormatError(offset, `the attributes axes, keepdims and noop_with_empty_axes of ${node.opType}`, `'${name}'`);
  }
}

function flag(name: string, value: number | undefined, offset: number): boolean {
  if (value !== 0 && value !== 1) throw new FormatError(offset, `${name} as 0 or 1`, `${value ?? 'no integer'}`);
  return value === 1;
}

/** The axes that a tensor holds: integers of rank 0 or 1. */
export function axesOf(tensor: FileTensor, offset = 0): number[] {
  const isInteger = tensor.type === 'int64' || tensor.type === 'int32';
  if (!isInteger || tensor.dims.length > 1) {
    throw new FormatError(offset, 'axes as int64 of rank 1', `${tensor.type} of rank ${tensor.dims.length}`);
  }
  return Array.from(tensor.data as ArrayLike<number | bigint>, Number);
}

// A Constant whose value is a tensor or integers becomes an initializer.
function fold(node: Node, constants: Map<string, FileTensor>): boolean {
  if (node.opType !== 'Constant' || !isDefaultDomain(node.domain) || node.outputs.length !== 1) return false;
  const attribute = node.attributes[0];
  if (node.attributes.length !== 1 || !attribute) return false;
  let tensor: FileTensor | undefined;
  if (attribute.name === 'value') tensor = attribute.t;
  if (attribute.name === 'value_ints') {
    tensor = { type: 'int64', dims: [attribute.ints.length], data: BigInt64Array.from(attribute.ints, BigInt) };
  }
  if (!tensor) return false;
  constants.set(node.outputs[0]!, tensor);
  return true;
}

function readGraph(reader: WireReader, wire: number): Graph {
  const graph: Graph = { offset: reader.offset, nodes: [], inputs: [], initializers: new Map() };
  reader.nested(wire, 'GraphProto', {
    1: ['node', (from, kind) => graph.nodes.push(readNode(from, kind))],
    5: ['initializer', (from, kind) => {
      const tensor = readNestedTensor(from, kind);
      graph.initializers.set(tensor.name ?? '', tensor);
    }],
    11: ['input', (from, kind) => graph.inputs.push(readInput(from, kind))],
  });
  return graph;
}

function readNode(reader: WireReader, wire: number): Node {
  const node: Node = { offset: reader.offset, opType: '', domain: '', inputs: [], outputs: [], attributes: [] };
  reader.nested(wire, 'NodeProto', {
    1: ['input', (from, kind) => node.inputs.push(from.string(kind))],
    2: ['output', (from, kind) => node.outputs.push(from.string(kind))],
    4: ['op_type', (from, kind) => { node.opType = from.string(kind); }],
    5: ['attribute', (from, kind) => node.attributes.push(readAttribute(from, kind))],
    7: ['domain', (from, kind) => { node.domain = from.string(kind); }],
  });
  return node;
}

function readAttribute(reader: WireReader, wire: number): Attribute {
  const attribute: Attribute = { name: '', offset: reader.offset, ints: [] };
  reader.nested(wire, 'AttributeProto', {
    1: ['name', (from, kind) => { attribute.name = from.string(kind); }],
    3: ['i', (from, kind) => { attribute.i = from.integer(kind); }],
    5: ['t', (from, kind) => { attribute.t = readNestedTensor(from, kind); }],
    8: ['ints', (from, kind) => from.varints(kind, (value) => attribute.ints.push(Number(value)))],
  });
  return attribute;
}

function readInput(reader: WireReader, wire: number): ModelInput {
  const input: ModelInput = { name: '' };
  const shape: Fields = {
    1: ['dim', (from, kind) => {
      let size: number | null = null;
      from.nested(kind, 'TensorShapeProto.Dimension', {
        1: ['dim_value', (inner, innerKind) => { size = inner.integer(innerKind); }],
      });
      input.dims!.push(size);
    }],
  };
  const tensorType: Fields = {
    1: ['elem_type', (from, kind) => {
      const offset = from.offset;
      const code = from.integer(kind);
      // 0 is "undefined": the model leaves the type open.
      if (code !== 0) input.type = typeOfDataType(code, offset);
    }],
    2: ['shape', (from, kind) => {
      input.dims = [];
      from.nested(kind, 'TensorShapeProto', shape);
    }],
  };
  reader.nested(wire, 'ValueInfoProto', {
    1: ['name', (from, kind) => { input.name = from.string(kind); }],
    2: ['type', (from, kind) => {
      from.nested(kind, 'TypeProto', {
        1: ['tensor_type', (inner, innerKind) => inner.nested(innerKind, 'TypeProto.Tensor', tensorType)],
      });
    }],
  });
  return input;
}
