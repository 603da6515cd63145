// Protocol Buffers messages, read field by field through protobufjs's Reader.
//
// Why the Reader and not protobufjs's reflection: that compiles decoders with
// `Function`, which a Content-Security-Policy without unsafe-eval forbids, and
// its errors do not tell where in the file they happened. `protobufjs/minimal`
// has the wire format without code generation. The messages are described in
// onnx.proto; the tests check these readers against reflection over that file.

import { FormatError } from './tensor.js';
import protobuf from 'protobufjs/minimal.js';

/** The three wire types that ONNX uses, and fixed 64 bits for doubles. */
export const wireType = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

const wireNames: Record<number, string> = {
  0: 'a varint', 1: '8 bytes', 2: 'a length and bytes', 3: 'a group', 4: 'the end of a group', 5: '4 bytes',
};

/** Reads the value of one field; `wire` is the field's wire type. */
type FieldReader = (reader: WireReader, wire: number) => void;
/** What to do for each field number; other fields are skipped. */
export type Fields = Record<number, [name: string, read: FieldReader]>;

/** A position in a file of messages, whose errors tell the byte. */
export class WireReader {
  private readonly reader: protobuf.Reader;

  constructor(private readonly bytes: Uint8Array) {
    this.reader = new protobuf.Reader(bytes);
  }

  get offset(): number {
    return this.reader.pos;
  }

  /** Reads a message up to the current limit: the file, or the enclosing field. */
  message(name: string, fields: Fields): void {
    const { reader } = this;
    while (reader.pos < reader.len) {
      const start = reader.pos;
      const tag = this.attempt(start, `a field of ${name}`, () => reader.tag());
      const number = tag >>> 3;
      const wire = tag & 7;
      if (number === 0 || !(wire in wireNames) || wire === 4) {
        throw new FormatError(start, `a field of ${name}`, `a tag of field ${number} with wire type ${wire}`);
      }
      const field = fields[number];
      if (field) {
        this.inField(`${name}.${field[0]}`, () => field[1](this, wire));
      } else {
        this.attempt(start, `the whole of field ${number} of ${name}`, () => reader.skipType(wire, 0, number));
      }
    }
  }

  /** A message in a field of its own. */
  nested(wire: number, name: string, fields: Fields): void {
    this.withinLength(wire, () => this.message(name, fields));
  }

  /** A signed 64-bit integer. */
  int64(wire: number): bigint {
    this.need(wire, wireType.varint);
    return this.varint64();
  }

  /** A signed integer that JavaScript's numbers hold exactly. */
  integer(wire: number): number {
    const start = this.offset;
    const value = this.int64(wire);
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new FormatError(start, `${this.field}: an integer within 2^53`, `${value}`);
    return number;
  }

  /** The bytes of a field, as a view of the file. */
  block(wire: number): Uint8Array {
    let block!: Uint8Array;
    this.withinLength(wire, () => {
      block = this.bytes.subarray(this.reader.pos, this.reader.len);
      this.reader.pos = this.reader.len;
    });
    return block;
  }

  string(wire: number): string {
    const block = this.block(wire);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(block);
    } catch {
      throw new FormatError(this.offset - block.length, `${this.field}: text in UTF-8`, 'other bytes');
    }
  }

  /** Repeated varints, packed in one field or one of many. */
  varints(wire: number, add: (value: bigint) => void): void {
    if (wire === wireType.bytes) {
      this.withinLength(wire, () => {
        while (this.reader.pos < this.reader.len) add(this.varint64());
      });
    } else {
      add(this.int64(wire));
    }
  }

  /** Repeated fixed-size numbers, packed in one field or one of many, as bytes. */
  fixed(wire: number, size: 4 | 8): Uint8Array {
    if (wire === wireType.bytes) {
      const block = this.block(wire);
      if (block.length % size !== 0) {
        throw new FormatError(this.offset - block.length, `${this.field}: a multiple of ${size} bytes`, `${block.length} bytes`);
      }
      return block;
    }
    this.need(wire, size === 4 ? wireType.fixed32 : wireType.fixed64);
    const start = this.offset;
    this.attempt(start, `${size} bytes`, () => this.reader.skip(size));
    return this.bytes.subarray(start, start + size);
  }

  private field = '';

  private inField(name: string, read: () => void): void {
    const outer = this.field;
    this.field = name;
    read();
    this.field = outer;
  }

  private varint64(): bigint {
    const value = this.attempt(this.offset, 'a varint of at most 10 bytes', () => this.reader.int64());
    // protobufjs gives a Long where the package long is there, as it is for us.
    const { low, high } = value as unknown as { low: number; high: number };
    return (BigInt(high) << 32n) | BigInt(low >>> 0);
  }

  // Reads a length and narrows the reader to that many bytes, so that nothing
  // inside can reach past its own field.
  private withinLength(wire: number, read: () => void): void {
    this.need(wire, wireType.bytes);
    const { reader } = this;
    const start = reader.pos;
    const length = this.attempt(start, 'a length below 2^31', () => reader.size());
    const outer = reader.len;
    const end = reader.pos + length;
    if (end > outer) {
      throw new FormatError(start, `${this.field}: a length of at most ${outer - reader.pos} bytes`, `${length}`);
    }
    reader.len = end;
    read();
    reader.len = outer;
  }

  private need(wire: number, expected: number): void {
    if (wire !== expected) {
      throw new FormatError(this.offset, `${this.field} as ${wireNames[expected]}`, wireNames[wire]!);
    }
  }

  // protobufjs throws errors without a place; here each gets one.
  private attempt<T>(start: number, expected: string, read: () => T): T {
    try {
      return read();
    } catch {
      const { pos, len } = this.reader;
      const found = pos >= len ? `the end of the ${len === this.bytes.length ? 'file' : 'message'} at byte ${len}` : 'other bytes';
      throw new FormatError(start, this.field && !expected.startsWith('a field') ? `${this.field}: ${expected}` : expected, found);
    }
  }
}
