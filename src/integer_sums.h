// Sums of integer elements: exact, modulo 2^N for squares and in 128 bits for
// plain sums. Policies as in float_sums.h, without a bound.
#ifndef ONNX_REDUCE_INTEGER_SUMS_H_
#define ONNX_REDUCE_INTEGER_SUMS_H_

#include "simd.h"

namespace onnx_reduce {

struct Int128 {
  uint64_t low;
  int64_t high;

  ONNX_REDUCE_INLINE void add(uint64_t l, int64_t h) {
    const uint64_t sum = low + l;
    // In unsigned arithmetic: the halves wrap, only their whole counts.
    high = static_cast<int64_t>(static_cast<uint64_t>(high) +
                                static_cast<uint64_t>(h) + (sum < l ? 1 : 0));
    low = sum;
  }
};

// Lanes of 128-bit sums.
template <int kCount>
struct WideLanes {
  static constexpr int kLanes = kCount;
  Int128 sum[kCount];
  Int128 lane(int i) const { return sum[i]; }
  void merge(const WideLanes& from) {
    for (int i = 0; i < kCount; ++i) sum[i].add(from.sum[i].low, from.sum[i].high);
  }
};

// The sum over the lanes.
template <typename Long>
ONNX_REDUCE_OUTLINE Int128 sum_lanes(const Long& from) {
  Int128 sum = from.lane(0);
  for (int k = 1; k < Long::kLanes; ++k) {
    const Int128 lane = from.lane(k);
    sum.add(lane.low, lane.high);
  }
  return sum;
}

struct Int128Pair {
  Int128 a;
  Int128 b;
};

template <typename Policy>
struct IntegerFolds {
  static constexpr bool kFloating = false;
  template <typename Short, typename Element>
  ONNX_REDUCE_INLINE static void step_pair(Short& to, const Element* p, const Element* q) {
    Policy::step(to, p);
    Policy::step(to, q);
  }
  template <typename Short>
  ONNX_REDUCE_INLINE static auto spread(const Short& from) {
    typename Policy::Long wide = {};
    Policy::flush(from, wide);
    return wide;
  }
  template <typename Short>
  ONNX_REDUCE_INLINE static Int128Pair fold(const Short& a, const Short& b) {
    return {Policy::fold(a), Policy::fold(b)};
  }
};

// Squares modulo 2^32, the same for int32 and uint32 (ONNX's function body is a
// product in the tensor's type; signed overflow is done unsigned).
struct Square32 : IntegerFolds<Square32> {
  using Element = uint32_t;
  static constexpr int kStep = 4;
  static constexpr int kStreams = 4;
  static constexpr int kColumnGroups = 4;
  static constexpr int kDepth = 1 << 16;
  struct Short {
    u32x4 sum;
  };
  struct Long {
    static constexpr int kLanes = kStep;
    u32x4 sum;
    void merge(const Long& from) { sum += from.sum; }
    Int128 lane(int i) const { return {sum[i], 0}; }
  };
  ONNX_REDUCE_INLINE static void step(Short& to, const uint32_t* p) {
    const u32x4 x = load<u32x4>(p);
    to.sum += x * x;
  }
  ONNX_REDUCE_INLINE static void flush(const Short& from, Long& to) {
    to.sum += from.sum;
  }
  using IntegerFolds::fold;
  ONNX_REDUCE_INLINE static Int128 fold(const Short& from) {
    const u32x4 pairs = from.sum + __builtin_shufflevector(from.sum, from.sum, 2, 3, 0, 1);
    return {pairs[0] + pairs[1], 0};
  }
};

struct Square64 : IntegerFolds<Square64> {
  using Element = uint64_t;
  static constexpr int kStep = 2;
  static constexpr int kStreams = 4;
  static constexpr int kColumnGroups = 4;
  static constexpr int kDepth = 1 << 16;
  struct Short {
    uint64_t sum[2];
  };
  struct Long {
    static constexpr int kLanes = kStep;
    uint64_t sum[2];
    void merge(const Long& from) {
      sum[0] += from.sum[0];
      sum[1] += from.sum[1];
    }
    Int128 lane(int i) const { return {sum[i], 0}; }
  };
  // Scalar: SSE has no 64-bit product (a vector one is eight instructions), the
  // scalar unit does one a cycle.
  ONNX_REDUCE_INLINE static void step(Short& to, const uint64_t* p) {
    const uint64_t a = load<uint64_t>(p);
    const uint64_t b = load<uint64_t>(p + 1);
    to.sum[0] += a * a;
    to.sum[1] += b * b;
  }
  ONNX_REDUCE_INLINE static void flush(const Short& from, Long& to) {
    to.sum[0] += from.sum[0];
    to.sum[1] += from.sum[1];
  }
  using IntegerFolds::fold;
  ONNX_REDUCE_INLINE static Int128 fold(const Short& from) { return {from.sum[0] + from.sum[1], 0}; }
};

// Vector is i32x2 or u32x2: widened as it is signed or not.
template <typename Vector>
struct Sum32 : IntegerFolds<Sum32<Vector>> {
  using Element = uint32_t;
  static constexpr int kStep = 4;
  static constexpr int kStreams = 4;
  // A lane of 64 bits has room for 2^31 elements.
  static constexpr int kColumnGroups = 4;
  static constexpr int kDepth = 1 << 16;
  struct Short {
    i64x2 sum[2];
  };
  using Long = WideLanes<kStep>;
  ONNX_REDUCE_INLINE static void step(Short& to, const uint32_t* p) {
    to.sum[0] += __builtin_convertvector(load<Vector>(p), i64x2);
    to.sum[1] += __builtin_convertvector(load<Vector>(p + 2), i64x2);
  }
  ONNX_REDUCE_INLINE static void flush(const Short& from, Long& to) {
    for (int i = 0; i < kStep; ++i) {
      const int64_t s = from.sum[i / 2][i % 2];
      to.sum[i].add(static_cast<uint64_t>(s), s < 0 ? -1 : 0);
    }
  }
  using IntegerFolds<Sum32<Vector>>::fold;
  ONNX_REDUCE_INLINE static Int128 fold(const Short& from) {
    const i64x2 pairs = from.sum[0] + from.sum[1];
    const int64_t sum = pairs[0] + pairs[1];
    return {static_cast<uint64_t>(sum), sum >> 63};
  }
};

// 64-bit elements in 128 bits without a carry per element: the sum modulo 2^64
// and the sum H of the upper halves are kept. The sum is H 2^32 + L, where L,
// the sum of the lower halves, is below 2^64 (up to 2^32 elements) and so known
// from the sum modulo 2^64.
template <bool kSigned>
struct Sum64 : IntegerFolds<Sum64<kSigned>> {
  using Element = uint64_t;
  static constexpr int kStep = 4;
  static constexpr int kStreams = kSigned ? 2 : 4;
  static constexpr int kColumnGroups = 2;
  static constexpr int kDepth = 1 << 16;
  struct Short {
    u64x2 wrapped[2];
    u64x2 upper[2];
  };
  using Long = WideLanes<kStep>;
  ONNX_REDUCE_INLINE static void step(Short& to, const uint64_t* p) {
    const u64x2 a = load<u64x2>(p);
    const u64x2 b = load<u64x2>(p + 2);
    to.wrapped[0] += a;
    to.wrapped[1] += b;
    if constexpr (kSigned) {
      // No arithmetic 64-bit shift in SSE: gather the upper halves and widen.
      const i32x4 x = bits<i32x4>(a);
      const i32x4 y = bits<i32x4>(b);
      to.upper[0] += bits<u64x2>(__builtin_convertvector(
          __builtin_shufflevector(x, x, 1, 3), i64x2));
      to.upper[1] += bits<u64x2>(__builtin_convertvector(
          __builtin_shufflevector(y, y, 1, 3), i64x2));
    } else {
      to.upper[0] += a >> 32;
      to.upper[1] += b >> 32;
    }
  }
  ONNX_REDUCE_INLINE static void flush(const Short& from, Long& to) {
    for (int i = 0; i < kStep; ++i) {
      const uint64_t h = from.upper[i / 2][i % 2];
      const uint64_t l = from.wrapped[i / 2][i % 2] - (h << 32);
      to.sum[i].add(h << 32, kSigned ? static_cast<int64_t>(h) >> 32
                                     : static_cast<int64_t>(h >> 32));
      to.sum[i].add(l, 0);
    }
  }
  using IntegerFolds<Sum64<kSigned>>::fold;
  ONNX_REDUCE_INLINE static Int128 fold(const Short& from) {
    const u64x2 upper = from.upper[0] + from.upper[1];
    const u64x2 wrapped = from.wrapped[0] + from.wrapped[1];
    const uint64_t h = upper[0] + upper[1];
    Int128 sum = {h << 32, kSigned ? static_cast<int64_t>(h) >> 32 : static_cast<int64_t>(h >> 32)};
    sum.add(wrapped[0] + wrapped[1] - (h << 32), 0);
    return sum;
  }
};

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_INTEGER_SUMS_H_
