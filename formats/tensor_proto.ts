// ONNX's TensorProto, the content of the .pb files in ONNX's tests and of the
// initializers in models: read from any of its data fields, written as raw_data.

import { FormatError, arrayOver, bytesOf, concatenate, countElements, inOrder, tensorTypes, typeTable } from './tensor.js';
import type { FileTensor, TensorData, TensorType } from './tensor.js';
import { WireReader } from './wire.js';
import type { Fields } from './wire.js';
import protobuf from 'protobufjs/minimal.js';

// TensorProto.DataType, for messages about the types that are not ours.
const dataTypeNames = [
  'UNDEFINED', 'FLOAT', 'UINT8', 'INT8', 'UINT16', 'INT16', 'INT32', 'INT64', 'STRING', 'BOOL', 'FLOAT16', 'DOUBLE',
  'UINT32', 'UINT64', 'COMPLEX64', 'COMPLEX128', 'BFLOAT16',
];

/** The tensor type of a TensorProto.DataType; an error that names `offset` if it is none. */
export function typeOfDataType(code: number, offset: number): TensorType {
  const type = tensorTypes.find((name) => typeTable[name].onnxCode === code);
  if (type) return type;
  const allowed = tensorTypes.map((name) => dataTypeNames[typeTable[name].onnxCode]).join(', ');
  throw new FormatError(offset, `one of the data types ${allowed}`, dataTypeNames[code] ?? `the code ${code}`);
}

/** Reads a file that is one TensorProto. */
export function readTensorProto(bytes: Uint8Array): FileTensor {
  if (bytes.length === 0) throw new FormatError(0, 'a TensorProto', 'an empty file');
  const message = new TensorMessage(0);
  const reader = new WireReader(bytes);
  reader.message('TensorProto', message.fields);
  return message.tensor(bytes.length);
}

/** Reads a TensorProto in a field of another message. */
export function readNestedTensor(reader: WireReader, wire: number): FileTensor {
  const message = new TensorMessage(reader.offset);
  reader.nested(wire, 'TensorProto', message.fields);
  return message.tensor(reader.offset);
}

/** A file's parts: what stands before the data, and the data, without a copy. */
export function tensorProtoParts(tensor: FileTensor): Uint8Array[] {
  const { dims, type, name } = tensor;
  // Typed arrays are little-endian wherever WebAssembly runs, as raw_data is.
  const body = bytesOf(inOrder(dims, tensor.data, tensor.strides));
  // Readers that follow the specification stop at 2 GB, so none is written.
  if (body.length > 0x7fffffff - 1024) {
    throw new RangeError(`a TensorProto holds less than 2 GB, not ${body.length} bytes; .npy has no such limit`);
  }
  const writer = new protobuf.Writer();
  // ONNX's schema is proto2: repeated numbers without [packed] stand one by one.
  for (const dim of dims) writer.uint32(1 << 3).uint64(dim);
  writer.uint32(2 << 3).int32(typeTable[type].onnxCode);
  if (name) writer.uint32(8 << 3 | 2).string(name);
  writer.uint32(9 << 3 | 2).uint32(body.length);
  return [writer.finish(), body];
}

/** A whole file in one array. */
export function writeTensorProto(tensor: FileTensor): Uint8Array<ArrayBuffer> {
  return concatenate(tensorProtoParts(tensor));
}

// One TensorProto while its fields come in, in any order and possibly in pieces.
class TensorMessage {
  private readonly dims: number[] = [];
  private dataType: number | undefined;
  private dataTypeOffset: number;
  private name: string | undefined;
  private raw: { block: Uint8Array; offset: number } | undefined;
  private typed: { field: string; offset: number; parts: Uint8Array[]; values: bigint[] } | undefined;

  constructor(private readonly start: number) {
    this.dataTypeOffset = start;
  }

  readonly fields: Fields = {
    1: ['dims', (reader, wire) => {
      const offset = reader.offset;
      reader.varints(wire, (value) => {
        if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
          throw new FormatError(offset, 'TensorProto.dims: a dim from 0 to 2^53 - 1', `${value}`);
        }
        this.dims.push(Number(value));
      });
    }],
    2: ['data_type', (reader, wire) => {
      this.dataTypeOffset = reader.offset;
      this.dataType = reader.integer(wire);
    }],
    3: ['segment', (reader) => {
      throw new FormatError(reader.offset, 'a tensor in one piece', 'TensorProto.segment (a part of a larger one)');
    }],
    4: ['float_data', (reader, wire) => this.part('float_data', reader.offset).push(reader.fixed(wire, 4))],
    5: ['int32_data', (reader, wire) => this.integers('int32_data', reader, wire)],
    7: ['int64_data', (reader, wire) => this.integers('int64_data', reader, wire)],
    8: ['name', (reader, wire) => { this.name = reader.string(wire); }],
    9: ['raw_data', (reader, wire) => {
      const offset = reader.offset;
      this.raw = { block: reader.block(wire), offset };
    }],
    10: ['double_data', (reader, wire) => this.part('double_data', reader.offset).push(reader.fixed(wire, 8))],
    11: ['uint64_data', (reader, wire) => this.integers('uint64_data', reader, wire)],
    13: ['external_data', (reader) => {
      throw new FormatError(reader.offset, "the tensor's data in this file", 'external_data (the data is in another file)');
    }],
    14: ['data_location', (reader, wire) => {
      const offset = reader.offset;
      if (reader.integer(wire) !== 0) {
        throw new FormatError(offset, "the tensor's data in this file", 'data_location EXTERNAL (the data is in another file)');
      }
    }],
  };

  tensor(end: number): FileTensor {
    if (this.dataType === undefined) {
      throw new FormatError(this.start, 'a TensorProto with a data_type', 'none in it');
    }
    const type = typeOfDataType(this.dataType, this.dataTypeOffset);
    const count = countElements(this.dims);
    const { bytes: size } = typeTable[type];
    if (Number.isNaN(count) || count * size > Number.MAX_SAFE_INTEGER) {
      throw new FormatError(this.start, 'TensorProto.dims of fewer than 2^53 bytes', `[${this.dims.slice(0, 16).join(', ')}]`);
    }
    const data = this.data(type, count, end);
    return { type, dims: this.dims, data, ...(this.name === undefined ? {} : { name: this.name }) };
  }

  private data(type: TensorType, count: number, end: number): TensorData {
    const { bytes: size } = typeTable[type];
    const shape = `dims [${this.dims.slice(0, 16).join(', ')}]`;
    if (this.raw && this.typed) {
      throw new FormatError(this.raw.offset, `either raw_data or ${this.typed.field}`, 'both');
    }
    if (this.raw) {
      const { block, offset } = this.raw;
      if (block.length !== count * size) {
        throw new FormatError(offset, `raw_data of ${count * size} bytes for ${shape}`, `${block.length} bytes`);
      }
      return arrayOver(type, block);
    }
    const field = typedField[type];
    if (!this.typed) {
      if (count !== 0) throw new FormatError(end, `raw_data or ${field} of ${count} values for ${shape}`, 'neither');
      return arrayOver(type, new Uint8Array(0));
    }
    const { parts, values, offset } = this.typed;
    if (this.typed.field !== field) {
      throw new FormatError(offset, `raw_data or ${field} for ${type}`, this.typed.field);
    }
    const data = values.length ? fromIntegers(type, values, offset) : arrayOver(type, concatenate(parts));
    if (data.length !== count) {
      throw new FormatError(offset, `${count} values in ${field} for ${shape}`, `${data.length}`);
    }
    return data;
  }

  private part(field: string, offset: number): Uint8Array[] {
    return this.started(field, offset).parts;
  }

  private integers(field: string, reader: WireReader, wire: number): void {
    const { values } = this.started(field, reader.offset);
    reader.varints(wire, (value) => values.push(value));
  }

  private started(field: string, offset: number) {
    if (this.typed && this.typed.field !== field) {
      throw new FormatError(offset, `one kind of data, ${this.typed.field}`, field);
    }
    this.typed ??= { field, offset, parts: [], values: [] };
    return this.typed;
  }
}

// Which field a type's values stand in when they are not in raw_data. The
// 16-bit floats travel as their bits.
const typedField: Record<TensorType, string> = {
  float32: 'float_data', float64: 'double_data', float16: 'int32_data', bfloat16: 'int32_data', int32: 'int32_data',
  int64: 'int64_data', uint32: 'uint64_data', uint64: 'uint64_data',
};

function fromIntegers(type: TensorType, values: bigint[], offset: number): TensorData {
  const { bytes: size, array } = typeTable[type];
  const data = new array(new ArrayBuffer(values.length * size));
  // A uint64 arrives as the signed integer of the same bits.
  const signed = type === 'int32' || type === 'int64';
  const wrap = (value: bigint) => (signed ? BigInt.asIntN(size * 8, value) : BigInt.asUintN(size * 8, value));
  values.forEach((value, i) => {
    const element = wrap(value);
    if (element !== (type === 'uint64' ? BigInt.asUintN(64, value) : value)) {
      throw new FormatError(offset, `values of ${size * 8} bits in ${typedField[type]}`, `${value}`);
    }
    data[i] = size === 8 ? element : Number(element);
  });
  return data;
}
