// The readers and writers of formats/ as one module. They are TypeScript that
// the command line and the demo page bundle; the tests bundle them the same way.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const names = ['npy', 'numbers', 'onnx_model', 'tensor', 'tensor_proto'];

/** Bundles formats/ and imports the result. */
export async function loadFormats() {
  const outfile = `${root}build/tests/formats.mjs`;
  const result = await build({
    stdin: { contents: names.map((name) => `export * from './formats/${name}.ts';`).join('\n'), resolveDir: root },
    bundle: true, format: 'esm', target: 'node20', write: false, logLevel: 'error',
  });
  // Test files run side by side: nobody may see half of it.
  const own = `${outfile}.${process.pid}`;
  mkdirSync(dirname(outfile), { recursive: true });
  writeFileSync(own, result.outputFiles[0].contents);
  renameSync(own, outfile);
  return import(outfile);
}

/** All types with their sizes and values that would show a wrong bit. */
export const sampleBits = {
  float32: { bytes: 4, bits: [0x3f800000n, 0xc0490fdbn, 0x7fc00001n, 0xff800000n, 0x80000000n, 0x00000001n] },
  float64: { bytes: 8, bits: [0x3ff0000000000000n, 0xc00921fb54442d18n, 0x7ff8000000000001n, 0xfff0000000000000n, 1n << 63n, 1n] },
  float16: { bytes: 2, bits: [0x3c00n, 0xc248n, 0x7e01n, 0xfc00n, 0x8000n, 0x0001n] },
  bfloat16: { bytes: 2, bits: [0x3f80n, 0xc049n, 0x7fc1n, 0xff80n, 0x8000n, 0x0001n] },
  int32: { bytes: 4, bits: [1n, 0xffffffffn, 0x80000000n, 0x7fffffffn, 0x01020304n, 0n] },
  uint32: { bytes: 4, bits: [1n, 0xffffffffn, 0x80000000n, 0x7fffffffn, 0x01020304n, 0n] },
  int64: { bytes: 8, bits: [1n, (1n << 64n) - 1n, 1n << 63n, (1n << 63n) - 1n, 0x0102030405060708n, 0n] },
  uint64: { bytes: 8, bits: [1n, (1n << 64n) - 1n, 1n << 63n, (1n << 63n) - 1n, 0x0102030405060708n, 0n] },
};

/** The bytes of elements given by their bits. */
export function packBits(bits, bytes, littleEndian = true) {
  const view = new DataView(new ArrayBuffer(bits.length * bytes));
  bits.forEach((value, i) => {
    for (let byte = 0; byte < bytes; byte++) {
      const place = littleEndian ? byte : bytes - 1 - byte;
      view.setUint8(i * bytes + place, Number((value >> BigInt(8 * byte)) & 255n));
    }
  });
  return new Uint8Array(view.buffer);
}

/** The bits of a typed array's elements. */
export function bitsOf(data) {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const size = data.BYTES_PER_ELEMENT;
  return Array.from({ length: data.length }, (_, i) => {
    let value = 0n;
    for (let byte = size - 1; byte >= 0; byte--) value = (value << 8n) | BigInt(bytes[i * size + byte]);
    return value;
  });
}

/** A generator of pseudo-random 32-bit numbers (xorshift), the same in every run. */
export function randomBits(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** What a function throws, or undefined. */
export function thrownBy(run) {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
