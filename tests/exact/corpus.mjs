// The shared corpus in JavaScript: the twin of tests/native/support/corpus.cc,
// line by line. Every draw happens in the same order in both.
import { bitsArrayOf, formats, typeNames } from '../oracle/formats.mjs';
import { operators } from './cases.mjs';
import { Random } from './random.mjs';

export const kFloatKinds = 11;
export const kIntegerKinds = 4;

const mask = (width) => (1n << BigInt(width)) - 1n;

// Values are pairs of 32-bit words where a type has 64 bits, else one Number.
// `put(i, high, low)` stores one; narrow types use `low` alone.
function storage(type, n) {
  const { width } = formats[type];
  const bits = new (bitsArrayOf(type))(n);
  if (width !== 64) return { bits, put: (i, high, low) => { bits[i] = low; } };
  const words = new Uint32Array(bits.buffer);
  return {
    bits,
    put(i, high, low) {
      words[2 * i] = low;
      words[2 * i + 1] = high;
    },
  };
}

function putBig(put, i, value) {
  put(i, Number(value >> 32n), Number(value & 0xffffffffn));
}

function floatValues(random, type, kind, n) {
  const { width, precision, emax, signBit, infinity, nan } = formats[type];
  const { bits, put } = storage(type, n);
  const wide = width === 64;
  const assemble = (i, sign, biased) => {
    if (wide) {
      const high = ((sign << 31) | (biased << 20) | (random.next() >>> 12)) >>> 0;
      put(i, high, random.next());
    } else {
      put(i, 0, ((sign << (width - 1)) | (biased << (precision - 1)) | (random.next() >>> (33 - precision))) >>> 0);
    }
  };
  const power = (i, biased) => {
    if (wide) put(i, (biased << 20) >>> 0, 0);
    else put(i, 0, (biased << (precision - 1)) >>> 0);
  };
  const top = 2 * emax;
  const low = random.below(top + 1);
  const span = random.below(Math.min(24, top - low) + 1);
  const first = storage(type, 1);
  const sign0 = random.below(2);
  if (wide) {
    const high = ((sign0 << 31) | (low << 20) | (random.next() >>> 12)) >>> 0;
    first.put(0, high, random.next());
  } else {
    first.put(0, 0, ((sign0 << (width - 1)) | (low << (precision - 1)) | (random.next() >>> (33 - precision))) >>> 0);
  }
  const high = precision + 2 > top - 1 ? top - 1 : precision + 2 + random.below(top - precision - 2);
  const down = random.below(2) ? precision : precision >> 1;
  const one = BigInt(emax) << BigInt(precision - 1);
  const normal = 1n << BigInt(precision - 1);
  const extremes = [0n, 1n, normal - 1n, normal, one - 1n, one, one + 1n, infinity - 1n];
  for (let i = 0; i < n; i += 1) {
    switch (kind) {
      case 0:
        if (wide) {
          const word = random.next();
          put(i, word, random.next());
        } else put(i, 0, random.next() >>> (32 - width));
        break;
      case 1:
      case 3: {
        const sign = random.below(2);
        const biased = low + random.below(span + 1);
        assemble(i, sign, biased);
        break;
      }
      case 2:
      case 6: assemble(i, 0, emax - 3 + random.below(4)); break;
      case 4: bits[i] = first.bits[0]; break;
      case 5: {
        const which = random.below(16);
        putBig(put, i, extremes[which >> 1] | (which & 1 ? signBit : 0n));
        break;
      }
      case 7: {
        const sign = random.below(2);
        assemble(i, sign, random.below(2));
        break;
      }
      case 8: {
        const value = random.below(17) - 8;
        if (value === 0) put(i, 0, 0);
        else {
          const magnitude = BigInt(Math.abs(value));
          const log2 = 31 - Math.clz32(Math.abs(value));
          const fraction = (magnitude << BigInt(precision - 1 - log2)) - normal;
          putBig(put, i, (value < 0 ? signBit : 0n) | (BigInt(emax + log2) << BigInt(precision - 1)) | fraction);
        }
        break;
      }
      case 9:
        if (i === 0) power(i, high);
        else {
          const step = down + random.below(2);
          power(i, high > step ? high - step : 1);
        }
        break;
      default: {
        const sign = random.below(2);
        const biased = random.below(top + 1);
        assemble(i, sign, biased);
      }
    }
  }
  const store = wide ? (value) => value : Number;
  const sign = store(signBit);
  if (kind === 3) {
    for (let i = 1; i < n; i += 2) bits[i] = bits[i - 1] ^ sign;
    if (n > 0) bits[n - 1] &= wide ? mask(63) : sign - 1;
    for (let i = n; i > 1; i -= 1) {
      const j = random.below(i);
      [bits[i - 1], bits[j]] = [bits[j], bits[i - 1]];
    }
  }
  if (kind === 6 && n > 0) {
    const specials = [nan, infinity, infinity | signBit, signBit].map(store);
    const count = 1 + random.below(3);
    for (let i = 0; i < count; i += 1) {
      const at = random.below(n);
      bits[at] = specials[random.below(4)];
    }
  }
  return bits;
}

function integerValues(random, type, kind, n) {
  const { width, signed } = formats[type];
  const bits = new (bitsArrayOf(type))(n);
  const wide = width === 64;
  const store = wide ? (value) => value : Number;
  const half = 1n << BigInt(width - 1);
  const list = [0n, 1n, 2n, half - 1n, half, half + 1n, mask(width), mask(width) - 1n].map(store);
  const any = wide ? () => random.next64() : () => random.next();
  for (let i = 0; i < n; i += 1) {
    switch (kind) {
      case 0: bits[i] = any(); break;
      case 1: {
        const value = random.below(201) - (signed ? 100 : 0);
        bits[i] = wide ? BigInt.asUintN(64, BigInt(value)) : value >>> 0;
        break;
      }
      case 2: bits[i] = list[random.below(8)]; break;
      default: {
        const value = any();
        const shift = random.below(width);
        bits[i] = wide ? value >> BigInt(shift) : value >>> shift;
      }
    }
  }
  return bits;
}

function corpusLength(random, mostBits) {
  if (random.below(2) === 0) return 1 + random.below(40);
  const n = 2 ** random.below(mostBits + 1) + random.below(3) - 1;
  return n < 1 ? 1 : n;
}

/** Case number `index` of a seed; reduced axes as a list, as the package takes them. */
export function corpusCase(seed, index) {
  const random = new Random(seed, index);
  const type = typeNames[random.below(typeNames.length)];
  const op = operators[random.below(2)];
  const large = index % 64 === 63;
  const lengthBits = large ? 20 : 13;
  const limit = 2 ** (large ? 21 : 15);
  let dims;
  let reduced;
  switch (random.below(8)) {
    case 0: dims = [corpusLength(random, lengthBits)]; reduced = [1]; break;
    case 1: dims = [0, corpusLength(random, lengthBits)]; reduced = [0, 1]; break;
    case 2: dims = [corpusLength(random, lengthBits), 0]; reduced = [1, 0]; break;
    case 3: dims = [1 + random.below(5), 0, corpusLength(random, 9)]; reduced = [0, 1, 0]; break;
    case 4: dims = [0, 1 + random.below(16)]; reduced = [0, 1]; break;
    case 5: dims = [0, 1 + random.below(16)]; reduced = [1, 0]; break;
    case 6: dims = [1 + random.below(5), 1 + random.below(9), 0, 1 + random.below(40)]; reduced = [1, 0, 1, 1]; break;
    default:
      dims = [];
      reduced = [];
      for (let axis = 0; axis < 5; axis += 1) {
        dims.push(1 + random.below(9));
        reduced.push(random.below(2));
      }
  }
  let total = dims.reduce((product, dim) => product * (dim === 0 ? 1 : dim), 1);
  dims = dims.map((dim) => {
    if (dim !== 0) return dim;
    const most = Math.max(1, Math.floor(limit / total));
    const open = large ? most : 1 + random.below(most);
    total *= open;
    return open;
  });
  const floating = formats[type].kind === 'floating';
  const kind = random.below(floating ? kFloatKinds : kIntegerKinds);
  const bits = (floating ? floatValues : integerValues)(random, type, kind, total);
  const axes = dims.map((_, axis) => axis).filter((axis) => reduced[axis] === 1);
  // No axis at all: the element-wise part alone.
  return { seed, index, op, type, dims, axes, keepdims: true, noopWithEmptyAxes: axes.length === 0, bits, kind: `corpus ${kind}`, layout: 'corpus' };
}

/** A digest of bits, the twin of class Digest. */
export class Digest {
  constructor() {
    this.a = 0x811c9dc5;
    this.b = 0x9747b28c | 0;
  }

  word(w) {
    this.a = Math.imul(this.a ^ w, 0x01000193);
    this.a ^= this.a >>> 15;
    this.b = Math.imul((this.b + w) | 0, 0x85ebca6b);
    this.b ^= this.b >>> 13;
  }

  addAll(bits) {
    if (bits instanceof BigUint64Array) {
      // As words: the low one first, as in memory.
      const words = new Uint32Array(bits.buffer, bits.byteOffset, 2 * bits.length);
      for (const w of words) this.word(w);
    } else for (const w of bits) this.word(w);
  }

  digest(other) {
    this.word(other.b >>> 0);
    this.word(other.a >>> 0);
  }

  get text() {
    const part = (n) => (n >>> 0).toString(16).padStart(8, '0');
    return part(this.a) + part(this.b);
  }
}
