// What undecided results cost: LogSum over pairs that cancel along the reduced
// axis, so that the sum of magnitudes dwarfs the sum and the exact accumulator
// has to decide. `alike`: all terms of one magnitude; `wide`: exponents over 60
// powers of two, where sums in vectors lose bits and terms go one by one.
//
//   node bench/undecided.mjs        (after npm run build)
import { readFileSync } from 'node:fs';

const core = new URL('../build/wasm/', import.meta.url);
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

const types = [
  { name: 'float32', code: 0, array: Float32Array, encode: (x) => x },
  { name: 'float64', code: 1, array: Float64Array, encode: (x) => x },
  {
    name: 'bfloat16', code: 3, array: Uint16Array,
    encode: (x) => new Uint32Array(new Float32Array([x]).buffer)[0] >>> 16,
  },
];
const layouts = [
  { name: '[256,4096] axis 1', dims: [256, 4096], axis: 1 },
  { name: '[4096,256] axis 0', dims: [4096, 256], axis: 0 },
  { name: '[64,128,128] axis 1', dims: [64, 128, 128], axis: 1 },
  { name: '[262144,4] axis 1', dims: [kElements / 4, 4], axis: 1 },
];

function fill(array, encode, { dims, axis }, wide) {
  const inner = dims.slice(axis + 1).reduce((product, dim) => product * dim, 1);
  const length = dims[axis];
  for (let first = 0; first < kElements; first += length * inner) {
    for (let i = 0; i < inner; i += 1) {
      for (let l = 0; l < length; l += 2) {
        const x = (1 + Math.random()) * 2 ** (wide ? Math.floor(Math.random() * 60) - 30 : 20);
        array[first + l * inner + i] = encode(x);
        array[first + (l + 1) * inner + i] = encode(l === 0 ? -x * (1 - 2 ** -6) : -x);
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
      fill(new type.array(module.HEAPU8.buffer, input, kElements), type.encode, layout, wide);
      const { megabytes, results, undecided } = measure(type, layout);
      const share = `${Math.round((100 * undecided) / results)} %`;
      console.log(`| ${type.name} | ${layout.name} | ${wide ? 'wide' : 'alike'} | ${share} | ${Math.round(megabytes)} |`);
    }
  }
}
