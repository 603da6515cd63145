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

// Partials of 128 bits.
template <typename Long>
struct IntegerMerge {
  ONNX_REDUCE_OUTLINE static void add(Partials to, int64_t i, Int128 from) {
    Int128 sum = {to.low()[i], to.high()[i]};
    sum.add(from.low, from.high);
    set(to, i, sum);
  }
  ONNX_REDUCE_INLINE static void set(Partials to, int64_t i, Int128 from) {
    to.low()[i] = from.low;
    to.high()[i] = from.high;
  }
  ONNX_REDUCE_INLINE static void set(Partials to, int64_t i, Int128Pair from) {
    set(to, i, from.a);
    set(to, i + 1, from.b);
  }
  static void add_row(Partials to, int64_t i, const Long& from) { add(to, i, sum_lanes(from)); }
  static void add_lane(Partials to, int64_t i, const Long& from, int k) {
    add(to, i, from.lane(k));
  }
  ONNX_REDUCE_INLINE static void set_group(Partials to, int64_t i, const Long& from) {
    for (int k = 0; k < Long::kLanes; ++k) set(to, i + k, from.lane(k));
  }
  ONNX_REDUCE_OUTLINE static void merge_all(Partials from, int64_t count, Partials to) {
    for (int64_t i = 0; i < count; ++i) add(to, i, {from.low()[i], from.high()[i]});
  }
};

// Integer is the result's type.
template <typename Integer, bool kLog>
struct IntegerResult {
  static int64_t finalize(Partials from, int64_t count, int64_t, const double*, std::byte* to,
                          int64_t first, uint32_t*) {
    using Unsigned = std::make_unsigned_t<Integer>;
    Integer* results = reinterpret_cast<Integer*>(to) + first;
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

  static constexpr void complete(Kernels& k) { k.finalize = finalize; }
};

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_INTEGER_RESULTS_H_
