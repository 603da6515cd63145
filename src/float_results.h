// From unfinished sums to results of a floating-point type: merging, the
// rounding test (rounding_test.h), and the exact way for what it leaves
// undecided.
#ifndef ONNX_REDUCE_FLOAT_RESULTS_H_
#define ONNX_REDUCE_FLOAT_RESULTS_H_

#include <type_traits>

#include "double_double.h"
#include "exact_log.h"
#include "float_sums.h"
#include "half_sums.h"
#include "kernels.h"
#include "log.h"
#include "rounding_test.h"

namespace onnx_reduce {

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
  if (a.hi < 0x1p900) {
    double hi[4] = {a.hi, a.hi, a.hi, a.hi};
    double lo[4] = {a.lo, a.lo, a.lo, a.lo};
    log_quick(hi, lo, 4);
    if (__builtin_fabs(hi[0]) < 0x1p-900) return false;
    const double quick = __builtin_fabs(hi[0]) * kLogQuickError;
    if (Rounding::decide({hi[0], lo[0]}, moved + quick, to)) return true;
    if (moved > quick) return false;  // a better logarithm would not help
  }
  const DoubleDouble<double> l = log(a);
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

// Partials of double-doubles. kLow: a row of one block has a low part.
// kMagnitude: there are magnitudes, which sums of squares need not.
template <typename Long, bool kLow, bool kMagnitude>
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
    if constexpr (kMagnitude) to.magnitude[i] = from.magnitude;
  }
  ONNX_REDUCE_INLINE static void set(Partials to, int64_t i, FloatSums from) {
    store(to.hi + i, from.sum.hi);
    if constexpr (kLow) store(to.lo + i, from.sum.lo);
    if constexpr (kMagnitude) store(to.magnitude + i, from.magnitude);
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
      if constexpr (kMagnitude) store(to.magnitude + i + 2 * v, from.magnitude[v]);
    }
  }
  ONNX_REDUCE_OUTLINE static void merge_all(Partials from, int64_t count, Partials to) {
    for (int64_t i = 0; i < count; ++i) {
      add(to, i, {{from.hi[i], from.lo[i]}, from.magnitude[i]});
    }
  }
};

// Sums of narrow types are rounded to float64 once before they are finished.
inline void round_sums(Partials partials, int64_t count) {
#pragma clang loop unroll(disable)
  for (int64_t i = 0; i < count; ++i) {
    // An infinity keeps what IEEE addition made of it: its low part is NaN.
    if (is_finite(partials.hi[i])) partials.hi[i] += partials.lo[i];
  }
}

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

  // Error bounds of sums of `terms` elements.
  struct Bounds {
    double relative;
    double underflow;
  };
  ONNX_REDUCE_INLINE static Bounds bounds(int64_t terms) {
    // A single term is exact as it stands, but for the square of a float64.
    return {terms > 1 || (kSquares && !kNarrow) ? Policy::kBound : 0,
            Policy::kUnderflow * static_cast<double>(terms)};
  }

  static int64_t finalize(Partials from, int64_t count, int64_t terms, std::byte* to, int64_t first,
                          uint32_t* undecided) {
    Bits* results = reinterpret_cast<Bits*>(to) + first;
    const Bounds bound = bounds(terms);
    int64_t left = 0;
    int64_t i = 0;
    while (i + 4 <= count) {
      const int64_t now = count - i < kBatch ? (count - i) & ~int64_t{3} : kBatch;
      Logs logs;
      if constexpr (kLog) logs.fill(from, i, now);
      // Those that the test leaves are listed first: a call in this loop would
      // have engines keep its constants in memory.
      int32_t failed[kBatch / 4];
      int32_t failures = 0;
#pragma clang loop unroll(disable)
      for (int32_t j = 0; j < now; j += 4) {
        if (decide_four(from, i + j, logs, j / 2, bound, results + i + j)) continue;
        failed[failures++] = j;
      }
      for (int32_t k = 0; k < failures; ++k) {
        left += decide_apart(from, i + failed[k], 4, terms, results, first, undecided + left);
      }
      i += now;
    }
    if (i < count) left += decide_apart(from, i, count - i, terms, results, first, undecided + left);
    return left;
  }

  static constexpr int64_t kBatch = 64;

  // The logarithms of a batch.
  struct NoLogs {};
  struct NarrowLogs {
    f64x2 value[kBatch / 2];
    ONNX_REDUCE_INLINE void fill(Partials from, int64_t i, int64_t count) {
      f64x2 k[kBatch / 2];
#pragma clang loop unroll(disable)
      for (int64_t j = 0; j < count / 2; ++j) {
        const LogParts parts = log_parts(load<f64x2>(from.hi + i + 2 * j), kLogConstants);
        k[j] = parts.k;
        value[j] = parts.s;
      }
#pragma clang loop unroll(disable)
      for (int64_t j = 0; j < count / 2; ++j) value[j] = log_of_parts(k[j], value[j], kLogConstants);
    }
  };
  struct DoubleLogs {
    f64x2 hi[kBatch / 2];
    f64x2 lo[kBatch / 2];
    ONNX_REDUCE_INLINE void fill(Partials from, int64_t i, int64_t count) {
#pragma clang loop unroll(disable)
      for (int64_t j = 0; j < count / 2; ++j) {
        const DoubleDouble<f64x2> sum =
            fast_two_sum(load<f64x2>(from.hi + i + 2 * j), load<f64x2>(from.lo + i + 2 * j));
        hi[j] = sum.hi;
        lo[j] = sum.lo;
      }
      log_quick(reinterpret_cast<double*>(hi), reinterpret_cast<double*>(lo), static_cast<int32_t>(count));
    }
  };
  using Logs = std::conditional_t<!kLog, NoLogs, std::conditional_t<kNarrow, NarrowLogs, DoubleLogs>>;

  ONNX_REDUCE_OUTLINE static int64_t decide_apart(Partials from, int64_t i, int64_t count, int64_t terms,
                                                  Bits* results, int64_t first, uint32_t* undecided) {
    const Bounds bound = bounds(terms);
    int64_t left = 0;
    for (; count > 0; --count, ++i) {
      const double magnitude = kSquares ? from.hi[i] : from.magnitude[i];
      // A single square has underflowed only if it is small.
      const bool exact = kNarrow && terms == 1 && from.hi[i] >= 0x1p-126;
      if (decide(from.hi[i], kNarrow ? 0 : from.lo[i], magnitude, bound.relative,
                 exact ? 0 : bound.underflow, results + i)) continue;
      undecided[left++] = static_cast<uint32_t>(first + i);
    }
    return left;
  }

  // False where any of four results is undecided, at this precision.
  ONNX_REDUCE_INLINE static bool decide_four(Partials from, int64_t i, const Logs& logs, int32_t j,
                                             Bounds bound, Bits* to) {
    const Ends x = ends(from, i, logs, j, bound);
    const Ends y = ends(from, i + 2, logs, j + 1, bound);
    return Rounding::decide_four({x.low, y.low}, {x.high, y.high}, x.doubt | y.doubt, to);
  }

  // The interval of two results. `doubt` is not zero where it could not be
  // had: where a logarithm's argument is not positive, finite or known well.
  struct Ends {
    f64x2 low;
    f64x2 high;
    u64x2 doubt;
  };
  ONNX_REDUCE_INLINE static Ends ends(Partials from, int64_t i, const Logs& logs, int32_t j, Bounds bound) {
    const f64x2 hi = load<f64x2>(from.hi + i);
    f64x2 value = hi;
    f64x2 low_part = {};
    if constexpr (!kNarrow) {
      const f64x2 lo = load<f64x2>(from.lo + i);
      value = hi + lo;
      low_part = lo - (value - hi);
    }
    const f64x2 magnitude = kSquares ? value : load<f64x2>(from.magnitude + i);
    if constexpr (kLog) {
      f64x2 e = magnitude * bound.relative;
      // False for sums that are NaN, infinite (e is, too, or NaN), not positive or
      // not known to ten bits. Finite ones are far from both ends of float64.
      const i64x2 sure = e * 0x1p10 < value;
      // The error of the logarithm is below e / value * (1 + 2^-9).
      // 2^-floor(log2 value) is at least 1 / value and costs no division; twice
      // that, and twice the bound of the logarithm, for the roundings here.
      const u64x2 exponent = bits<u64x2>(value) & 0x7ff0000000000000ull;
      e *= bits<f64x2>(0x7ff0000000000000ull - exponent);
      if constexpr (kNarrow) {
        const f64x2 log = logs.value[j];
        e += abs(log) * (2 * kLogError + Rounding::kOutward);
        if constexpr (Rounding::kLeast != 0) e += Rounding::kLeast;
        return {log - e, log + e, bits<u64x2>(~sure)};
      } else {
        // What log_quick is made for, and logarithms whose low parts are.
        const f64x2 log = logs.hi[j];
        const i64x2 normal = (value > splat(0x1p-900)) & (value < splat(0x1p900)) &
                             (abs(log) > splat(0x1p-900));
        e += abs(log) * (kLogQuickError * (1 + 0x1p-40)) + abs(logs.lo[j]) * 0x1p-52;
        return {log + (logs.lo[j] - e), log + (logs.lo[j] + e), bits<u64x2>(~(sure & normal))};
      }
    } else if constexpr (!kNarrow) {
      // As DoubleRounding::decide.
      const f64x2 e = magnitude * (bound.relative * (1 + 0x1p-49)) + abs(low_part) * 0x1p-52 +
                      (bound.underflow * (1 + 0x1p-49) + 0x1p-1073);
      return {value + (low_part - e), value + (low_part + e), {}};
    } else {
      const double least = bound.underflow + Rounding::kLeast;
      f64x2 e = kSquares ? value * (bound.relative + Rounding::kOutward)
                         : magnitude * bound.relative + abs(value) * Rounding::kOutward;
      if (Policy::kUnderflow != 0 || Rounding::kLeast != 0) e += least;
      // No sum of squares is below +0, and sums of zeros are common.
      const bool floor = kSquares && (Policy::kUnderflow != 0 || Rounding::kLeast != 0);
      const f64x2 low = value - e;
      return {floor ? select(low > f64x2{}, low, f64x2{}) : low, value + e, {}};
    }
  }

  static void round_exact(ExactSum& sum, ExactSum& scratch, std::byte* to) {
    const Bits result = static_cast<Bits>(round_exact_bits(sum, scratch));
    store(to, result);
  }

  static constexpr void complete(Kernels& k) {
    k.finalize = finalize;
    if (kNarrow) k.round_sums = round_sums;
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
