// What undecided results cost at their worst.
//
// `alike` and `wide`: LogSum over 1 and pairs that cancel along the reduced axis.
// ln 1 = 0 lies between results of both signs, so no error bound above zero decides
// it, and every result takes the exact way. The pairs are of one magnitude, or their
// exponents spread over 60 powers of two (float16: 24), where sums of two parts lose
// bits. `ties`: SumSquare over 1, small numbers whose squares add up to half a last
// place, and zeros.
// float16 sums of these magnitudes are exact in float64: none is undecided.
//
//   node bench/undecided.mjs [folder of core.mjs and core.wasm]
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const core = process.argv[2]
  ? pathToFileURL(`${resolve(process.argv[2])}/`)
  : new URL('../build/wasm/', import.meta.url);
const { default: createCore } = await import(new URL('core.mjs', core));
const compiled = new WebAssembly.Module(readFileSync(new URL('core.wasm', core)));
const module = createCore({
  instantiateWasm(imports, receive) {
    const instance = new WebAssembly.Instance(compiled, imports);
    receive(instance, compiled);
    return instance.exports;
  },
});

const kElements = 1 << 20;
const operators = { SumSquare: 0, LogSum: 1 }; // rows of operators.def
const block = module.controlBlock();
const input = module.allocate(kElements * 8);
const output = module.allocate(kElements * 8);

// Bits of a float32, to take 16-bit formats from (normal numbers, truncated).
const bits = (x) => new Uint32Array(new Float32Array([x]).buffer)[0];
const types = [
  { name: 'float32', code: 0, array: Float32Array, encode: (x) => x, tie: [1, 2 ** -12] },
  { name: 'float64', code: 1, array: Float64Array, encode: (x) => x, tie: [1, 2 ** -27, 2 ** -27] },
  {
    name: 'float16', code: 2, array: Uint16Array, low: -14, high: 10, tie: [1, 2 ** -6, 2 ** -6],
    encode: (x) => ((bits(x) >>> 16) & 0x8000) | (((bits(x) & 0x7fffffff) - 0x38000000) >>> 13),
  },
  { name: 'bfloat16', code: 3, array: Uint16Array, encode: (x) => bits(x) >>> 16, tie: [1, 2 ** -4] },
];
const layouts = [
  { name: '[256,4096] axis 1', dims: [256, 4096], axis: 1 },
  { name: '[4096,256] axis 0', dims: [4096, 256], axis: 0 },
  { name: '[64,128,128] axis 1', dims: [64, 128, 128], axis: 1 },
  { name: '[65536,16] axis 1', dims: [kElements / 16, 16], axis: 1 },
  { name: '[262144,4] axis 1', dims: [kElements / 4, 4], axis: 1 },
  { name: '[4,262144] axis 0', dims: [4, kElements / 4], axis: 0 },
];

function fill(array, { encode, tie, low = -30, high = 30 }, { dims, axis }, kind) {
  const inner = dims.slice(axis + 1).reduce((product, dim) => product * dim, 1);
  const length = dims[axis];
  array.fill(0);
  for (let first = 0; first < kElements; first += length * inner) {
    for (let i = 0; i < inner; i += 1) {
      if (kind === 'ties') {
        tie.forEach((x, l) => { array[first + l * inner + i] = encode(x); });
        continue;
      }
      array[first + i] = encode(1);
      for (let l = 1; l + 1 < length; l += 2) {
        const exponent = kind === 'wide' ? low + Math.floor(Math.random() * (high - low)) : high - 1;
        const x = (1 + Math.random()) * 2 ** exponent;
        array[first + l * inner + i] = encode(x);
        array[first + (l + 1) * inner + i] = encode(-x);
      }
    }
  }
}

function measure(type, { dims, axis }, operator) {
  const heap = module.HEAPU8.buffer;
  new Int32Array(heap, block, 6).set([operator, type.code, dims.length, 1, input, output]);
  new Float64Array(heap, block + 64, dims.length).set(dims);
  new Uint8Array(heap, block + 576, dims.length).set(dims.map((_, i) => Number(i === axis)));
  let best = Infinity;
  for (let round = 0; round < 9; round += 1) {
    const before = process.cpuUsage();
    if (module.run() !== 0) throw new Error('the core refused the call');
    const used = process.cpuUsage(before);
    best = Math.min(best, used.user + used.system);
  }
  const [results, undecided] = new Float64Array(module.HEAPU8.buffer, block + 24, 2);
  return { megabytes: (kElements * type.array.BYTES_PER_ELEMENT) / best, results, undecided };
}

console.log('| type | layout | terms | undecided | MB/s |\n|---|---|---|---:|---:|');
for (const type of types) {
  for (const layout of layouts) {
    for (const kind of ['alike', 'wide', 'ties']) {
      fill(new type.array(module.HEAPU8.buffer, input, kElements), type, layout, kind);
      const { megabytes, results, undecided } = measure(type, layout, kind === 'ties' ? operators.SumSquare : operators.LogSum);
      const share = `${Math.round((100 * undecided) / results)} %`;
      console.log(`| ${type.name} | ${layout.name} | ${kind} | ${share} | ${Math.round(megabytes)} |`);
    }
  }
}
