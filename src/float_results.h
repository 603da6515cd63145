// From unfinished sums to results of a floating-point type: merging, Ziv's
// rounding test, and the exact way for what the test leaves undecided.
//
// A result is decided when both ends of the interval that must hold the exact
// value round to the same number: rounding is monotone, so the exact value
// rounds there, too. The ends are computed in float64 and pushed outwards by
// more than their own rounding error.
#ifndef ONNX_REDUCE_FLOAT_RESULTS_H_
#define ONNX_REDUCE_FLOAT_RESULTS_H_

#include "double_double.h"
#include "exact_log.h"
#include "float_sums.h"
#include "half_sums.h"
#include "format.h"
#include "kernels.h"
#include "log.h"

namespace onnx_reduce {

inline constexpr double kInfinity = __builtin_inf();

// |x| < infinity, false for NaN.
ONNX_REDUCE_INLINE bool is_finite(double x) { return __builtin_fabs(x) < kInfinity; }

// A sum that is not finite keeps what plain IEEE addition makes of it; the low
// parts would turn an infinity into NaN.
ONNX_REDUCE_INLINE DoubleDouble<double> add_special(DoubleDouble<double> a,
                                                    DoubleDouble<double> b) {
  const double plain = a.hi + b.hi;
  if (!is_finite(plain)) return {plain, 0};
  return add(a, b);
}

// The lanes of a Long, folded into one sum.
template <typename Long>
ONNX_REDUCE_INLINE FloatSum fold_lanes(const Long& from) {
  constexpr int kPairs = Long::kLanes / 2;
  f64x2 plain = from.hi[0];
  f64x2 magnitude = from.magnitude[0];
  DoubleDouble<f64x2> sum = {from.hi[0], from.lo[0]};
  for (int i = 1; i < kPairs; ++i) {
    plain += from.hi[i];
    magnitude += from.magnitude[i];
    sum = add(sum, DoubleDouble<f64x2>{from.hi[i], from.lo[i]});
  }
  const double total = plain[0] + plain[1];
  if (!is_finite(total)) return {{total, 0}, 0};
  return {add(DoubleDouble<double>{sum.hi[0], sum.lo[0]},
              DoubleDouble<double>{sum.hi[1], sum.lo[1]}),
          magnitude[0] + magnitude[1]};
}

// ---------------------------------------------------------------------------
// The rounding test, per format. decide(a, e, to): the value lies within e of
// the normalised double-double a; writes the result and returns true where that
// decides it.

template <const Format& kTo, typename Storage>
struct NarrowRounding {
  using Bits = Storage;
  static constexpr const Format& kFormat = kTo;
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
};

struct DoubleRounding {
  using Bits = uint64_t;
  static constexpr const Format& kFormat = kBinary64;
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
};

// ln of the sum within e of a, a normalised double-double.
template <typename Rounding>
ONNX_REDUCE_OUTLINE bool decide_log(DoubleDouble<double> a, double e,
                                    typename Rounding::Bits* to) {
  if (a.hi + (a.lo + e) * (1 + 0x1p-50) < 0) {
    *to = Rounding::round(__builtin_nan(""));
    return true;
  }
  if (a.hi == 1 && a.lo == 0 && e == 0) {
    *to = 0;
    return true;
  }
  // Written so that NaN and too wide an interval are undecided. An infinite
  // sum cannot come here. What is left to the exact way: sums next to the
  // smallest normal, and logarithms so small that their low parts underflow.
  if (!(a.hi > 0x1p-900 && e < a.hi * 0x1p-10)) return false;
  // |ln(1 + d)| <= |d| (1 + 2^-9) for |d| <= 2^-10.
  const double moved = e / a.hi * (1 + 0x1p-8);
  DoubleDouble<double> l = log_quick(a);
  if (__builtin_fabs(l.hi) < 0x1p-900) return false;
  const double quick = __builtin_fabs(l.hi) * kLogQuickError;
  if (Rounding::decide(l, moved + quick, to)) return true;
  if (moved > quick) return false;  // a better logarithm would not help
  l = log(a);
  return Rounding::decide(l, moved + __builtin_fabs(l.hi) * kLogDoubleDoubleError, to);
}

// Adds elements to an exact sum.
template <typename Policy>
struct ExactTerms {
  using Element = typename Policy::Element;

  ONNX_REDUCE_INLINE static void add_one(ExactSum& sum, const Element* p) {
    const double x = Policy::widen(load<Element>(p));
    if constexpr (Policy::kExactTerms) {
      sum.add(Policy::kSquares ? x * x : x);
    } else {
      sum.add_square(x);
    }
  }

  // Two levels of two-sum hold about 106 bits: terms of not too different
  // magnitude (integers, pictures, most data) are summed exactly in vectors,
  // and only the sums go to the long accumulator. False where something was
  // lost; infinities and NaN lose, too.
  static constexpr int kBlock = 128;
  ONNX_REDUCE_OUTLINE static bool add_block(ExactSum& sum, const Element* p) {
    constexpr int kVectors = Policy::kStep / 2;
    f64x2 hi[kVectors] = {};
    f64x2 lo[kVectors] = {};
    i64x2 kept = i64x2{-1, -1};
    for (int i = 0; i < kBlock; i += Policy::kStep) {
      f64x2 terms[kVectors];
      Policy::terms(p + i, terms);
      for (int v = 0; v < kVectors; ++v) {
        const DoubleDouble<f64x2> first = two_sum(hi[v], terms[v]);
        const DoubleDouble<f64x2> second = two_sum(lo[v], first.lo);
        hi[v] = first.hi;
        lo[v] = second.hi;
        kept &= second.lo == f64x2{};
      }
    }
    if (!all(kept)) return false;
    for (int v = 0; v < kVectors; ++v) {
      for (int k = 0; k < 2; ++k) {
        sum.add(hi[v][k]);
        sum.add(lo[v][k]);
      }
    }
    return true;
  }

  static void add(ExactSum& sum, const std::byte* from, int64_t count, int64_t stride) {
    const Element* p = reinterpret_cast<const Element*>(from);
    while (count > 0) {
      int64_t now = count < kBlock ? count : kBlock;
      if constexpr (Policy::kExactTerms) {
        if (stride == 1 && now == kBlock && add_block(sum, p)) {
          p += kBlock;
          count -= kBlock;
          continue;
        }
      }
      count -= now;
      for (; now > 0; --now, p += stride) add_one(sum, p);
    }
  }
};

// Partials of double-doubles. Where they hold sums of squares the magnitudes
// are zero and unused. kLow: a row of one block has a low part.
template <typename Long, bool kLow>
struct FloatMerge {
  ONNX_REDUCE_OUTLINE static void add(Partials to, int64_t i, FloatSum from) {
    if (to.hi[i] == 0 && to.lo[i] == 0) {  // the first, most often
      to.hi[i] = from.sum.hi;
      to.lo[i] = from.sum.lo;
      to.magnitude[i] += from.magnitude;
      return;
    }
    const DoubleDouble<double> sum =
        add_special(DoubleDouble<double>{to.hi[i], to.lo[i]}, from.sum);
    to.hi[i] = sum.hi;
    to.lo[i] = sum.lo;
    to.magnitude[i] += from.magnitude;
  }
  // Partials that are set were empty.
  ONNX_REDUCE_INLINE static void set(Partials to, int64_t i, FloatSum from) {
    to.hi[i] = from.sum.hi;
    if constexpr (kLow) to.lo[i] = from.sum.lo;
    to.magnitude[i] = from.magnitude;
  }
  ONNX_REDUCE_INLINE static void set(Partials to, int64_t i, FloatSums from) {
    store(to.hi + i, from.sum.hi);
    if constexpr (kLow) store(to.lo + i, from.sum.lo);
    store(to.magnitude + i, from.magnitude);
  }
  ONNX_REDUCE_OUTLINE static void add_row(Partials to, int64_t i, const Long& from) {
    add(to, i, fold_lanes(from));
  }
  ONNX_REDUCE_INLINE static FloatSum lane(const Long& from, int lane) {
    const int v = lane / 2;
    const int k = lane % 2;
    return {{from.hi[v][k], from.lo[v][k]}, from.magnitude[v][k]};
  }
  ONNX_REDUCE_INLINE static void add_lane(Partials to, int64_t i, const Long& from, int k) {
    add(to, i, lane(from, k));
  }
  ONNX_REDUCE_INLINE static void set_lane(Partials to, int64_t i, const Long& from, int k) {
    set(to, i, lane(from, k));
  }
  ONNX_REDUCE_INLINE static void set_group(Partials to, int64_t i, const Long& from) {
    for (int v = 0; v < Long::kLanes / 2; ++v) {
      store(to.hi + i + 2 * v, from.hi[v]);
      store(to.lo + i + 2 * v, from.lo[v]);
      store(to.magnitude + i + 2 * v, from.magnitude[v]);
    }
  }
  ONNX_REDUCE_OUTLINE static void merge_all(Partials from, int64_t count, Partials to) {
    for (int64_t i = 0; i < count; ++i) {
      add(to, i, {{from.hi[i], from.lo[i]}, from.magnitude[i]});
    }
  }
};

// ---------------------------------------------------------------------------

template <typename Policy, typename Rounding, bool kLog>
struct FloatResult {
  using Bits = typename Rounding::Bits;
  using Element = typename Policy::Element;
  static constexpr bool kSquares = Policy::kSquares;
  static constexpr bool kNarrow = sizeof(Bits) < 8;

  // Whether one partial is decided by itself.
  ONNX_REDUCE_OUTLINE static bool decide(double hi, double lo, double magnitude, double bound,
                                         double underflow, Bits* to) {
    if (!is_finite(hi)) {
      if (Policy::kOverflows) return false;  // it may cancel, or be ours
      *to = Rounding::round(kLog && hi < 0 ? __builtin_nan("") : hi);
      return true;
    }
    const DoubleDouble<double> a = fast_two_sum(hi, lo);
    const double e = magnitude * bound + underflow;
    if constexpr (kLog) {
      if (magnitude == 0) {  // every element is a zero
        *to = Rounding::round(-kInfinity);
        return true;
      }
      return decide_log<Rounding>(a, e, to);
    } else {
      return Rounding::decide(a, e, to);
    }
  }

  static int64_t finalize(Partials from, int64_t count, int64_t terms, std::byte* to,
                          uint32_t* undecided) {
    Bits* results = reinterpret_cast<Bits*>(to);
    // A single term is exact as it stands, but for the square of a float64.
    const double bound = terms > 1 || (kSquares && !kNarrow) ? Policy::kBound : 0;
    const double underflow = Policy::kUnderflow * static_cast<double>(terms);
    int64_t left = 0;
    int64_t i = 0;
    if constexpr (kNarrow) {
      for (; i + 2 <= count; i += 2) {
        const f64x2 hi = load<f64x2>(from.hi + i);
        const f64x2 lo = load<f64x2>(from.lo + i);
        const f64x2 magnitude = kSquares ? hi : load<f64x2>(from.magnitude + i);
        if (decide_pair(hi, lo, magnitude, bound, underflow, results + i)) continue;
        for (int k = 0; k < 2; ++k) {
          if (decide(hi[k], lo[k], magnitude[k], bound, underflow, results + i + k)) continue;
          undecided[left++] = static_cast<uint32_t>(i + k);
        }
      }
    }
    for (; i < count; ++i) {
      const double magnitude = kSquares ? from.hi[i] : from.magnitude[i];
      if (decide(from.hi[i], from.lo[i], magnitude, bound, underflow, results + i)) continue;
      undecided[left++] = static_cast<uint32_t>(i);
    }
    return left;
  }

  // The test for two results of a narrow format at once; false where either is
  // not finite, not positive (log) or undecided at this precision.
  ONNX_REDUCE_INLINE static bool decide_pair(f64x2 hi, f64x2 lo, f64x2 magnitude,
                                             double bound, double underflow, Bits* to) {
    f64x2 value = hi + lo;
    f64x2 low_part = lo - (value - hi);
    f64x2 e = magnitude * bound;
    if constexpr (kLog) {
      // 2^-floor(log2 value) is at least 1/value and costs no division.
      const u64x2 exponent = bits<u64x2>(value) & 0x7ff0000000000000ull;
      const f64x2 inverse = bits<f64x2>(0x7fe0000000000000ull - exponent);
      const f64x2 relative = (e + abs(low_part)) * inverse;
      // Sums of narrow elements are far from both ends of float64.
      if (!all((value > splat(0.0)) & (value < splat(kInfinity)) &
               (relative < splat(0x1p-10)))) {
        return false;
      }
      value = log(value, kLogConstants);
      // Twice the error and more, for the roundings here.
      e = relative * 2.0 + abs(value) * (2 * kLogError);
      return store_if_equal(value - e, value + e, to);
    } else {
      if (bound != 0 || Policy::kUnderflow != 0) e += abs(value) * 0x1p-52;
      if constexpr (Policy::kUnderflow != 0) {
        // No sum of squares is below +0, and sums of zeros are common.
        e += underflow;
        const f64x2 low = value + (low_part - e);
        return store_if_equal(select(low > f64x2{}, low, f64x2{}), value + (low_part + e), to);
      }
      return store_if_equal(value + (low_part - e), value + (low_part + e), to);
    }
  }

  ONNX_REDUCE_INLINE static bool store_if_equal(f64x2 low, f64x2 high, Bits* to) {
    if constexpr (sizeof(Bits) == 4) {
      const i64x2 a = bits<i64x2>(narrow(low));
      const i64x2 b = bits<i64x2>(narrow(high));
      // Equal bits of NaN would pass; logarithms here are finite.
      i64x2 same = a == b;
      if constexpr (!kLog) same &= abs(low) < splat(kInfinity);
      if (!all(same)) return false;
      store(to, a[0]);
      return true;
    } else {
      for (int k = 0; k < 2; ++k) {
        if (!is_finite(low[k])) return false;
        const Bits rounded = Rounding::round(low[k]);
        if (rounded != Rounding::round(high[k])) return false;
        to[k] = rounded;
      }
      return true;
    }
  }

  static void round_exact(ExactSum& sum, ExactSum& scratch, std::byte* to) {
    const Bits result = static_cast<Bits>(round_exact_bits(sum, scratch));
    store(to, result);
  }

  static constexpr void complete(Kernels& k) {
    k.finalize = finalize;
    k.add_exact = ExactTerms<Policy>::add;
    k.round_exact = round_exact;
  }

 private:
  static constexpr const Format& format() { return Rounding::kFormat; }

  static uint64_t round_exact_bits(ExactSum& sum, ExactSum& scratch) {
    if constexpr (!kLog) return sum.round(format());
    switch (sum.kind()) {
      case ExactSum::Kind::kPlusInfinity: return infinity_bits(format());
      case ExactSum::Kind::kMinusInfinity:
      case ExactSum::Kind::kNaN: return nan_bits(format());
      case ExactSum::Kind::kFinite: break;
    }
    ExactSum::Value value;
    sum.value(value);
    if (value.last < value.first) return sign_bit(format()) | infinity_bits(format());
    if (value.negative) return nan_bits(format());
    // The exact sum as a double-double decides nearly always.
    const double hi = bits<double>(sum.round(kBinary64));
    if (is_finite(hi)) {
      scratch.copy(sum);
      scratch.add(-hi);
      const double lo = bits<double>(scratch.round(kBinary64));
      Bits result;
      if (decide_log<Rounding>({hi, lo}, __builtin_fabs(lo) * 0x1p-52, &result)) return result;
    }
    return round_log(sum, format());
  }
};

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_FLOAT_RESULTS_H_
