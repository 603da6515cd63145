// Strided views: which order of the dims reads memory in the longest runs, and
// the copying of such runs. The core sees a C-contiguous tensor whose dims are
// sorted by stride; for a reduction their order matters only to the result,
// which is put back in order when it is complete.
import type { Source } from './input.js';

/** Gives the core pieces of the input, by element positions in C order. */
export interface Reader {
  /**
   * Copies `rows` runs of `rowLength` elements, the r-th from position
   * `offset + r * rowStride`, one behind the other to byte `to` of the heap.
   */
  read(heap: Uint8Array, to: number, offset: number, rows: number, rowStride: number, rowLength: number): void;
}

/** A plan for a strided input. */
export interface StridedPlan {
  /** The dims in the order of their strides, without those of 1; what the core is told. */
  readonly dims: number[];
  readonly flags: number[];
  /** The stride of each of `dims`, none negative. */
  readonly strides: number[];
  /** The view's element that comes first in this order. */
  readonly offset: number;
  /** How the caller's order of results is found in the core's; null when it is the same. */
  readonly restore: { readonly dims: number[]; readonly strides: number[]; readonly offset: number } | null;
}

interface Dim {
  readonly size: number;
  readonly stride: number;
  readonly flipped: boolean;
  readonly reduced: number;
  readonly position: number;
}

/** Only for inputs that are not empty. */
export function planStrided(source: Source, flags: readonly number[]): StridedPlan {
  let { offset } = source;
  const strides = source.strides!;
  const order: Dim[] = [];
  source.dims.forEach((size, position) => {
    if (size === 1) return;
    const stride = strides[position]!;
    // A dim that runs backwards is read forwards from its other end.
    if (stride < 0) offset += (size - 1) * stride;
    order.push({ size, stride: Math.abs(stride), flipped: stride < 0, reduced: flags[position]!, position });
  });
  // A stride of 0 repeats what lies inside of it, so it goes outermost.
  order.sort((a, b) => (b.stride === 0 ? Infinity : b.stride) - (a.stride === 0 ? Infinity : a.stride) || a.position - b.position);

  const resultStrides = new Map<number, number>();
  let resultOffset = 0;
  let step = 1;
  for (let i = order.length - 1; i >= 0; i--) {
    const { size, flipped, reduced, position } = order[i]!;
    if (reduced) continue;
    resultStrides.set(position, flipped ? -step : step);
    if (flipped) resultOffset += (size - 1) * step;
    step *= size;
  }
  const kept = order.filter((dim) => !dim.reduced);
  const inOrder = kept.every((dim, i) => !dim.flipped && (i === 0 || kept[i - 1]!.position < dim.position));
  const byPosition = [...kept].sort((a, b) => a.position - b.position);
  return {
    dims: order.map((dim) => dim.size),
    flags: order.map((dim) => dim.reduced),
    strides: order.map((dim) => dim.stride),
    offset,
    restore: inOrder ? null : {
      dims: byPosition.map((dim) => dim.size),
      strides: byPosition.map((dim) => resultStrides.get(dim.position)!),
      offset: resultOffset,
    },
  };
}

/** Merges dims whose elements follow one another in memory, so that runs get long. */
export function mergeDims(dims: readonly number[], strides: readonly number[]): { dims: number[]; strides: number[] } {
  const merged: number[] = [];
  const mergedStrides: number[] = [];
  for (let i = dims.length - 1; i >= 0; i--) {
    const dim = dims[i]!;
    const stride = strides[i]!;
    if (dim === 1) continue;
    if (merged.length > 0 && stride === mergedStrides[0]! * merged[0]!) {
      merged[0]! *= dim;
    } else {
      merged.unshift(dim);
      mergedStrides.unshift(stride);
    }
  }
  return { dims: merged, strides: mergedStrides };
}

type Words = Uint16Array | Uint32Array;

// Elements are moved as words of 2 or 4 bytes, 64-bit ones as two: no float is
// ever loaded, so that a NaN keeps its bits.
function wordsOf(buffer: ArrayBufferLike, byteOffset: number, byteLength: number, bytes: number): Words {
  return bytes === 2 ? new Uint16Array(buffer, byteOffset, byteLength >> 1)
    : new Uint32Array(buffer, byteOffset, Math.floor(byteLength / 4));
}

// A call of set() costs as much as copying some tens of words one by one.
const kShortRun = 48;

function copyRun(to: Words, toIndex: number, from: Words, fromIndex: number, count: number, stride: number, width: number): void {
  if (stride === 1) {
    const words = count * width;
    if (words >= kShortRun) {
      const bytes = from.BYTES_PER_ELEMENT;
      to.set(wordsOf(from.buffer, from.byteOffset + fromIndex * bytes, words * bytes, bytes), toIndex);
    } else {
      for (let i = 0; i < words; i++) to[toIndex + i] = from[fromIndex + i]!;
    }
  } else if (width === 1) {
    for (let i = 0; i < count; i++, fromIndex += stride) to[toIndex + i] = from[fromIndex]!;
  } else {
    for (let i = 0; i < count; i++, fromIndex += 2 * stride) {
      to[toIndex + 2 * i] = from[fromIndex]!;
      to[toIndex + 2 * i + 1] = from[fromIndex + 1]!;
    }
  }
}

/** Reads elements of a strided view by their position in C order. */
class Walk {
  readonly #from: Words;
  readonly #width: number;
  readonly #dims: number[];
  readonly #strides: number[];
  readonly #offset: number;
  readonly #index: number[];

  constructor(from: Words, width: number, dims: readonly number[], strides: readonly number[], offset: number) {
    const merged = mergeDims(dims, strides);
    this.#from = from;
    this.#width = width;
    this.#dims = merged.dims;
    this.#strides = merged.strides;
    this.#offset = offset;
    this.#index = merged.dims.map(() => 0);
  }

  /** Copies `count` elements from position `start` on to word `toIndex`. */
  copy(to: Words, toIndex: number, start: number, count: number): void {
    const dims = this.#dims;
    const strides = this.#strides;
    const index = this.#index;
    const width = this.#width;
    const last = dims.length - 1;
    if (last < 0) {
      copyRun(to, toIndex, this.#from, this.#offset * width, count, 1, width);
      return;
    }
    let position = this.#offset;
    for (let i = last, rest = start; i >= 0; i--) {
      const dim = dims[i]!;
      const quotient = Math.floor(rest / dim);
      index[i] = rest - quotient * dim;
      position += index[i]! * strides[i]!;
      rest = quotient;
    }
    const innerDim = dims[last]!;
    const innerStride = strides[last]!;
    for (;;) {
      const run = Math.min(innerDim - index[last]!, count);
      copyRun(to, toIndex, this.#from, position * width, run, innerStride, width);
      count -= run;
      if (count === 0) return;
      toIndex += run * width;
      position -= index[last]! * innerStride;
      index[last] = 0;
      for (let i = last - 1; ; i--) {
        position += strides[i]!;
        if (++index[i]! < dims[i]!) break;
        position -= dims[i]! * strides[i]!;
        index[i] = 0;
      }
    }
  }
}

/** Reads a strided view as the core asks for it. */
export class StridedReader implements Reader {
  readonly #walk: Walk;
  readonly #bytes: number;

  constructor(source: Source, dims: readonly number[], strides: readonly number[], offset: number) {
    const { bytes } = source.type;
    this.#bytes = bytes;
    this.#walk = new Walk(
      wordsOf(source.buffer, source.byteOffset, source.length * bytes, bytes), bytes === 8 ? 2 : 1, dims, strides, offset);
  }

  read(heap: Uint8Array, to: number, offset: number, rows: number, rowStride: number, rowLength: number): void {
    const bytes = this.#bytes;
    const target = wordsOf(heap.buffer, to, rows * rowLength * bytes, bytes);
    const rowWords = bytes === 8 ? rowLength * 2 : rowLength;
    if (rowStride === rowLength) {
      this.#walk.copy(target, 0, offset, rows * rowLength);
      return;
    }
    for (let row = 0; row < rows; row++) this.#walk.copy(target, row * rowWords, offset + row * rowStride, rowLength);
  }
}

// From here on reading a word of each cache line first pays for itself.
const kTouchedBytes = 1 << 15;
const kCacheLine = 64;

/** Reads an array whose elements lie one behind the other. */
export class DenseReader implements Reader {
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  /** Keeps engines from dropping the loads of #touch. */
  touched = 0;
  readonly #bytes: number;
  readonly #words: Words;

  constructor(buffer: ArrayBufferLike, byteOffset: number, count: number, bytes: number) {
    this.buffer = buffer;
    this.byteOffset = byteOffset;
    this.#bytes = bytes;
    this.#words = wordsOf(buffer, byteOffset, count * bytes, bytes);
  }

  // Brings a piece into the cache from four places at once. A copy alone walks
  // one stream, which leaves the memory idle: 10 ms for 64 MB, with this 8.7.
  #touch(first: number, bytes: number): void {
    const words = this.#words;
    const step = kCacheLine / words.BYTES_PER_ELEMENT;
    const quarter = Math.floor(bytes / words.BYTES_PER_ELEMENT / 4);
    let seen = 0;
    for (let i = first; i < first + quarter; i += step) {
      seen |= words[i]! | words[i + quarter]! | words[i + 2 * quarter]! | words[i + 3 * quarter]!;
    }
    this.touched = seen;
  }

  read(heap: Uint8Array, to: number, offset: number, rows: number, rowStride: number, rowLength: number): void {
    const bytes = this.#bytes;
    if (rows === 1 || rowStride === rowLength) {
      const count = rows * rowLength * bytes;
      if (count >= kTouchedBytes) this.#touch((offset * bytes) / this.#words.BYTES_PER_ELEMENT, count);
      heap.set(new Uint8Array(this.buffer, this.byteOffset + offset * bytes, count), to);
      return;
    }
    const width = bytes === 8 ? 2 : 1;
    const target = wordsOf(heap.buffer, to, rows * rowLength * bytes, bytes);
    for (let row = 0; row < rows; row++) {
      copyRun(target, row * rowLength * width, this.#words, (offset + row * rowStride) * width, rowLength, 1, width);
    }
  }
}

/** Copies the elements of a strided view, in C order of `dims`, to a dense array of as many. */
export function gather(
  to: ArrayBufferView, from: { readonly buffer: ArrayBufferLike; readonly byteOffset: number; readonly length: number }, bytes: number,
  dims: readonly number[], strides: readonly number[], offset: number, count: number,
): void {
  if (count === 0) return;
  const walk = new Walk(
    wordsOf(from.buffer, from.byteOffset, from.length * bytes, bytes), bytes === 8 ? 2 : 1, dims, strides, offset);
  walk.copy(wordsOf(to.buffer, to.byteOffset, to.byteLength, bytes), 0, 0, count);
}
