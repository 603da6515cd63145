// What there is to compare with without any library: reading, the least
// arithmetic, copying, and a plain loop in JavaScript.
import { fewElements } from '../cases.mjs';
import { limitModule, limitsOf, streamCounts } from '../limit_kernels.mjs';

/** What no kernel can outrun, on a copy of the same bytes; see limit_kernels.cc. */
export class Limits {
  constructor(data) {
    this.data = data;
    this.bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    this.kernels = limitsOf(limitModule(), this.bytes);
  }

  /** The load-only kernels, one subject per number of streams. */
  reads() {
    return streamCounts.map((streams) => ({ name: `read ${streams}`, run: () => this.kernels.run(streams) }));
  }

  /** The kernels with the least arithmetic for a case, likewise; none where there are no such. */
  arithmetic(one) {
    const kernel = arithmeticOf(one);
    if (!this.kernels.has(kernel)) return [];
    return streamCounts.map((streams) => ({ name: `arithmetic ${streams}`, run: () => this.kernels.run(streams, kernel) }));
  }

  /** The same over data that is first copied to where it is added, piece by piece, as a JavaScript array's must be. */
  staged(one) {
    const kernel = arithmeticOf(one);
    const { bytes, kernels } = this;
    if (!kernels.has(kernel) || bytes.length <= kStagingBytes) return [];
    const run = () => {
      for (let at = 0; at < bytes.length; at += kStagingBytes) {
        const piece = bytes.subarray(at, at + kStagingBytes);
        kernels.held.set(piece);
        kernels.run(4, kernel, piece.length);
      }
    };
    return [{ name: 'staged arithmetic', run }];
  }
}

const kStagingBytes = 128 << 10;

function arithmeticOf({ operator, type, label }) {
  const squares = operator === 'ReduceSumSquare';
  if (fewElements.includes(label)) return `${type}_${squares ? 'squares' : 'logs'}_of_four`;
  return `${type}_${squares ? 'squares' : 'sums'}`;
}

/** Making an array of so many results from what lies in WebAssembly memory. */
export function resultArray(one, data, outputs) {
  const heap = new data.constructor(outputs).fill(data[0]);
  return { name: 'result array', run: () => heap.slice() };
}

/** Copying the data into WebAssembly memory, which a library that works there would do first. */
export function heapSet(data) {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(data.byteLength / 65536) });
  const heap = new data.constructor(memory.buffer, 0, data.length);
  return { name: 'heap.set', run: () => heap.set(data) };
}

/**
 * The layout as [reduced, kept, reduced, kept] sizes: dims of one kind that
 * follow each other are merged. Every case of the benchmark has such a form.
 */
function fourDims(dims, axes) {
  const form = [1, 1, 1, 1];
  let place = 0;
  dims.forEach((dim, axis) => {
    const kept = axes !== null && !axes.includes(axis);
    if ((place % 2 === 1) !== kept) place++;
    if (place > 3) throw new Error(`no plain loop for [${dims}] axes ${axes}`);
    form[place] *= dim;
  });
  return form;
}

// Each loop is one that a programmer would write for that layout, with the
// innermost loop over neighbours in memory; sums are in float64, as JavaScript's
// numbers are. `fround` after each step makes it what a float32 loop gives.
const loops = {
  ReduceSumSquare(data, [R0, K0, R1, K1], sums) {
    let i = 0;
    for (let r0 = 0; r0 < R0; r0++) {
      for (let k0 = 0; k0 < K0; k0++) {
        if (K1 === 1) {
          let sum = sums[k0];
          for (let r1 = 0; r1 < R1; r1++, i++) sum += data[i] * data[i];
          sums[k0] = sum;
        } else {
          for (let r1 = 0; r1 < R1; r1++) {
            for (let k1 = 0, k = k0 * K1; k1 < K1; k1++, k++, i++) sums[k] += data[i] * data[i];
          }
        }
      }
    }
  },
  ReduceLogSum(data, [R0, K0, R1, K1], sums) {
    let i = 0;
    for (let r0 = 0; r0 < R0; r0++) {
      for (let k0 = 0; k0 < K0; k0++) {
        if (K1 === 1) {
          let sum = sums[k0];
          for (let r1 = 0; r1 < R1; r1++, i++) sum += data[i];
          sums[k0] = sum;
        } else {
          for (let r1 = 0; r1 < R1; r1++) {
            for (let k1 = 0, k = k0 * K1; k1 < K1; k1++, k++, i++) sums[k] += data[i];
          }
        }
      }
    }
    for (let k = 0; k < sums.length; k++) sums[k] = Math.log(sums[k]);
  },
};

const loopTypes = ['float32', 'float64', 'int32', 'uint32'];

/** The plain loop, or null for a type that JavaScript's numbers don't hold. */
export function plainLoop(one, data) {
  const loop = loops[one.operator];
  if (loop === undefined || !loopTypes.includes(one.type)) return null;
  const form = reduceAllInner(fourDims(one.dims, one.axes));
  const run = () => {
    const sums = new Float64Array(form[1] * form[3]);
    loop(data, form, sums);
    return sums;
  };
  return { name: 'JS loop', run, resultOf: (sums) => sums };
}

/** All axes: the one reduced dim belongs innermost. */
function reduceAllInner([R0, K0, R1, K1]) {
  return K0 === 1 && K1 === 1 ? [1, 1, R0 * R1, 1] : [R0, K0, R1, K1];
}
