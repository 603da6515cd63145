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
  // An infinite or NaN magnitude keeps the rounding test from trusting such a sum.
  if (!is_finite(total)) return {{total, 0}, total * total};
  return {add(DoubleDouble<double>{sum.hi[0], sum.lo[0]},
              DoubleDouble<double>{sum.hi[1], sum.lo[1]}),
          magnitude[0] + magnitude[1]};
}

// ---------------------------------------------------------------------------

// ln of the sum within e of a + third, a normalised double-double and what may
// be known beyond it. `estimate` is that logarithm, within kEstimateError.
template <bool kNarrow>
inline constexpr double kEstimateError = kNarrow ? 2 * kLogError : kLogQuickError * (1 + 0x1p-40);
template <typename Rounding>
ONNX_REDUCE_OUTLINE bool decide_log(DoubleDouble<double> a, double third, double e,
                                    DoubleDouble<double> estimate, typename Rounding::Bits* to) {
  if (a.hi + (a.lo + e) * (1 + 0x1p-50) < 0) {
    *to = Rounding::round(__builtin_nan(""));
    return true;
  }
  if (a.hi == 1 && a.lo == 0 && e == 0) {
    *to = 0;
    return true;
  }
  // Written so that NaN and too wide an interval are undecided. An infinite
  // sum cannot come here. What is left to the exact way: inexact sums next to
  // the smallest normal, and logarithms so small that their low parts underflow.
  if (!(a.hi > (e == 0 ? 0 : 0x1p-900) && e <= a.hi * 0x1p-10)) return false;
  // |ln(1 + d)| <= |d| (1 + 2^-9) for |d| <= 2^-10.
  const double moved = e / a.hi * (1 + 0x1p-8);
  if (a.hi > 0x1p-900 && a.hi < 0x1p900) {
    if (!(__builtin_fabs(estimate.hi) > 0x1p-900)) return false;
    constexpr bool kNarrow = sizeof(*to) < 8;
    const double error = __builtin_fabs(estimate.hi) * kEstimateError<kNarrow>;
    if (Rounding::decide(estimate, moved + error, to)) return true;
    // Where a better logarithm would not help, or hardly.
    if (moved > error * (kNarrow ? 64 : 1)) return false;
  }
  DoubleDouble<double> l = log(a);
  l.lo += third / a.hi;
  return Rounding::decide(l, moved + __builtin_fabs(l.hi) * kLogDoubleDoubleError, to);
}

// The logarithms of a batch of narrow sums.
__attribute__((noinline)) inline void log_batch(const double* from, int64_t count, f64x2* to) {
  f64x2 k[32];
#pragma clang loop unroll(disable)
  for (int64_t j = 0; j < count / 2; ++j) {
    const LogParts parts = log_parts(load<f64x2>(from + 2 * j), kLogConstants);
    k[j] = parts.k;
    to[j] = parts.s;
  }
#pragma clang loop unroll(disable)
  for (int64_t j = 0; j < count / 2; ++j) to[j] = log_of_parts(k[j], to[j], kLogConstants);
}

// Makes exact terms of elements; see ExactLanes.
template <typename Policy>
struct ExactTerms {
  using Element = typename Policy::Element;

  ONNX_REDUCE_INLINE static void make_one(const std::byte* from, double* to) {
    const double x = Policy::widen(load<Element>(from));
    if constexpr (Policy::kExactTerms) {
      *to = Policy::kSquares ? x * x : x;
    } else {
      // Far from both ends no product of the parts overflows or underflows.
      const double magnitude = __builtin_fabs(x);
      const bool middling = (magnitude > 0x1p-450 && magnitude < 0x1p500) || x == 0;
      const DoubleDouble<double> square = two_product(x, x);
      to[0] = middling ? square.hi : __builtin_nan("");
      to[ExactLanes::kLanes] = middling ? square.lo : x;
    }
  }

  static void make(const std::byte* const* from, int32_t lanes, int32_t count, int64_t stride,
                   double* terms) {
    constexpr int kRow = ExactLanes::kLanes * (Policy::kExactTerms ? 1 : 2);
    const int64_t step = stride * static_cast<int64_t>(sizeof(Element));
    for (int32_t k = 0; k < lanes; ++k) {
      const std::byte* p = from[k];
#pragma clang loop unroll(disable) vectorize(disable)
      for (int32_t i = 0; i < count; ++i) make_one(p + i * step, terms + i * kRow + k);
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
  ONNX_REDUCE_INLINE static bool decide(double hi, double lo, double third, double e,
                                        DoubleDouble<double> log, Bits* to) {
    if (!is_finite(hi)) {
      if (Policy::kOverflows) return false;  // it may cancel, or be ours
      *to = Rounding::round(kLog && hi < 0 ? __builtin_nan("") : hi);
      return true;
    }
    const DoubleDouble<double> a = fast_two_sum(hi, lo);
    if constexpr (kLog) {
      if (a.hi == 0 && e == 0) {  // a zero, or every element is
        *to = Rounding::round(-kInfinity);
        return true;
      }
      return decide_log<Rounding>(a, third, e, log, to);
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
    // A single term is exact as it stands, but for the square of a float64; so is
    // what needs no summing.
    return {terms > (kSquares && !kNarrow ? 0 : 1) ? Policy::kBound : 0,
            Policy::kUnderflow * static_cast<double>(terms)};
  }

  static int64_t finalize(Partials from, int64_t count, int64_t terms, const double* rest,
                          std::byte* to, int64_t first, uint32_t* undecided) {
    Bits* results = reinterpret_cast<Bits*>(to) + first;
    const Bounds bound = bounds(terms);
    int64_t left = 0;
    for (int64_t i = 0; i < count; i += kBatch) {
      const int32_t now = static_cast<int32_t>(count - i < kBatch ? count - i : kBatch);
      Logs logs;
      // Whole fours, as partials have room for.
      if constexpr (kLog) {
        const int32_t filled = (now + 3) & ~3;
        logs.fill(from, i, filled);
        for (int32_t j = 0; rest && j < filled; j += 2) {
          logs.correct(j / 2, load<f64x2>(rest + i + j) / load<f64x2>(from.hi + i + j));
        }
      }
      // Those that the test leaves are listed first: a call in this loop would
      // have engines keep its constants in memory.
      int32_t failed[kBatch / 4];
      int32_t failures = 0;
      int32_t j = 0;
#pragma clang loop unroll(disable)
      for (; j + 4 <= now; j += 4) {
        if (decide_four(from, i + j, logs, j / 2, bound, results + i + j)) continue;
        failed[failures++] = j;
      }
      if (j < now) failed[failures++] = j;
      for (int32_t k = 0; k < failures; ++k) {
        j = failed[k];
        left += decide_apart(from, i + j, now - j < 4 ? now - j : 4, terms, rest, logs, j,
                             results, first, undecided + left);
      }
    }
    return left;
  }

  static constexpr int64_t kBatch = 64;

  // The logarithms of a batch. `correct` adds what sums have beyond those that
  // they were made of: ln(x + r) = ln x + r / x, up to (r / x)^2.
  struct NoLogs {};
  struct NarrowLogs {
    f64x2 value[kBatch / 2];
    ONNX_REDUCE_INLINE void fill(Partials from, int64_t i, int64_t count) {
      log_batch(from.hi + i, count, value);
    }
    ONNX_REDUCE_INLINE void correct(int32_t j, f64x2 by) { value[j] += by; }
    ONNX_REDUCE_INLINE DoubleDouble<double> of(int32_t j) const { return {value[j / 2][j % 2], 0}; }
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
    ONNX_REDUCE_INLINE void correct(int32_t j, f64x2 by) { lo[j] += by; }
    ONNX_REDUCE_INLINE DoubleDouble<double> of(int32_t j) const {
      return {hi[j / 2][j % 2], lo[j / 2][j % 2]};
    }
  };
  using Logs = std::conditional_t<!kLog, NoLogs, std::conditional_t<kNarrow, NarrowLogs, DoubleLogs>>;

  ONNX_REDUCE_OUTLINE static int64_t decide_apart(Partials from, int64_t i, int64_t count, int64_t terms,
                                                  const double* rest, const Logs& logs, int32_t j,
                                                  Bits* results, int64_t first, uint32_t* undecided) {
    const Bounds bound = bounds(terms);
    int64_t left = 0;
    for (; count > 0; --count, ++i, ++j) {
      const double magnitude = kSquares ? from.hi[i] : from.magnitude[i];
      // A single square has underflowed only if it is small.
      const bool exact = kNarrow && terms == 1 && from.hi[i] >= 0x1p-126;
      const double e = magnitude < Policy::kExactBelow ? 0 : magnitude * bound.relative + (exact ? 0 : bound.underflow);
      const double more = rest ? rest[i] : 0;
      const double lo = kNarrow ? more : from.lo[i];
      const double third = kNarrow ? 0 : more;
      // No format decides what may lie on either side of ln 1.
      bool at_one = false;
      DoubleDouble<double> log = {};
      if constexpr (kLog) {
        log = logs.of(j);
        at_one = e != 0 && __builtin_fabs((from.hi[i] - 1) + lo) <= e;
      }
      if (!at_one && decide(from.hi[i], lo, third, e, log, results + i)) continue;
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
    f64x2 e = magnitude * bound.relative;
    if constexpr (Policy::kExactBelow != 0) {
      e = bits<f64x2>(bits<i64x2>(e) & (magnitude >= splat(Policy::kExactBelow)));
    }
    if constexpr (kLog) {
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
        e += abs(log) * (kEstimateError<true> + Rounding::kOutward);
        if constexpr (Rounding::kLeast != 0) e += Rounding::kLeast;
        return {log - e, log + e, bits<u64x2>(~sure)};
      } else {
        // What log_quick is made for, and logarithms whose low parts are.
        const f64x2 log = logs.hi[j];
        const i64x2 normal = (value > splat(0x1p-900)) & (value < splat(0x1p900)) &
                             (abs(log) > splat(0x1p-900));
        e += abs(log) * kEstimateError<false> + abs(logs.lo[j]) * 0x1p-52;
        return {log + (logs.lo[j] - e), log + (logs.lo[j] + e), bits<u64x2>(~(sure & normal))};
      }
    } else if constexpr (!kNarrow) {
      // As DoubleRounding::decide.
      e = e * (1 + 0x1p-49) + abs(low_part) * 0x1p-52 +
          (bound.underflow * (1 + 0x1p-49) + 0x1p-1073);
      return {value + (low_part - e), value + (low_part + e), {}};
    } else {
      const double least = bound.underflow + Rounding::kLeast;
      e += (kSquares ? value : abs(value)) * Rounding::kOutward;
      if (Policy::kUnderflow != 0 || Rounding::kLeast != 0) e += least;
      // No sum of squares is below +0, and sums of zeros are common.
      const bool floor = kSquares && (Policy::kUnderflow != 0 || Rounding::kLeast != 0);
      const f64x2 low = value - e;
      return {floor ? select(low > f64x2{}, low, f64x2{}) : low, value + e, {}};
    }
  }

  static constexpr void complete(Kernels& k) {
    k.finalize = finalize;
    if (kNarrow) k.round_sums = round_sums;
    k.format = &Rounding::kFormat;
    k.log = kLog;
    k.split_squares = !Policy::kExactTerms;
    k.exact_terms = ExactTerms<Policy>::make;
  }
};

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_FLOAT_RESULTS_H_
