// WebAssembly as text that compresses as well as its bytes do. Base64 spreads
// each byte over two characters, at four different alignments, so that a
// compressor finds no repetition: the file would be half as large again after
// brotli. Here each byte has its own character, or two for the rarer ones.
// bindings/wasm_text.ts reads it.

// No character that quotes, escapes or opens markup; '}' and '~' announce a pair.
const alphabet = Array.from({ length: 93 }, (_, i) => String.fromCharCode(32 + i)).filter((character) => !'"\'$<\\`'.includes(character)).join('');

/**
 * 512 hexadecimal digits, the byte values from the most to the least frequent,
 * and then the bytes by their rank in that order.
 */
export function encodeWasm(bytes) {
  const uses = new Array(256).fill(0);
  for (const byte of bytes) uses[byte]++;
  const order = [...uses.keys()].sort((a, b) => uses[b] - uses[a] || a - b);
  const size = alphabet.length;
  const code = new Array(256);
  order.forEach((byte, rank) => {
    code[byte] = ['', '}', '~'][Math.floor(rank / size)] + alphabet[rank % size];
  });
  return order.map((byte) => byte.toString(16).padStart(2, '0')).join('') + Array.from(bytes, (byte) => code[byte]).join('');
}
