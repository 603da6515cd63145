// The rules by which data is made. This file is read twice: the worker runs
// it, and the snippet shows parts of its text, so what the page computed can
// be computed again elsewhere. Hence plain JavaScript, and one function a rule:
// element i of n, from a seed, for a tensor of the given dims. Only operations
// that every engine rounds alike are used (no sine, logarithm or power of ten),
// so that the same bits come out wherever it runs.

/** The i-th number of a sequence in [0, 1): a counter through an integer hash. */
export function random(i, seed) {
  let x = Math.imul(i + 1, 0x9e3779b1) + Math.imul(seed + 1, 0x85ebca77);
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return ((x ^ (x >>> 15)) >>> 0) / 4294967296;
}

export function uniform(i, seed) {
  return random(i, seed);
}

export function bell(i, seed) {
  let sum = -2;
  for (let part = 0; part < 4; part += 1) sum += random(4 * i + part, seed);
  return 1.75 * sum;
}

export function tenths() {
  return 0.1;
}

export function cancellation(i, seed, dims) {
  const width = dims.at(-1) ?? 1;
  const place = (i % width) % 3;
  const first = i - place;
  // What is left over at the end of a row has nothing to cancel with.
  if (place === 1 || (first % width) + 2 >= width) return 0.001 * random(i, seed + 1);
  const large = Math.fround(60000 * random(first, seed));
  return place === 0 ? large : -large;
}

export function wide(i, seed) {
  return (1 + random(i, seed + 1)) * 2 ** Math.floor(60 * random(i, seed) - 30);
}

export function ripples(i, seed, dims) {
  const width = dims.at(-1) ?? 1;
  const height = dims.at(-2) ?? 1;
  const x = (i % width) / width - 0.5;
  const y = (Math.floor(i / width) % height) / height - 0.5;
  const distance = Math.sqrt(x * x + y * y);
  const phase = 6.4 * distance + 0.16 * seed;
  const rise = Math.abs(2 * (phase - Math.floor(phase)) - 1);
  return 1 + (rise * rise * (6 - 4 * rise) - 1) / (1 + 6 * distance);
}

export function ramp(i) {
  return i;
}

/** The bits of a number as float16, to nearest, ties to even. */
export function toFloat16(x) {
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  const size = Math.abs(x);
  if (size !== size) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  const exponent = Math.max(-14, Math.floor(Math.log2(size || 2 ** -24)));
  const unit = 2 ** (exponent - 10);
  const scaled = size / unit;
  let whole = Math.floor(scaled);
  const rest = scaled - whole;
  if (rest > 0.5 || (rest === 0.5 && whole % 2 === 1)) whole += 1;
  return sign | ((exponent + 14) * 1024 + whole);
}

/** The bits of a number as bfloat16, to nearest, ties to even. */
export function toBfloat16(x) {
  if (x !== x) return 0x7fc0;
  const near = new Float32Array([x]);
  let bits = new Uint32Array(near.buffer)[0];
  // A first rounding to float32 must not make a tie that was none: let the
  // lowest bit remember on which side of the float32 the number lay.
  if (near[0] !== x && Number.isFinite(near[0]) && (bits & 0xffff) === 0x8000) {
    bits += Math.abs(x) > Math.abs(near[0]) ? 1 : -1;
  }
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
}
