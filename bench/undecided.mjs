// What undecided results cost at their worst: LogSum over 1 and pairs that cancel
// along the reduced axis. ln 1 = 0 lies between results of both signs, so no error
// bound above zero decides it, and every result takes the exact way.
// `alike`: the pairs are of one magnitude; `wide`: their exponents spread over 60
// powers of two (float16: 24), where sums of two parts lose bits.
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
const kLogSum = 1; // row of operators.def
const block = module.controlBlock();
const input = module.allocate(kElements * 8);
const output = module.allocate(kElements * 8);

// Bits of a float32, to take 16-bit formats from (normal numbers, truncated).
const bits = (x) => new Uint32Array(new Float32Array([x]).buffer)[0];
const types = [
  { name: 'float32', code: 0, array: Float32Array, encode: (x) => x },
  { name: 'float64', code: 1, array: Float64Array, encode: (x) => x },
  {
    name: 'float16', code: 2, array: Uint16Array, low: -14, high: 10,
    encode: (x) => ((bits(x) >>> 16) & 0x8000) | (((bits(x) & 0x7fffffff) - 0x38000000) >>> 13),
  },
  { name: 'bfloat16', code: 3, array: Uint16Array, encode: (x) => bits(x) >>> 16 },
];
const layouts = [
  { name: '[256,4096] axis 1', dims: [256, 4096], axis: 1 },
  { name: '[4096,256] axis 0', dims: [4096, 256], axis: 0 },
  { name: '[64,128,128] axis 1', dims: [64, 128, 128], axis: 1 },
  { name: '[65536,16] axis 1', dims: [kElements / 16, 16], axis: 1 },
  { name: '[262144,4] axis 1', dims: [kElements / 4, 4], axis: 1 },
  { name: '[4,262144] axis 0', dims: [4, kElements / 4], axis: 0 },
];

function fill(array, { encode, low = -30, high = 30 }, { dims, axis }, wide) {
  const inner = dims.slice(axis + 1).reduce((product, dim) => product * dim, 1);
  const length = dims[axis];
  array.fill(0);
  for (let first = 0; first < kElements; first += length * inner) {
    for (let i = 0; i < inner; i += 1) {
      array[first + i] = encode(1);
      for (let l = 1; l + 1 < length; l += 2) {
        const exponent = wide ? low + Math.floor(Math.random() * (high - low)) : high - 1;
        const x = (1 + Math.random()) * 2 ** exponent;
        array[first + l * inner + i] = encode(x);
        array[first + (l + 1) * inner + i] = encode(-x);
      }
    }
  }
}

function measure(type, { dims, axis }) {
  const heap = module.HEAPU8.buffer;
  new Int32Array(heap, block, 6).set([kLogSum, type.code, dims.length, 1, input, output]);
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
    for (const wide of [false, true]) {
      fill(new type.array(module.HEAPU8.buffer, input, kElements), type, layout, wide);
      const { megabytes, results, undecided } = measure(type, layout);
      const share = `${Math.round((100 * undecided) / results)} %`;
      console.log(`| ${type.name} | ${layout.name} | ${wide ? 'wide' : 'alike'} | ${share} | ${Math.round(megabytes)} |`);
    }
  }
}
