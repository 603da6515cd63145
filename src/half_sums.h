// Sums of float16 and bfloat16: policies as in float_sums.h.
//
// Eight elements are two float32 vectors, the even and the odd ones, as shifts
// and masks get at them without a shuffle. Two vectors of bfloat16 are added in
// float32 before they are widened to float64, which halves the conversions and
// costs one rounding, 2^-24 of the magnitude; the rest of the bound is that of
// float32. float16 has three more bits: the rounding would leave one result in
// 3000 undecided, so its vectors are widened one by one.
#ifndef ONNX_REDUCE_HALF_SUMS_H_
#define ONNX_REDUCE_HALF_SUMS_H_

#include "float_sums.h"

namespace onnx_reduce {

struct EvenOdd {
  f32x4 even;
  f32x4 odd;
};

struct Bfloat16Format {
  // A bfloat16 is the upper half of a float32.
  ONNX_REDUCE_INLINE static EvenOdd widen(u32x4 v) {
    return {bits<f32x4>(v << 16), bits<f32x4>(v & 0xffff0000u)};
  }
  static constexpr double kScale = 1;
  // Squares leave the range of float32 where float64 would hold them.
  static constexpr double kUnderflow = 0x1p-149;
  static constexpr bool kPairs = true;
  static constexpr bool kSpecialBits = false;
};

struct Float16Format {
  // Exponent and fraction shifted into place make a float32 2^112 times too
  // small, subnormals included; sums are scaled when they are flushed.
  ONNX_REDUCE_INLINE static EvenOdd widen(u32x4 v) {
    const i32x4 even = bits<i32x4>(v << 16) >> 3;
    const i32x4 odd = bits<i32x4>(v) >> 3;
    return {bits<f32x4>(bits<u32x4>(even) & 0x8fffe000u),
            bits<f32x4>(bits<u32x4>(odd) & 0x8fffe000u)};
  }
  static constexpr double kScale = 0x1p112;
  static constexpr double kUnderflow = 0;
  static constexpr bool kPairs = false;
  // Infinities and NaN come out as finite numbers: they are looked for apart.
  static constexpr bool kSpecialBits = true;
  static constexpr uint16_t kFirstSpecial = 0x7c00;
};

// What is kept beside the sums.
template <bool kMagnitude>
struct HalfMagnitude {
  f32x4 magnitude;  // of elements 2k and 2k + 1: a bound for each
};
template <>
struct HalfMagnitude<false> {};
template <bool kSpecialBits>
struct HalfSpecials {
  u16x8 largest;  // bits without the sign, per element
};
template <>
struct HalfSpecials<false> {};

ONNX_REDUCE_INLINE u16x8 larger(u16x8 a, u16x8 b) {
  const u16x8 mask = bits<u16x8>(a > b);
  return (a & mask) | (b & ~mask);
}

template <typename Format16, bool kSquare>
struct Float16Sum {
  using Element = uint16_t;
  static constexpr bool kSquares = kSquare;
  static constexpr int kStep = 8;
  static constexpr int kStreams = 2;  // four would need more than 16 registers
  static constexpr int kColumnGroups = 2;
  static constexpr int kDepth = 120;
  static constexpr bool kPairs = Format16::kPairs;
  static constexpr double kBound = kPairs ? 0x1p-24 + 0x1p-45 : 0x1p-46;
  static constexpr double kUnderflow = kSquare ? Format16::kUnderflow : 0;
  static constexpr bool kExactTerms = true;
  static constexpr bool kFloating = true;
  static constexpr bool kOverflows = true;
  using Long = LongLanes<kStep>;

  // Elements 0 2 | 4 6 | 1 3 | 5 7.
  struct Short : HalfMagnitude<!kSquare>, HalfSpecials<Format16::kSpecialBits> {
    f64x2 sum[4];
  };

  ONNX_REDUCE_INLINE static void note_specials(Short& to, u16x8 v) {
    if constexpr (Format16::kSpecialBits) to.largest = larger(to.largest, v & uint16_t{0x7fff});
  }

  ONNX_REDUCE_INLINE static EvenOdd mapped(u16x8 v) {
    EvenOdd x = Format16::widen(bits<u32x4>(v));
    if constexpr (kSquare) {
      if constexpr (Format16::kScale != 1) {
        const float scale = static_cast<float>(Format16::kScale);
        x = {x.even * scale, x.odd * scale};  // the square would underflow
      }
      x = {x.even * x.even, x.odd * x.odd};
    }
    return x;
  }

  ONNX_REDUCE_INLINE static void add(Short& to, EvenOdd x) {
    to.sum[0] += widen_low(x.even);
    to.sum[1] += widen_high(x.even);
    to.sum[2] += widen_low(x.odd);
    to.sum[3] += widen_high(x.odd);
  }

  ONNX_REDUCE_INLINE static void step(Short& to, const uint16_t* p) {
    const u16x8 v = load<u16x8>(p);
    note_specials(to, v);
    const EvenOdd x = mapped(v);
    add(to, x);
    if constexpr (!kSquare) to.magnitude += abs(x.even) + abs(x.odd);
  }

  ONNX_REDUCE_INLINE static void step_pair(Short& to, const uint16_t* p, const uint16_t* q) {
    if constexpr (!kPairs) {
      step(to, p);
      step(to, q);
      return;
    }
    const u16x8 v = load<u16x8>(p);
    const u16x8 w = load<u16x8>(q);
    note_specials(to, v);
    note_specials(to, w);
    const EvenOdd x = mapped(v);
    const EvenOdd y = mapped(w);
    add(to, {x.even + y.even, x.odd + y.odd});
    if constexpr (!kSquare) {
      to.magnitude += (abs(x.even) + abs(y.even)) + (abs(x.odd) + abs(y.odd));
    }
  }

  // The exact terms, in float64.
  ONNX_REDUCE_INLINE static void terms(const uint16_t* p, f64x2* out) {
    const u16x8 v = load<u16x8>(p);
    const EvenOdd x = Format16::widen(bits<u32x4>(v));
    out[0] = widen_low(x.even);
    out[1] = widen_high(x.even);
    out[2] = widen_low(x.odd);
    out[3] = widen_high(x.odd);
    for (int i = 0; i < 4; ++i) {
      if constexpr (Format16::kScale != 1) out[i] *= Format16::kScale;
      if constexpr (kSquare) out[i] *= out[i];
    }
    if constexpr (Format16::kSpecialBits) {
      // Not a finite element: NaN, so that the block goes one by one.
      const u16x8 special = bits<u16x8>((v & uint16_t{0x7fff}) >= Format16::kFirstSpecial);
      const u64x2 any = bits<u64x2>(special);
      if ((any[0] | any[1]) != 0) out[0] = splat(__builtin_nan(""));
    }
  }

  static constexpr double kFlushScale =
      kSquare || Format16::kScale == 1 ? 1 : Format16::kScale;

  // Lanes 2k and 2k + 1 of the sums, in the order of the elements.
  ONNX_REDUCE_INLINE static f64x2 lanes(const Short& from, int k) {
    const f64x2 even = from.sum[k / 2];
    const f64x2 odd = from.sum[2 + k / 2];
    f64x2 sum = k % 2 ? second_lanes(even, odd) : first_lanes(even, odd);
    if constexpr (kFlushScale != 1) sum *= kFlushScale;
    if constexpr (Format16::kSpecialBits) {
      const bool first = from.largest[2 * k] >= Format16::kFirstSpecial;
      const bool second = from.largest[2 * k + 1] >= Format16::kFirstSpecial;
      if (first) sum[0] = __builtin_nan("");
      if (second) sum[1] = __builtin_nan("");
    }
    return sum;
  }
  ONNX_REDUCE_INLINE static double magnitude_of_lanes(const Short& from, int k) {
    if constexpr (kSquare) return 0;
    else return from.magnitude[k] * (kMagnitudeSlack * kFlushScale);
  }

  ONNX_REDUCE_OUTLINE static void flush(const Short& from, Long& to) {
#pragma clang loop unroll(full)
    for (int k = 0; k < 4; ++k) {
      add_block(to.hi[k], to.lo[k], lanes(from, k));
      if constexpr (!kSquare) to.magnitude[k] += splat(magnitude_of_lanes(from, k));
    }
  }
  ONNX_REDUCE_OUTLINE static FloatSum fold(const Short& from) {
    f64x2 sum = f64x2{};
    double magnitude = 0;
#pragma clang loop unroll(full)
    for (int k = 0; k < 4; ++k) {
      sum += lanes(from, k);
      magnitude += magnitude_of_lanes(from, k);
    }
    return {{sum[0] + sum[1], 0}, magnitude};
  }
  ONNX_REDUCE_INLINE static FloatSums fold(const Short& a, const Short& b) {
    const FloatSum x = fold(a);
    const FloatSum y = fold(b);
    return {{f64x2{x.sum.hi, y.sum.hi}, f64x2{}}, f64x2{x.magnitude, y.magnitude}};
  }
  // As it is, infinities and NaN included.
  static double widen(uint16_t x) {
    u32x4 v = {};
    v[0] = x;
    if constexpr (Format16::kSpecialBits) {
      if ((x & 0x7fff) >= Format16::kFirstSpecial) {
        if (x & 0x03ff) return __builtin_nan("");
        return x & 0x8000 ? -__builtin_inf() : __builtin_inf();
      }
    }
    return Format16::widen(v).even[0] * Format16::kScale;
  }
};

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_HALF_SUMS_H_
