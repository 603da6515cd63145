// memset and memcpy for the few bytes that the core clears and copies. The C
// library's are memory.fill and memory.copy, for which engines leave
// WebAssembly: 20 to 30 ns a call, several of which a small reduction would
// need. Nothing here is large: pieces of input are copied by JavaScript.
#include <cstddef>
#include <cstdint>

#include "../src/simd.h"

namespace {

using onnx_reduce::u64x2;

// What __builtin_memcpy of a constant size becomes is a load or a store.
template <typename T>
ONNX_REDUCE_INLINE T get(const void* from) {
  T value;
  __builtin_memcpy_inline(&value, from, sizeof value);
  return value;
}
template <typename T>
ONNX_REDUCE_INLINE void put(void* to, T value) {
  __builtin_memcpy_inline(to, &value, sizeof value);
}

}  // namespace

extern "C" {

__attribute__((no_builtin)) void* memset(void* to, int value, size_t count) {
  uint8_t* p = static_cast<uint8_t*>(to);
  const uint8_t byte = static_cast<uint8_t>(value);
  const uint64_t eight = byte * 0x0101010101010101ull;
  for (; count >= 16; count -= 16, p += 16) put(p, u64x2{eight, eight});
  for (; count >= 8; count -= 8, p += 8) put(p, eight);
  for (; count > 0; --count) *p++ = byte;
  return to;
}

__attribute__((no_builtin)) void* memcpy(void* __restrict to, const void* __restrict from, size_t count) {
  uint8_t* p = static_cast<uint8_t*>(to);
  const uint8_t* q = static_cast<const uint8_t*>(from);
  for (; count >= 16; count -= 16, p += 16, q += 16) put(p, get<u64x2>(q));
  for (; count >= 4; count -= 4, p += 4, q += 4) put(p, get<uint32_t>(q));
  for (; count > 0; --count) *p++ = *q++;
  return to;
}

}  // extern "C"
