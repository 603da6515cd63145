// NaN, infinities and zeros at every position, and that they stay in their
// slice. What is expected follows from the rules alone, not from the oracle.
#include <gtest/gtest.h>

#include <tuple>

#include "support/matrix.h"

namespace onnx_reduce::testing {
namespace {

class ReduceSpecial : public OperatorTypeTest {
 protected:
  bool log() const { return op() == Operator::kReduceLogSum; }
  uint64_t nan() const { return nan_of(type()); }
  uint64_t inf() const { return infinity_of(type()); }
  uint64_t minus() const { return infinity_of(type()) | sign_of(type()); }
  uint64_t one() const { return one_of(type()); }

  // Results of a slice that holds finite numbers and these.
  uint64_t with(uint64_t special) const {
    if (special == inf()) return inf();
    if (special == minus()) return log() ? nan() : inf();
    return nan();
  }

  void expect(const Tensor& t, const std::vector<uint64_t>& expected) {
    ASSERT_EQ(verify(op(), t, expected), "");
  }
};

TEST_P(ReduceSpecial, AtEveryPositionOfAVector) {
  for (const size_t n : {1u, 2u, 3u, 4u, 7u, 8u, 9u, 16u, 31u, 33u, 64u, 65u, 129u, 300u}) {
    for (size_t at = 0; at < n; ++at) {
      for (const uint64_t special : {nan(), nan() | sign_of(type()), inf() + 1, inf(), minus()}) {
        Tensor t = tensor({static_cast<int64_t>(n)}, {1});
        t.bits.assign(n, one());
        t.bits[at] = special;
        ASSERT_NO_FATAL_FAILURE(expect(t, {with(special)}));
      }
    }
  }
}

TEST_P(ReduceSpecial, BothInfinities) {
  for (size_t first = 0; first < 40; ++first) {
    for (size_t second = 0; second < 40; ++second) {
      if (first == second) continue;
      Tensor t = tensor({40}, {1});
      t.bits.assign(40, one());
      t.bits[first] = inf();
      t.bits[second] = minus();
      ASSERT_NO_FATAL_FAILURE(expect(t, {log() ? nan() : inf()}));
      // A NaN beside them wins in every order.
      t.bits[(first + second) % 40] = nan();
      const uint64_t mixed = expected_of(op(), t)[0];
      ASSERT_NO_FATAL_FAILURE(expect(t, {mixed}));
    }
  }
}

TEST_P(ReduceSpecial, StaysInItsSlice) {
  // The long ones are summed in several blocks; four results beside one another
  // are finished together.
  for (const int64_t n : {1, 3, 8, 20, 70, 600, 1100, 2300}) {
    for (const int64_t m : {2, 4, 9, 18, 66}) {
      if (n > 70 && m > 9) continue;
      for (const bool column : {false, true}) {
        Tensor t = column ? tensor({n, m}, {1, 0}) : tensor({m, n}, {0, 1});
        t.bits.assign(static_cast<size_t>(n * m), one());
        const std::vector<uint64_t> clean = expected_of(op(), t);
        for (int64_t slice = 0; slice < m; ++slice) {
          const int64_t at = slice % n;
          const size_t index = static_cast<size_t>(column ? at * m + slice : slice * n + at);
          for (const uint64_t special : {nan(), inf(), minus()}) {
            t.bits[index] = special;
            std::vector<uint64_t> expected = clean;
            expected[static_cast<size_t>(slice)] = with(special);
            ASSERT_NO_FATAL_FAILURE(expect(t, expected));
          }
          t.bits[index] = one();
        }
      }
    }
  }
}

TEST_P(ReduceSpecial, ZerosOfBothSigns) {
  for (const int64_t n : {1, 2, 5, 16, 33, 1000}) {
    for (int mix = 0; mix < 3; ++mix) {
      Tensor t = tensor({n}, {1});
      t.bits.assign(static_cast<size_t>(n), 0);
      for (size_t i = 0; i < t.bits.size(); ++i) {
        if (mix == 1 || (mix == 2 && i % 3 == 1)) t.bits[i] = sign_of(type());
      }
      ASSERT_NO_FATAL_FAILURE(expect(t, {log() ? minus() : 0}));
    }
  }
}

TEST_P(ReduceSpecial, LogarithmOfOneZeroAndNegativeSums) {
  if (!log()) return;
  for (const int64_t n : {3, 5, 17, 40, 300}) {
    for (int64_t at = 0; at < n; ++at) {
      Tensor t = tensor({n}, {1});
      t.bits.assign(static_cast<size_t>(n), 0);
      t.bits[static_cast<size_t>(at)] = one();
      ASSERT_NO_FATAL_FAILURE(expect(t, {0}));  // ln 1 = +0
      t.bits[static_cast<size_t>((at + 1) % n)] = one() | sign_of(type());
      ASSERT_NO_FATAL_FAILURE(expect(t, {minus()}));
      t.bits[static_cast<size_t>((at + 2) % n)] = sign_of(type()) | 1;
      ASSERT_NO_FATAL_FAILURE(expect(t, {nan()}));
    }
  }
}

TEST_P(ReduceSpecial, OverflowOnlyOfTheResult) {
  const uint64_t top = inf() - 1;
  for (const int64_t n : {3, 5, 9, 33, 101, 1001, 5001}) {
    Tensor t = tensor({n}, {1});
    t.bits.assign(static_cast<size_t>(n), 0);
    // max, max, ..., -max, -max, ... and one max more.
    for (int64_t i = 0; i < n; ++i) {
      t.bits[static_cast<size_t>(i)] = top | (i > n / 2 ? sign_of(type()) : 0);
    }
    if (log()) {
      ASSERT_NO_FATAL_FAILURE(expect(t, {expected_of(op(), type().type, {top})}));
    } else {
      ASSERT_NO_FATAL_FAILURE(expect(t, {inf()}));
    }
  }
}

ONNX_REDUCE_MATRIX(ReduceSpecial, kFloatCount);

}  // namespace
}  // namespace onnx_reduce::testing
