// Ziv's rounding test, per format: a result is decided when both ends of the
// interval that must hold the exact value round to the same number. Rounding is
// monotone, so the exact value rounds there, too. The ends are computed in
// float64 and pushed outwards by more than their own rounding error.
//
//   decide(a, e, to)      the value lies within e of the normalised
//                         double-double a; writes the result and returns true
//                         where that decides it
//   decide_four(low, high, doubt, to)  four results from the ends of their
//                         intervals; false where any is undecided, an end is NaN
//                         or `doubt` is not zero
//   kOutward, kLeast      relative and absolute error that it adds to an end
#ifndef ONNX_REDUCE_ROUNDING_TEST_H_
#define ONNX_REDUCE_ROUNDING_TEST_H_

#include "double_double.h"
#include "format.h"

namespace onnx_reduce {

inline constexpr double kInfinity = __builtin_inf();

// |x| < infinity, false for NaN.
ONNX_REDUCE_INLINE bool is_finite(double x) { return __builtin_fabs(x) < kInfinity; }

// Four float64 lanes.
struct Four {
  f64x2 first;
  f64x2 second;
};

// Four float32 rounded to a 16-bit format, in the lower halves of the lanes;
// not for NaN.
ONNX_REDUCE_INLINE u32x4 round_to_bfloat16(f32x4 x) {
  const u32x4 b = bits<u32x4>(x);
  return (b + 0x7fffu + ((b >> 16) & 1u)) >> 16;
}

ONNX_REDUCE_INLINE u32x4 round_to_float16(f32x4 x) {
  const u32x4 b = bits<u32x4>(x);
  const u32x4 magnitude = b & 0x7fffffffu;
  const u32x4 rebased = magnitude + (0xfffu - (112u << 23)) + ((magnitude >> 13) & 1u);
  const u32x4 normal = smaller(rebased >> 13, u32x4{} + 0x7c00u);
  // Below 2^-14 the sum with 0.5 has the subnormal's last place.
  const u32x4 small = bits<u32x4>(bits<f32x4>(magnitude) + 0.5f) - 0x3f000000u;
  const u32x4 is_small = bits<u32x4>(magnitude < (113u << 23));
  return ((b >> 16) & 0x8000u) | (small & is_small) | (normal & ~is_small);
}

template <const Format& kTo, typename Storage>
struct NarrowRounding {
  using Bits = Storage;
  static constexpr const Format& kFormat = kTo;
  static constexpr bool kHalf = sizeof(Bits) == 2;
  // A 16-bit format is rounded to by way of float32 ends, which lie outside.
  static constexpr double kOutward = kHalf ? 0x1p-23 : 0x1p-52;
  static constexpr double kLeast = kHalf ? 0x1p-148 : 0;

  static Bits round(double x) {
    if constexpr (sizeof(Bits) == 4) {
      return x == x ? bits<uint32_t>(static_cast<float>(x)) : 0x7fc00000u;
    } else {
      return static_cast<Bits>(round_double(bits<uint64_t>(x), kFormat));
    }
  }
  static bool decide(DoubleDouble<double> a, double e, Bits* to) {
    if (e == 0 && a.lo == 0) {
      *to = round(a.hi);
      return true;
    }
    const double outward = e + __builtin_fabs(a.hi) * 0x1p-52;
    const Bits low = round(a.hi + (a.lo - outward));
    if (low != round(a.hi + (a.lo + outward))) return false;
    *to = low;
    return true;
  }
  // Not zero where the ends differ or are NaN; rounded lanes in `to`.
  ONNX_REDUCE_INLINE static u32x4 differences(f32x4 low, f32x4 high, u32x4& to) {
    if constexpr (!kHalf) {
      to = bits<u32x4>(low);
      // The comparison finds NaN, the bits tell zeros apart.
      return bits<u32x4>(low != high) | (to ^ bits<u32x4>(high));
    } else {
      constexpr auto kRound = kTo.precision == 8 ? round_to_bfloat16 : round_to_float16;
      to = kRound(low);
      return bits<u32x4>(low != low) | bits<u32x4>(high != high) | (to ^ kRound(high));
    }
  }
  ONNX_REDUCE_INLINE static bool decide_four(const Four& low, const Four& high, u64x2 doubt, Bits* to) {
    u32x4 rounded;
    const u32x4 different = differences(narrow(low.first, low.second), narrow(high.first, high.second), rounded);
    if (any(different | bits<u32x4>(doubt))) return false;
    if constexpr (kHalf) {
      store(to, __builtin_shufflevector(bits<u16x8>(rounded), bits<u16x8>(rounded), 0, 2, 4, 6));
    } else {
      store(to, rounded);
    }
    return true;
  }
};

struct DoubleRounding {
  using Bits = uint64_t;
  static constexpr const Format& kFormat = kBinary64;
  static constexpr double kOutward = 0;
  static constexpr double kLeast = 0;
  static Bits round(double x) {
    return x == x ? bits<uint64_t>(x) : nan_bits(kBinary64);
  }
  static bool decide(DoubleDouble<double> a, double e, Bits* to) {
    if (e == 0 && a.lo == 0) {
      *to = round(a.hi);
      return true;
    }
    // The least float64 stands for what the products may lose to underflow.
    const double outward =
        e * (1 + 0x1p-50) + __builtin_fabs(a.lo) * 0x1p-52 + 0x1p-1073;
    const double low = a.hi + (a.lo - outward);
    if (!(low == a.hi + (a.lo + outward))) return false;
    *to = round(low);
    return true;
  }
  ONNX_REDUCE_INLINE static bool decide_four(const Four& low, const Four& high, u64x2 doubt, uint64_t* to) {
    const i64x2 same = bits<i64x2>(~doubt) & (low.first == high.first) & (low.second == high.second) &
                       (abs(low.first) < splat(kInfinity)) & (abs(low.second) < splat(kInfinity));
    if (!all(same)) return false;
    store(to, low.first);
    store(to + 2, low.second);
    return true;
  }
};

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_ROUNDING_TEST_H_
