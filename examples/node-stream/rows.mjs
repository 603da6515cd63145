// Blocks of rows out of a stream of .npy bytes. This takes what NumPy writes on
// today's machines: little-endian numbers in C order.

const arrays = { f4: Float32Array, f8: Float64Array, f2: Uint16Array, i4: Int32Array, u4: Uint32Array, i8: BigInt64Array, u8: BigUint64Array };

/** Yields tensors { type, dims, data } of whole rows, each of about `blockBytes`. */
export async function* readRows(chunks, blockBytes) {
  const source = new ByteSource(chunks);
  const start = await source.take(12);
  if (start.toString('latin1', 0, 6) !== '\x93NUMPY') throw new Error('this is no .npy file');
  const long = start[6] > 1;
  const length = long ? start.readUInt32LE(8) : start.readUInt16LE(8);
  // Version 1 has two length bytes: the other two already belong to the header.
  const header = (long ? '' : start.toString('latin1', 10)) + (await source.take(length - (long ? 0 : 2))).toString('latin1');

  const [, dtype] = /'descr': '[<|=]([fiu]\d)'/.exec(header) ?? [];
  const ArrayClass = arrays[dtype];
  if (!ArrayClass || !/'fortran_order': False/.test(header)) throw new Error(`this example does not read ${header.trim()}`);
  const [rows = 1, ...rest] = (/'shape': \(([^)]*)\)/.exec(header)?.[1] ?? '').split(',').filter((dim) => dim.trim()).map(Number);

  const rowBytes = rest.reduce((product, dim) => product * dim, ArrayClass.BYTES_PER_ELEMENT);
  const step = Math.max(1, Math.floor(blockBytes / Math.max(1, rowBytes)));
  for (let row = 0; row < rows; row += step) {
    const dims = [Math.min(step, rows - row), ...rest];
    const bytes = await source.take(dims[0] * rowBytes);
    const data = new ArrayClass(bytes.buffer, bytes.byteOffset, bytes.length / ArrayClass.BYTES_PER_ELEMENT);
    yield { dims, data, ...(dtype === 'f2' ? { type: 'float16' } : {}) };
  }
}

// Cuts a stream into pieces of the sizes that are asked for.
class ByteSource {
  #chunks;
  #rest = Buffer.alloc(0);

  constructor(chunks) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async take(size) {
    // allocUnsafeSlow: a buffer of its own, so that typed arrays find it aligned.
    const piece = Buffer.allocUnsafeSlow(size);
    for (let filled = 0; filled < size;) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#chunks.next();
        if (done) throw new Error(`the file ends ${size - filled} bytes too early`);
        this.#rest = value;
      }
      const copied = this.#rest.copy(piece, filled, 0, size - filled);
      this.#rest = this.#rest.subarray(copied);
      filled += copied;
    }
    return piece;
  }
}
