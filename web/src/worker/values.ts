// Elements of a tensor as numbers and as bits, and the distance of two of them
// in units in the last place.

import { bfloat16Value, float16Value } from '../../../formats/numbers';
import { typeTable, type FileTensor, type TensorData } from '../../../formats/tensor';
import { toBfloat16, toFloat16 } from '../generators.js';
import { isFloating, typeOf } from '../operators';
import type { TypeName } from '../protocol';

/** A new array for `length` elements; a RangeError when there is no memory for it. */
export function newArray(type: TypeName, length: number): TensorData {
  return new typeTable[type].array(new ArrayBuffer(length * typeTable[type].bytes));
}

/** The 65536 values of a 16-bit type: a look-up is what makes a plain loop over them fair. */
const tables = new Map<TypeName, Float64Array>();
export function table16(type: TypeName): Float64Array {
  let table = tables.get(type);
  if (!table) {
    const decode = type === 'float16' ? float16Value : bfloat16Value;
    table = Float64Array.from({ length: 65536 }, (_, word) => decode(word));
    tables.set(type, table);
  }
  return table;
}

/** Reads elements as numbers; 64-bit integers lose digits, so it is for pictures only. */
export function reader({ data, type }: FileTensor): (position: number) => number {
  if (data instanceof Uint16Array) {
    const table = table16(type);
    return (position) => table[data[position]!]!;
  }
  return (position) => Number(data[position]);
}

/** Stores a number as an element of the type, rounded once. */
export function writer(type: TypeName, data: TensorData): (position: number, value: number) => void {
  if (type === 'float16') return (position, value) => { data[position] = toFloat16(value); };
  if (type === 'bfloat16') return (position, value) => { data[position] = toBfloat16(value); };
  if (type === 'int64' || type === 'uint64') {
    return (position, value) => { data[position] = BigInt(Math.trunc(value)); };
  }
  return (position, value) => { data[position] = value; };
}

/** The storage bits in hexadecimal. */
export function bits({ data, type }: FileTensor, position: number): string {
  const size = typeOf(type).bytes;
  const view = new DataView(data.buffer, data.byteOffset + position * size, size);
  let digits = '';
  for (let byte = size - 1; byte >= 0; byte -= 1) digits += view.getUint8(byte).toString(16).padStart(2, '0');
  return `0x${digits}`;
}

const shared = new DataView(new ArrayBuffer(8));

/** How many values of the type lie between two elements: 0 same, Infinity when only one is finite or a number. */
export function distance(type: TypeName): (a: number | bigint, b: number | bigint) => number {
  if (!isFloating(type)) {
    return (a, b) => Math.abs(Number(BigInt(a) - BigInt(b)));
  }
  if (type === 'float16' || type === 'bfloat16') {
    const table = table16(type);
    const place = (bits16: number) => (bits16 & 0x8000 ? 0x8000 - bits16 : bits16);
    return (a, b) => apart(table[Number(a)]!, table[Number(b)]!, () => place(Number(a)) - place(Number(b)));
  }
  if (type === 'float32') {
    const place = (value: number) => {
      shared.setFloat32(0, value);
      const word = shared.getInt32(0);
      return word < 0 ? -(word & 0x7fffffff) : word;
    };
    return (a, b) => apart(Number(a), Number(b), () => place(Number(a)) - place(Number(b)));
  }
  const place = (value: number) => {
    shared.setFloat64(0, value);
    const word = shared.getBigInt64(0);
    return word < 0n ? -(word & 0x7fffffffffffffffn) : word;
  };
  return (a, b) => apart(Number(a), Number(b), () => Number(place(Number(a)) - place(Number(b))));
}

function apart(a: number, b: number, places: () => number): number {
  if (a === b || (a !== a && b !== b)) return 0;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return Infinity;
  return Math.abs(places());
}
