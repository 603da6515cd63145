// From unfinished integer sums to results.
#ifndef ONNX_REDUCE_INTEGER_RESULTS_H_
#define ONNX_REDUCE_INTEGER_RESULTS_H_

#include <limits>
#include <type_traits>

#include "exp_ceilings.h"
#include "integer_sums.h"
#include "kernels.h"

namespace onnx_reduce {

// floor(ln n) of a positive integer.
inline int floor_log(Int128 n) {
  const uint64_t high = static_cast<uint64_t>(n.high);
  const int bit = high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(n.low);
  // floor(bit * ln 2) is a lower bound, at most two below.
  int k = bit * 709 >> 10;
  while (k < kExpCeilings && (high > kExpCeiling[k].high ||
                              (high == kExpCeiling[k].high && n.low >= kExpCeiling[k].low))) {
    ++k;
  }
  return k;
}

// Integer is the result's type.
template <typename Policy, typename Integer, bool kLog>
struct IntegerResult {
  template <typename Long>
  ONNX_REDUCE_INLINE static Int128 fold_lanes(const Long& from) {
    Int128 sum = from.lane(0);
    for (int k = 1; k < Policy::kStep; ++k) {
      const Int128 lane = from.lane(k);
      sum.add(lane.low, lane.high);
    }
    return sum;
  }
  ONNX_REDUCE_INLINE static void merge(Partials to, int64_t i, Int128 from) {
    Int128 sum = {to.low()[i], to.high()[i]};
    sum.add(from.low, from.high);
    set(to, i, sum);
  }
  static void merge_all(Partials from, int64_t count, Partials to) {
    for (int64_t i = 0; i < count; ++i) merge(to, i, {from.low()[i], from.high()[i]});
  }
  ONNX_REDUCE_INLINE static void set(Partials to, int64_t i, Int128 from) {
    to.low()[i] = from.low;
    to.high()[i] = from.high;
  }
  template <typename Long>
  ONNX_REDUCE_INLINE static void add_row(Partials to, int64_t i, const Long& from) {
    merge(to, i, fold_lanes(from));
  }
  template <typename Short>
  ONNX_REDUCE_INLINE static void add_short_row(Partials to, int64_t i, const Short& from) {
    typename Policy::Long wide = {};
    Policy::flush(from, wide);
    add_row(to, i, wide);
  }
  template <typename Short>
  ONNX_REDUCE_INLINE static void set_short_row(Partials to, int64_t i, const Short& from) {
    typename Policy::Long wide = {};
    Policy::flush(from, wide);
    set(to, i, fold_lanes(wide));
  }
  template <typename Short>
  ONNX_REDUCE_INLINE static void set_short_pair(Partials to, int64_t i, const Short& a,
                                                const Short& b) {
    set_short_row(to, i, a);
    set_short_row(to, i + 1, b);
  }
  template <typename Long>
  ONNX_REDUCE_INLINE static void set_group(Partials to, int64_t i, const Long& from) {
    for (int k = 0; k < Policy::kStep; ++k) set(to, i + k, from.lane(k));
  }
  template <typename Long>
  ONNX_REDUCE_INLINE static void add_lane(Partials to, int64_t i, const Long& from, int k) {
    merge(to, i, from.lane(k));
  }
  template <typename Long>
  ONNX_REDUCE_INLINE static void set_lane(Partials to, int64_t i, const Long& from, int k) {
    set(to, i, from.lane(k));
  }

  static int64_t finalize(Partials from, int64_t count, int64_t, std::byte* to, uint32_t*) {
    using Unsigned = std::make_unsigned_t<Integer>;
    Integer* results = reinterpret_cast<Integer*>(to);
    for (int64_t i = 0; i < count; ++i) {
      const Int128 n = {from.low()[i], from.high()[i]};
      if constexpr (!kLog) {
        results[i] = static_cast<Integer>(static_cast<Unsigned>(n.low));
      } else if (n.high < 0 || (n.high == 0 && n.low == 0)) {
        results[i] = std::numeric_limits<Integer>::min();
      } else {
        results[i] = static_cast<Integer>(floor_log(n));
      }
    }
    return 0;
  }

  static constexpr void (*kAddExact)(ExactSum&, const std::byte*, int64_t, int64_t) = nullptr;
  static constexpr void (*kRoundExact)(ExactSum&, std::byte*) = nullptr;
};

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_INTEGER_RESULTS_H_
