// Sums of floating-point elements with a known error bound: what one step of a
// kernel does for each input type, and the accumulators it does it in.
//
// A policy has
//   Element, kStep     elements a step consumes, one per lane
//   kStreams           distant runs that `rows` walks at once
//   kColumnGroups      groups of columns that `columns` keeps in registers
//   kDepth             steps between flushes
//   Short              accumulators of kStep lanes
//   Long               kStep lanes of double-double sums (and magnitudes)
//   step(Short&, p)    adds kStep elements
//   step_pair(Short&, p, q)  adds kStep elements of each
//   flush(Short&, Long&)
//   spread(Short&)     its lanes as a Long, in the order of the elements
//   fold(Short&)       the sum over the lanes of up to kDepth steps
//   fold(Short&, Short&)  two of them, as vectors
//   fold_halves(Short&)   the sums over the first and the second half of the
//                      lanes (kStep 4 and 8)
//   kExactTerms        the terms, squares included, are exact in float64
//   kLow               sums of one block have a low part
//   kBound, kUnderflow the error bound: |sum - exact| <= kBound * magnitude +
//                      kUnderflow * terms
//   kExactBelow        a sum of less magnitude is exact, 0 if none
//   kOverflows         a sum may be infinite or NaN though its exact value is
//                      finite
#ifndef ONNX_REDUCE_FLOAT_SUMS_H_
#define ONNX_REDUCE_FLOAT_SUMS_H_

#include "double_double.h"

namespace onnx_reduce {

// hi + lo and a bound on the sum of magnitudes (unused for squares).
struct FloatSum {
  DoubleDouble<double> sum;
  double magnitude;
};

// Lanes of (hi, lo, magnitude).
template <int kCount>
struct LongLanes {
  static constexpr int kLanes = kCount;
  f64x2 hi[kCount / 2];
  f64x2 lo[kCount / 2];
  f64x2 magnitude[kCount / 2];

  // Where a sum is not finite `lo` becomes NaN; `hi` stays what IEEE addition
  // gives, which is all that is then looked at.
  ONNX_REDUCE_INLINE void merge(const LongLanes& from) {
    for (int i = 0; i < kCount / 2; ++i) {
      const DoubleDouble<f64x2> s = two_sum(hi[i], from.hi[i]);
      hi[i] = s.hi;
      lo[i] += from.lo[i] + s.lo;
      magnitude[i] += from.magnitude[i];
    }
  }
};

// hi and lo of two sums and their bounds, a lane each.
struct FloatSums {
  DoubleDouble<f64x2> sum;
  f64x2 magnitude;
};

// Lanes 0 of both and lanes 1 of both.
ONNX_REDUCE_INLINE f64x2 first_lanes(f64x2 a, f64x2 b) {
  return __builtin_shufflevector(a, b, 0, 2);
}
ONNX_REDUCE_INLINE f64x2 second_lanes(f64x2 a, f64x2 b) {
  return __builtin_shufflevector(a, b, 1, 3);
}

// Two-sum keeps what the addition of a block's sum to the long sum rounds off.
// The errors kept are added plainly: with F flushes that costs F^2 u^2 of the
// magnitude, below 2^-54 for F up to 2^26; a call of `rows` ends long before.
ONNX_REDUCE_INLINE void add_block(f64x2& hi, f64x2& lo, f64x2 block) {
  const DoubleDouble<f64x2> s = two_sum(hi, block);
  hi = s.hi;
  lo += s.lo;
}

// ---------------------------------------------------------------------------
// float32: every element, and every square, is exact in float64. A block of kDepth = N additions per lane is summed
// plainly:
//   |error| <= N u M / (1 - N u),  M the block's sum of magnitudes
// (Higham 1993, recursive summation); the rest of a row and the folding of its
// lanes add at most 3 more, and rounding the long sum to float64 one. Squares,
// N = 1000: 1004 u < 2^-43.02, which leaves 2^-49 for the long sums and the merging
// of partials (3 u^2 each): kBound = 2^-43. Signed elements cancel, and what is
// then left undecided grows with the bound, so N = 120: 124 u < 2^-46.04, kBound =
// 2^-46.
//
// The sum of magnitudes of signed elements is only needed as a bound, so it is
// kept in float32 within a block: up to 2004 additions (of 16-bit elements, half
// of them within a step) of a relative error below 2^-24 each, together below
// 2^-13, made good by the factor kMagnitudeSlack. Where it overflows the bound is
// infinite and the result goes the exact way.
inline constexpr double kMagnitudeSlack = 1 + 0x1p-12;

template <bool kSquare>
struct NarrowShort4;

template <>
struct NarrowShort4<true> {
  f64x2 sum[2];
  ONNX_REDUCE_INLINE void add(f64x2 a, f64x2 b, f32x4) {
    sum[0] += a * a;
    sum[1] += b * b;
  }
};

template <>
struct NarrowShort4<false> {
  f64x2 sum[2];
  f32x4 magnitude;
  ONNX_REDUCE_INLINE void add(f64x2 a, f64x2 b, f32x4 all) {
    sum[0] += a;
    sum[1] += b;
    magnitude += abs(all);
  }
};

template <bool kSquare>
ONNX_REDUCE_INLINE void flush_narrow(const NarrowShort4<kSquare>& from, f64x2* hi,
                                     f64x2* lo, f64x2* magnitude) {
  add_block(hi[0], lo[0], from.sum[0]);
  add_block(hi[1], lo[1], from.sum[1]);
  if constexpr (!kSquare) {
    magnitude[0] += widen_low(from.magnitude) * kMagnitudeSlack;
    magnitude[1] += widen_high(from.magnitude) * kMagnitudeSlack;
  }
}

template <bool kSquare>
ONNX_REDUCE_INLINE double magnitude_of(const NarrowShort4<kSquare>& from) {
  if constexpr (kSquare) return 0;
  else {
    const f64x2 m = (widen_low(from.magnitude) + widen_high(from.magnitude)) * kMagnitudeSlack;
    return m[0] + m[1];
  }
}

// The sums over the lanes of two.
ONNX_REDUCE_INLINE f64x2 magnitude_of(f32x4 a, f32x4 b) {
  const f32x4 halves = __builtin_shufflevector(a, b, 0, 1, 4, 5) +
                       __builtin_shufflevector(a, b, 2, 3, 6, 7);
  const f32x4 whole = halves + __builtin_shufflevector(halves, halves, 1, 0, 3, 2);
  return widen_low(__builtin_shufflevector(whole, whole, 0, 2, 0, 2)) * kMagnitudeSlack;
}

// Those over the first and over the second half of the lanes.
ONNX_REDUCE_INLINE f64x2 magnitude_of_halves(f32x4 m) {
  const f32x4 sums = m + __builtin_shufflevector(m, m, 1, 0, 3, 2);
  return widen_low(__builtin_shufflevector(sums, sums, 0, 2, 0, 2)) * kMagnitudeSlack;
}

template <bool kSquare>
ONNX_REDUCE_INLINE f64x2 magnitude_of(const NarrowShort4<kSquare>& a,
                                      const NarrowShort4<kSquare>& b) {
  if constexpr (kSquare) return f64x2{};
  else return magnitude_of(a.magnitude, b.magnitude);
}

template <bool kSquare>
struct Float32Sum {
  using Element = float;
  static constexpr bool kSquares = kSquare;
  static constexpr int kStep = 4;
  static constexpr int kStreams = 4;
  static constexpr int kColumnGroups = 4;
  static constexpr int kDepth = kSquare ? 1000 : 120;
  static constexpr double kBound = kSquare ? 0x1p-43 : 0x1p-46;
  static constexpr double kUnderflow = 0;
  static constexpr double kExactBelow = 0;
  static constexpr bool kLow = false;
  static constexpr bool kExactTerms = true;
  static constexpr bool kFloating = true;
  static constexpr bool kOverflows = false;  // 2^53 squares stay below 2^310
  using Short = NarrowShort4<kSquare>;
  using Long = LongLanes<kStep>;

  ONNX_REDUCE_INLINE static void step(Short& to, const float* p) {
    if constexpr (kSquare) {
      to.add(load_widened(p), load_widened(p + 2), f32x4{});
    } else {
      const f32x4 x = load<f32x4>(p);
      to.add(widen_low(x), widen_high(x), x);
    }
  }
  // The same for what has just been stored: what a load takes must have been
  // stored by one instruction, or it waits.
  ONNX_REDUCE_INLINE static void step_stored(Short& to, const float* p) {
    const f32x4 x = load<f32x4>(p);
    to.add(widen_low(x), widen_high(x), x);
  }
  ONNX_REDUCE_INLINE static void step_pair(Short& to, const float* p, const float* q) {
    step(to, p);
    step(to, q);
  }
  ONNX_REDUCE_INLINE static void flush(const Short& from, Long& to) {
    flush_narrow<kSquare>(from, to.hi, to.lo, to.magnitude);
  }
  ONNX_REDUCE_INLINE static Long spread(const Short& from) {
    Long to = {};
    for (int i = 0; i < 2; ++i) to.hi[i] = from.sum[i];
    if constexpr (!kSquare) {
      to.magnitude[0] = widen_low(from.magnitude) * kMagnitudeSlack;
      to.magnitude[1] = widen_high(from.magnitude) * kMagnitudeSlack;
    }
    return to;
  }
  ONNX_REDUCE_INLINE static FloatSum fold(const Short& from) {
    const f64x2 pairs = from.sum[0] + from.sum[1];
    return {{pairs[0] + pairs[1], 0}, magnitude_of(from)};
  }
  ONNX_REDUCE_INLINE static FloatSums fold(const Short& a, const Short& b) {
    const f64x2 p = a.sum[0] + a.sum[1];
    const f64x2 q = b.sum[0] + b.sum[1];
    return {{first_lanes(p, q) + second_lanes(p, q), f64x2{}}, magnitude_of(a, b)};
  }
  ONNX_REDUCE_INLINE static FloatSums fold_halves(const Short& from) {
    FloatSums to = {{first_lanes(from.sum[0], from.sum[1]) + second_lanes(from.sum[0], from.sum[1]), f64x2{}}, f64x2{}};
    if constexpr (!kSquare) to.magnitude = magnitude_of_halves(from.magnitude);
    return to;
  }
  static double widen(float x) { return x; }
};

// ---------------------------------------------------------------------------
// float64. Each addition is a two-sum whose error goes to `lo`. With N = 512
// additions per lane between flushes the errors sum up to at most N u M, and
// adding them plainly rounds at most N^2 u^2 M = 2^-88 M; the flushes into the
// long double-double add 3 u^2 each. kBound = 2^-86.
//
// Squares: x = h + l with h the upper 26 bits of the significand, so
//   x^2 = h h + l (h + x),
// h h exact, |l| < 2^-25 |x|: the roundings of h + x and of the product are
// below 2 * 2^-25 * 2^-53 * 2 x^2 = 2^-76 x^2. `lo` holds up to 2^-24 M of such
// terms, so N = 64 plain additions to it cost N u 2^-24 M = 2^-71 M; kBound =
// 2^-70. Underflow costs at most 2^-1075 a product, four to a square.
// Overflow makes hi infinite or NaN, which finalize leaves to the exact way.
template <bool kSquare>
struct Float64Sum {
  using Element = double;
  static constexpr bool kSquares = kSquare;
  static constexpr int kStep = 2;
  static constexpr int kStreams = 4;
  static constexpr int kColumnGroups = 2;
  static constexpr int kDepth = kSquare ? 64 : 512;
  static constexpr double kBound = kSquare ? 0x1p-70 : 0x1p-86;
  static constexpr double kUnderflow = kSquare ? 0x1p-1072 : 0;
  static constexpr double kExactBelow = 0;
  static constexpr bool kLow = true;
  static constexpr bool kExactTerms = !kSquare;
  static constexpr bool kFloating = true;
  static constexpr bool kOverflows = true;
  struct Short {
    f64x2 hi;
    f64x2 lo;
    f64x2 magnitude;
  };
  using Long = LongLanes<kStep>;

  ONNX_REDUCE_INLINE static void step(Short& to, const double* p) {
    const f64x2 x = load<f64x2>(p);
    if constexpr (kSquare) {
      const f64x2 h = bits<f64x2>(bits<u64x2>(x) & splat(kMasks.upper26));
      const f64x2 l = x - h;
      const DoubleDouble<f64x2> s = two_sum(to.hi, h * h);
      to.hi = s.hi;
      to.lo += s.lo + l * (h + x);
    } else {
      const DoubleDouble<f64x2> s = two_sum(to.hi, x);
      to.hi = s.hi;
      to.lo += s.lo;
      to.magnitude += abs(x);
    }
  }
  ONNX_REDUCE_INLINE static void step_pair(Short& to, const double* p, const double* q) {
    step(to, p);
    step(to, q);
  }
  ONNX_REDUCE_INLINE static void flush(const Short& from, Long& to) {
    const DoubleDouble<f64x2> sum =
        onnx_reduce::add(DoubleDouble<f64x2>{to.hi[0], to.lo[0]},
                         fast_two_sum(from.hi, from.lo));
    to.hi[0] = sum.hi;
    to.lo[0] = sum.lo;
    if constexpr (!kSquare) to.magnitude[0] += from.magnitude;
  }
  ONNX_REDUCE_INLINE static Long spread(const Short& from) {
    return {{from.hi}, {from.lo}, {from.magnitude}};
  }
  ONNX_REDUCE_INLINE static FloatSum fold(const Short& from) {
    const DoubleDouble<double> s = two_sum(from.hi[0], from.hi[1]);
    return {fast_two_sum(s.hi, s.lo + (from.lo[0] + from.lo[1])),
            from.magnitude[0] + from.magnitude[1]};
  }
  ONNX_REDUCE_INLINE static FloatSums fold(const Short& a, const Short& b) {
    const DoubleDouble<f64x2> s =
        two_sum(first_lanes(a.hi, b.hi), second_lanes(a.hi, b.hi));
    const f64x2 low = first_lanes(a.lo, b.lo) + second_lanes(a.lo, b.lo);
    return {{s.hi, s.lo + low},
            first_lanes(a.magnitude, b.magnitude) + second_lanes(a.magnitude, b.magnitude)};
  }
  static double widen(double x) { return x; }
};

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_FLOAT_SUMS_H_
