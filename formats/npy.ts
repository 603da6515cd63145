// NumPy's .npy files, format versions 1 to 3, read and written.
//
// Why not a library: of those on npm, npyjs 1.2 ignores byte order and byte
// count, turns float16 into float32 on reading and cannot write it, and
// numpy-parser 1.2 only reads, without float16, 64-bit integers and Fortran
// order. None says where a broken file broke.
//
// Format: numpy/lib/format.py. Magic, two version bytes, the header's length
// (2 bytes in version 1, then 4), the header as a Python dict literal, the data.

import {
  FormatError, arrayOver, bytesOf, concatenate, countElements, fortranStrides, inOrder, swapBytes,
  typeTable,
} from './tensor.js';
import type { FileTensor, TensorType } from './tensor.js';
import { readDict } from './npy_header.js';

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];  // "\x93NUMPY"
// dtypes without their byte order. NumPy has no bfloat16: files hold one as two
// bytes without a meaning.
const dtypes: Record<TensorType, string> = {
  float32: 'f4', float64: 'f8', float16: 'f2', bfloat16: 'V2', int32: 'i4', uint32: 'u4', int64: 'i8', uint64: 'u8',
};
const readableDtypes = 'f2, f4, f8, i4, u4, i8, u8 (or u2 or V2 holding the bits of a 16-bit float)';

// NumPy itself stops at 10 000 bytes unless told otherwise. Longer ones only
// come from dtypes with hundreds of fields, and from broken length bytes.
const maxHeaderLength = 1 << 20;

/** What the header says, and where the data begins. */
export interface NpyHeader {
  version: number;
  /** As it is written, such as '<f4'. */
  descr: string;
  fortranOrder: boolean;
  dims: number[];
  /** The byte at which the data begins. */
  dataOffset: number;
  /** The byte at which the dtype stands, for messages about it. */
  descrOffset: number;
}

export interface ReadNpyOptions {
  /** Read the bits of a u2 or V2 array as this 16-bit float type. */
  type?: TensorType;
}

/** Whether `bytes` begins as an .npy file does. */
export function isNpy(bytes: Uint8Array): boolean {
  return bytes.length >= magic.length && magic.every((byte, i) => bytes[i] === byte);
}

/** Reads the header alone: enough bytes for it must be there, the data need not be. */
export function readNpyHeader(bytes: Uint8Array): NpyHeader {
  for (let i = 0; i < magic.length; i++) {
    if (bytes[i] !== magic[i]) {
      throw new FormatError(i, 'the magic bytes of an .npy file (93 4e 55 4d 50 59)', byteAt(bytes, i));
    }
  }
  const version = bytes[6];
  if (version === undefined || version < 1 || version > 3) {
    throw new FormatError(6, 'format version 1, 2 or 3', byteAt(bytes, 6));
  }
  if (bytes[7] !== 0) throw new FormatError(7, 'minor version 0', byteAt(bytes, 7));

  const lengthSize = version === 1 ? 2 : 4;
  const start = 8 + lengthSize;
  if (bytes.length < start) {
    throw new FormatError(bytes.length, `the header's length in ${lengthSize} bytes`, 'the end of the file');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > maxHeaderLength) {
    throw new FormatError(8, `a header of at most ${maxHeaderLength} bytes`, `a length of ${length}`);
  }
  if (bytes.length < start + length) {
    throw new FormatError(bytes.length, `a header of ${length} bytes from byte ${start} on`, 'the end of the file');
  }
  const dict = readDict(bytes, start, start + length);
  return { version, ...dict, dataOffset: start + length };
}

/**
 * Reads a whole file. The data is a view of `bytes` where byte order and
 * alignment allow it, so keep those as they are while the tensor is in use.
 */
export function readNpy(bytes: Uint8Array, options: ReadNpyOptions = {}): FileTensor {
  const header = readNpyHeader(bytes);
  const type = typeOf(header, options.type);
  const size = typeTable[type].bytes;
  const { dims, dataOffset } = header;

  const count = countElements(dims);
  const shape = shapeText(dims);
  const expected = `${size} bytes for each element of shape ${shape}`;
  if (Number.isNaN(count) || count * size > Number.MAX_SAFE_INTEGER) {
    throw new FormatError(dataOffset, 'a shape of fewer than 2^53 bytes', shape);
  }
  const end = dataOffset + count * size;
  if (bytes.length < end) {
    throw new FormatError(bytes.length, `${expected}, ${end - bytes.length} bytes more`, 'the end of the file');
  }
  if (bytes.length > end) {
    throw new FormatError(end, `the end of the file after ${expected}`, `${bytes.length - end} bytes more`);
  }

  let body = bytes.subarray(dataOffset, end);
  if (header.descr[0] === '>') {
    body = body.slice();
    swapBytes(body, size);
  }
  const tensor: FileTensor = { type, dims, data: arrayOver(type, body) };
  if (header.fortranOrder && dims.length > 1) tensor.strides = fortranStrides(dims);
  return tensor;
}

export interface WriteNpyOptions {
  /** 1, 2 or 3; without it the lowest that can hold the header. */
  version?: 1 | 2 | 3;
  /** '<' little endian (the default) or '>' big endian. */
  byteOrder?: '<' | '>';
  /** Store the first axis fastest; by default the last. */
  fortranOrder?: boolean;
}

/**
 * A file as its parts, so that large data can be written without a copy. A
 * bfloat16 tensor gets dtype V2, as Python's ml_dtypes writes it.
 */
export function npyParts(tensor: FileTensor, options: WriteNpyOptions = {}): Uint8Array[] {
  const { type, dims } = tensor;
  const { bytes: size } = typeTable[type];
  const byteOrder = options.byteOrder ?? '<';
  const fortranOrder = options.fortranOrder ?? false;

  let data = inOrder(dims, tensor.data, tensor.strides);
  if (fortranOrder) {
    // Walking the reversed axes over C-ordered data yields the Fortran order.
    data = inOrder([...dims].reverse(), data, fortranStrides([...dims].reverse()));
  }
  let body = bytesOf(data);
  if (byteOrder === '>') {
    body = body.slice();
    swapBytes(body, size);
  }
  const shape = dims.length === 1 ? `(${dims[0]},)` : `(${dims.join(', ')})`;
  const dict = `{'descr': '${byteOrder}${dtypes[type]}', 'fortran_order': ${fortranOrder ? 'True' : 'False'}, 'shape': ${shape}, }`;
  return [header(dict, options.version), body];
}

/** A whole file in one array. */
export function writeNpy(tensor: FileTensor, options: WriteNpyOptions = {}): Uint8Array<ArrayBuffer> {
  return concatenate(npyParts(tensor, options));
}

// The data begins at a multiple of 64 bytes, so that it can be mapped and read
// by vector instructions. The header is padded with spaces and ends with a newline.
function header(dict: string, wanted?: 1 | 2 | 3): Uint8Array {
  const padded = (start: number) => Math.ceil((start + dict.length + 1) / 64) * 64;
  const fits = padded(10) - 10 <= 0xffff;
  const version = wanted ?? (fits ? 1 : 2);
  if (version === 1 && !fits) throw new RangeError(`a header of ${dict.length} bytes does not fit format version 1`);
  const start = version === 1 ? 10 : 12;
  const bytes = new Uint8Array(padded(start)).fill(0x20);
  bytes.set(magic);
  bytes[6] = version;
  bytes[7] = 0;
  const view = new DataView(bytes.buffer);
  const length = bytes.length - start;
  if (version === 1) view.setUint16(8, length, true);
  else view.setUint32(8, length, true);
  for (let i = 0; i < dict.length; i++) bytes[start + i] = dict.charCodeAt(i);
  bytes[bytes.length - 1] = 0x0a;
  return bytes;
}

function typeOf({ descr, descrOffset }: NpyHeader, wanted?: TensorType): TensorType {
  const dtype = descr.slice(1);
  const is16BitFloat = wanted === 'float16' || wanted === 'bfloat16';
  if (is16BitFloat && (dtype === 'u2' || dtype === 'V2')) return wanted;
  if (dtype === 'V2' || dtype === 'u2') {
    throw new FormatError(descrOffset, `the type float16 or bfloat16 to read the bits of '${descr}' as`,
      wanted ? `the type ${wanted}` : 'no type given');
  }
  const type = (Object.keys(dtypes) as TensorType[]).find((name) => dtypes[name] === dtype);
  if (!type) throw new FormatError(descrOffset, `one of the dtypes ${readableDtypes}`, `'${descr}'${nameOf(dtype)}`);
  if (wanted && wanted !== type) {
    throw new FormatError(descrOffset, `data of type ${wanted}`, `'${descr}' (${type})`);
  }
  return type;
}

function shapeText(dims: number[]): string {
  const shown = dims.length > 16 ? [...dims.slice(0, 8), `... (${dims.length} dims)`] : dims;
  return `(${shown.join(', ')})`;
}

function nameOf(dtype: string): string {
  const names: Record<string, string> = {
    b1: 'bool', i1: 'int8', u1: 'uint8', i2: 'int16', c8: 'complex64', c16: 'complex128', f12: 'longdouble',
    f16: 'longdouble', O: 'Python objects',
  };
  const kinds: Record<string, string> = { U: 'text', S: 'bytes', a: 'bytes', V: 'raw bytes', M: 'dates', m: 'time spans' };
  const name = names[dtype] ?? kinds[dtype[0] ?? ''];
  return name ? ` (${name})` : '';
}

function byteAt(bytes: Uint8Array, offset: number): string {
  const byte = bytes[offset];
  return byte === undefined ? 'the end of the file' : byte.toString(16).padStart(2, '0');
}
