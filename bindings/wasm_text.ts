// Reads the text that tools/build/wasm_text.mjs writes: the core's bytes inside
// this package's JavaScript.

const kSkipped = '"\'$<\\`';
const kTable = 512;

/** The bytes of a core. */
export function decodeWasm(text: string): Uint8Array<ArrayBuffer> {
  // From a character to the rank of its byte.
  const rank = new Uint8Array(128);
  let size = 0;
  for (let code = 32; code < 125; code++) {
    if (!kSkipped.includes(String.fromCharCode(code))) rank[code] = size++;
  }
  const byte = new Uint8Array(256);
  for (let i = 0; i < 256; i++) byte[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  const bytes = new Uint8Array(text.length - kTable);
  let length = 0;
  for (let i = kTable; i < text.length; i++) {
    let code = text.charCodeAt(i);
    let base = 0;
    if (code >= 125) {
      base = (code - 124) * size;
      code = text.charCodeAt(++i);
    }
    bytes[length++] = byte[base + rank[code]!]!;
  }
  return bytes.subarray(0, length);
}
