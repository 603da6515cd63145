// The only header that knows vectors. Everything is the compiler's vector
// extension at 16 bytes, so one source compiles to WebAssembly SIMD and to the
// native SSE4.1 that tests and sanitizers run, with the same lanes in the same
// order.
//
// Conventions: a vector's name carries its lanes (sum_f64x2); loads take any
// alignment (wasm has no alignment traps and x86 no penalty within a line).
#ifndef ONNX_REDUCE_SIMD_H_
#define ONNX_REDUCE_SIMD_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__GNUC__) && !defined(__clang__)
#error "The kernels need clang: they use its vector extension with 8-byte halves."
#endif

#define ONNX_REDUCE_INLINE inline __attribute__((always_inline))
// What happens once a block or a row: out of line and small, as there are
// sixteen instances of every kernel and the download counts.
#define ONNX_REDUCE_OUTLINE __attribute__((noinline, minsize))

namespace onnx_reduce {

using f32x2 = float __attribute__((vector_size(8)));
using f32x4 = float __attribute__((vector_size(16)));
using f64x2 = double __attribute__((vector_size(16)));
using i32x2 = int32_t __attribute__((vector_size(8)));
using i32x4 = int32_t __attribute__((vector_size(16)));
using u32x2 = uint32_t __attribute__((vector_size(8)));
using u32x4 = uint32_t __attribute__((vector_size(16)));
using i64x2 = int64_t __attribute__((vector_size(16)));
using u64x2 = uint64_t __attribute__((vector_size(16)));
// Two vectors that do the same.
using f64x4 = double __attribute__((vector_size(32)));
using u64x4 = uint64_t __attribute__((vector_size(32)));
using u16x4 = uint16_t __attribute__((vector_size(8)));
using u16x8 = uint16_t __attribute__((vector_size(16)));

template <typename V>
ONNX_REDUCE_INLINE V load(const void* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

// The first `bytes` bytes at `from`, the rest zero: a tail never reads past its
// slice.
template <typename V>
ONNX_REDUCE_INLINE V load_partial(const void* from, size_t bytes) {
  V v = {};
  std::memcpy(&v, from, bytes);
  return v;
}

template <typename V>
ONNX_REDUCE_INLINE void store(void* to, V v) {
  std::memcpy(to, &v, sizeof v);
}

template <typename To, typename From>
ONNX_REDUCE_INLINE To bits(From v) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &v, sizeof to);
  return to;
}

ONNX_REDUCE_INLINE f64x2 splat(double x) { return f64x2{x, x}; }
ONNX_REDUCE_INLINE u64x2 splat(uint64_t x) { return u64x2{x, x}; }

// Lanes 0,1 and lanes 2,3 of a float32 vector, widened (exact).
ONNX_REDUCE_INLINE f64x2 widen_low(f32x4 v) {
  return __builtin_convertvector(__builtin_shufflevector(v, v, 0, 1), f64x2);
}
ONNX_REDUCE_INLINE f64x2 widen_high(f32x4 v) {
  return __builtin_convertvector(__builtin_shufflevector(v, v, 2, 3), f64x2);
}

// Two float32 at `from`, widened: a load of their own costs a shuffle less than
// splitting a 128-bit load. In WebAssembly the load takes 16 bytes all the same:
// LLVM 19 folds no offset into the one of 8, and an address computed for each
// load costs more than eight bytes too many, which are memory for sure: the
// allocator's own data, or other arrays, follow every tensor.
ONNX_REDUCE_INLINE f64x2 load_widened(const float* from) {
#ifdef __wasm_simd128__
  return widen_low(load<f32x4>(from));
#else
  return __builtin_convertvector(load<f32x2>(from), f64x2);
#endif
}

// Both lanes rounded to float32, in lanes 0 and 1; the others are zero, which
// is what the one instruction for it gives.
ONNX_REDUCE_INLINE f32x4 narrow(f64x2 v) {
  return __builtin_convertvector(__builtin_shufflevector(v, f64x2{}, 0, 1, 2, 3), f32x4);
}
// Two of them in one. LLVM 19 would make four scalar conversions of a shuffle
// of both.
ONNX_REDUCE_INLINE f32x4 narrow(f64x2 low, f64x2 high) {
  const u64x2 upper = bits<u64x2>(narrow(high));
  return bits<f32x4>(bits<u64x2>(narrow(low)) | __builtin_shufflevector(upper, upper, 1, 0));
}

// Masks that the compiler doesn't see the values of (constants.cc). It would
// make an absolute value of the first two, for which engines build the mask
// anew each time, three instructions instead of one.
struct Masks {
  uint64_t magnitude64;  // all but the sign
  uint32_t magnitude32;
  uint64_t upper26;      // sign, exponent and 25 bits of fraction of a float64
};
extern const Masks kMasks;

ONNX_REDUCE_INLINE f32x4 abs(f32x4 v) {
  const uint32_t m = kMasks.magnitude32;
  return bits<f32x4>(bits<u32x4>(v) & u32x4{m, m, m, m});
}
ONNX_REDUCE_INLINE f64x2 abs(f64x2 v) {
  return bits<f64x2>(bits<u64x2>(v) & splat(kMasks.magnitude64));
}

// mask ? a : b, lane by lane; mask lanes are all ones or all zeros.
ONNX_REDUCE_INLINE f64x2 select(i64x2 mask, f64x2 a, f64x2 b) {
  return bits<f64x2>((bits<i64x2>(a) & mask) | (bits<i64x2>(b) & ~mask));
}

ONNX_REDUCE_INLINE u16x8 larger(u16x8 a, u16x8 b) { return __builtin_elementwise_max(a, b); }
ONNX_REDUCE_INLINE u32x4 smaller(u32x4 a, u32x4 b) { return __builtin_elementwise_min(a, b); }

// Any bit set.
ONNX_REDUCE_INLINE bool any(u32x4 v) {
#ifdef __wasm_simd128__
  return __builtin_wasm_any_true_v128(v);
#else
  const u64x2 halves = bits<u64x2>(v);
  return (halves[0] | halves[1]) != 0;
#endif
}

// Both lanes all ones.
ONNX_REDUCE_INLINE bool all(i64x2 mask) {
#ifdef __wasm_simd128__
  return __builtin_wasm_all_true_i64x2(mask);  // no moves between register files
#else
  return (mask[0] & mask[1]) != 0;
#endif
}

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_SIMD_H_
