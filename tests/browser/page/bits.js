// Typed arrays from storage bits in hex, and back.

const arrayClasses = {
  float32: Float32Array, float64: Float64Array, float16: Uint16Array, bfloat16: Uint16Array,
  int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array,
};

const access = { 2: 'Uint16', 4: 'Uint32', 8: 'BigUint64' };

export function fromBits(type, hex) {
  const ArrayClass = arrayClasses[type];
  const bytes = ArrayClass.BYTES_PER_ELEMENT;
  const view = new DataView(new ArrayBuffer(hex.length * bytes));
  hex.forEach((text, i) => {
    view[`set${access[bytes]}`](i * bytes, bytes === 8 ? BigInt(text) : Number(text), true);
  });
  return new ArrayClass(view.buffer);
}

export function bitsOf(array) {
  const bytes = array.BYTES_PER_ELEMENT;
  const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
  return Array.from({ length: array.length }, (_, i) => `0x${view[`get${access[bytes]}`](i * bytes, true).toString(16).padStart(2 * bytes, '0')}`);
}
