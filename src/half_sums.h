// Sums of float16 and bfloat16: policies as in float_sums.h.
//
// Eight elements are two float32 vectors, the even and the odd ones, as shifts
// and masks get at them without a shuffle; each is widened to float64, so the
// bound is that of float32 squares: blocks of signed elements are as long, as
// formats of so few bits have it to spare. (Adding two vectors in float32 first would halve
// the conversions, but its rounding, 2^-24 of the magnitude, leaves more than
// one result in 10^4 undecided.)
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
  static constexpr double kLeastElement = 0;
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
  static constexpr double kLeastElement = 0x1p-24;
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

template <typename Format16, bool kSquare>
struct Float16Sum {
  using Element = uint16_t;
  static constexpr bool kSquares = kSquare;
  static constexpr int kStep = 8;
  static constexpr int kStreams = 2;  // four would need more than 16 registers
  static constexpr int kColumnGroups = 1;
  static constexpr int kDepth = 1000;
  static constexpr double kBound = 0x1p-43;
  static constexpr double kUnderflow = kSquare ? Format16::kUnderflow : 0;
  // Multiples of one number, of up to 53 bits, are added without rounding: sums
  // of float16 below 2^29, of their squares below 2^5.
  static constexpr double kExactBelow =
      Format16::kLeastElement * (kSquare ? Format16::kLeastElement : 1) * 0x1p53;
  static constexpr bool kLow = false;
  static constexpr bool kExactTerms = true;
  static constexpr bool kFloating = true;
  // A special element of float16 shows as NaN, whatever it is. A square of a
  // bfloat16 that overflows float32 makes the result infinite, too.
  static constexpr bool kOverflows = Format16::kSpecialBits;
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
    step(to, p);
    step(to, q);
  }

  static constexpr double kFlushScale =
      kSquare || Format16::kScale == 1 ? 1 : Format16::kScale;

  ONNX_REDUCE_INLINE static bool any_special(u16x8 largest) {
    return any(bits<u32x4>(largest >= Format16::kFirstSpecial));
  }
  // The lanes that met an infinity or a NaN become NaN: looked for apart.
  ONNX_REDUCE_OUTLINE static void spoil(Long& sums, u16x8 largest) {
    for (int i = 0; i < kStep; ++i) {
      if (largest[i] >= Format16::kFirstSpecial) sums.hi[i / 2][i % 2] = __builtin_nan("");
    }
  }

  // The lanes as they are, in the order of the elements.
  ONNX_REDUCE_INLINE static Long spread(const Short& from) {
    Long to = {};
    for (int i = 0; i < 2; ++i) {
      to.hi[2 * i] = first_lanes(from.sum[i], from.sum[2 + i]);
      to.hi[2 * i + 1] = second_lanes(from.sum[i], from.sum[2 + i]);
    }
    for (int k = 0; k < 4; ++k) {
      if constexpr (kFlushScale != 1) to.hi[k] *= kFlushScale;
      if constexpr (!kSquare) to.magnitude[k] = splat(from.magnitude[k] * (kMagnitudeSlack * kFlushScale));
    }
    if constexpr (Format16::kSpecialBits) {
      if (any_special(from.largest)) spoil(to, from.largest);
    }
    return to;
  }

  ONNX_REDUCE_OUTLINE static void flush(const Short& from, Long& to) {
    const Long block = spread(from);
    for (int k = 0; k < 4; ++k) {
      add_block(to.hi[k], to.lo[k], block.hi[k]);
      if constexpr (!kSquare) to.magnitude[k] += block.magnitude[k];
    }
  }

  ONNX_REDUCE_INLINE static FloatSum fold(const Short& from) {
    const f64x2 pairs = (from.sum[0] + from.sum[1]) + (from.sum[2] + from.sum[3]);
    FloatSum to = {{(pairs[0] + pairs[1]) * kFlushScale, 0}, 0};
    if constexpr (!kSquare) {
      const f32x4 m = from.magnitude;
      to.magnitude = static_cast<double>((m[0] + m[1]) + (m[2] + m[3])) * (kMagnitudeSlack * kFlushScale);
    }
    if constexpr (Format16::kSpecialBits) {
      if (any_special(from.largest)) to.sum.hi = __builtin_nan("");
    }
    return to;
  }
  ONNX_REDUCE_INLINE static FloatSums fold(const Short& a, const Short& b) {
    const f64x2 p = (a.sum[0] + a.sum[1]) + (a.sum[2] + a.sum[3]);
    const f64x2 q = (b.sum[0] + b.sum[1]) + (b.sum[2] + b.sum[3]);
    FloatSums to = {{(first_lanes(p, q) + second_lanes(p, q)) * kFlushScale, f64x2{}}, f64x2{}};
    if constexpr (!kSquare) to.magnitude = magnitude_of(a.magnitude, b.magnitude) * kFlushScale;
    if constexpr (Format16::kSpecialBits) {
      if (any_special(larger(a.largest, b.largest))) {
        if (any_special(a.largest)) to.sum.hi[0] = __builtin_nan("");
        if (any_special(b.largest)) to.sum.hi[1] = __builtin_nan("");
      }
    }
    return to;
  }
  // Two rows of half a step each, side by side in one.
  ONNX_REDUCE_INLINE static FloatSums fold_halves(const Short& from) {
    const f64x2 a = from.sum[0] + from.sum[2];
    const f64x2 b = from.sum[1] + from.sum[3];
    FloatSums to = {{(first_lanes(a, b) + second_lanes(a, b)) * kFlushScale, f64x2{}}, f64x2{}};
    if constexpr (!kSquare) to.magnitude = magnitude_of_halves(from.magnitude) * kFlushScale;
    if constexpr (Format16::kSpecialBits) {
      if (any_special(from.largest)) {
        const u64x2 halves = bits<u64x2>(bits<u16x8>(from.largest >= Format16::kFirstSpecial));
        for (int k = 0; k < 2; ++k) {
          if (halves[k] != 0) to.sum.hi[k] = __builtin_nan("");
        }
      }
    }
    return to;
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
