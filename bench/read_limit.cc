// The read limit: how fast WebAssembly can load bytes when it does nothing with
// them but OR them together, which costs one cheap instruction per load and
// keeps the loads from being optimised away. One kernel per number of streams:
// a single stream doesn't keep enough cache lines in flight on every machine.
//
// Built by bench/read_limit.mjs; it needs no library and imports nothing.
#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

namespace {

constexpr size_t kVectorsPerLine = 4;  // 64 bytes

template <size_t kStreams>
uint32_t Read(const v128_t* data, size_t bytes) {
  const size_t lines = bytes / 64 / kStreams;
  const size_t apart = lines * kVectorsPerLine;
  v128_t seen[kVectorsPerLine] = {};
  for (size_t line = 0; line < lines; ++line) {
    const v128_t* const from = data + line * kVectorsPerLine;
    for (size_t stream = 0; stream < kStreams; ++stream) {
      for (size_t i = 0; i < kVectorsPerLine; ++i) {
        seen[i] = wasm_v128_or(seen[i], wasm_v128_load(from + stream * apart + i));
      }
    }
  }
  for (size_t i = kStreams * apart; i < bytes / 16; ++i) {
    seen[0] = wasm_v128_or(seen[0], wasm_v128_load(data + i));
  }
  const v128_t all = wasm_v128_or(wasm_v128_or(seen[0], seen[1]), wasm_v128_or(seen[2], seen[3]));
  return static_cast<uint32_t>(wasm_i32x4_extract_lane(all, 0) | wasm_i32x4_extract_lane(all, 1) |
                               wasm_i32x4_extract_lane(all, 2) | wasm_i32x4_extract_lane(all, 3));
}

}  // namespace

// read_S: the OR of all 32-bit words of `bytes` bytes, read as S distant streams.
#define READ_LIMIT(streams)                                                              \
  extern "C" __attribute__((export_name("read_" #streams))) uint32_t Read##streams(      \
      const v128_t* data, size_t bytes) {                                                \
    return Read<streams>(data, bytes);                                                   \
  }
READ_LIMIT(1)
READ_LIMIT(2)
READ_LIMIT(4)
READ_LIMIT(8)
