// Every operator and type over layouts: all masks of reduced axes, dims of 1
// and 0, rank 0, rank 10 and rank 64, and the shared corpus.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/matrix.h"

namespace onnx_reduce::testing {
namespace {

class ReduceLayouts : public OperatorTypeTest {
 protected:
  void check(std::vector<int64_t> dims, std::vector<uint8_t> reduced, Random& random) {
    Tensor t = tensor(std::move(dims), std::move(reduced));
    const int kind = static_cast<int>(random.below(static_cast<uint32_t>(kinds())));
    t.bits = corpus_values(random, type(), kind, elements(t));
    ASSERT_EQ(verify(op(), t), "") << "kind " << kind;
  }

  void check_all_masks(const std::vector<int64_t>& dims, Random& random) {
    for (uint32_t mask = 0; mask < 1u << dims.size(); ++mask) {
      std::vector<uint8_t> reduced(dims.size());
      for (size_t axis = 0; axis < dims.size(); ++axis) reduced[axis] = mask >> axis & 1;
      ASSERT_NO_FATAL_FAILURE(check(dims, reduced, random));
    }
  }
};

TEST_P(ReduceLayouts, AllMasks) {
  Random random(21, static_cast<uint32_t>(type().type));
  for (const auto& dims : std::vector<std::vector<int64_t>>{
           {}, {1}, {5}, {7, 9}, {3, 4, 5}, {2, 3, 4, 5}, {3, 2, 5, 2, 7}, {2, 1, 3, 1, 2, 2},
           {17, 33, 5}, {4, 3, 16, 16}, {2, 65, 3, 9}}) {
    check_all_masks(dims, random);
  }
}

TEST_P(ReduceLayouts, DimsOfZeroAndOne) {
  Random random(22, static_cast<uint32_t>(type().type));
  for (const auto& dims : std::vector<std::vector<int64_t>>{
           {0}, {2, 0}, {0, 3}, {2, 0, 4}, {0, 0}, {1, 0, 1}, {1, 1, 1}, {1, 5, 1, 3, 1},
           {3, 1, 0, 2}}) {
    check_all_masks(dims, random);
  }
}

TEST_P(ReduceLayouts, RankTenAndSixtyFour) {
  Random random(23, static_cast<uint32_t>(type().type));
  for (int round = 0; round < 20; ++round) {
    std::vector<int64_t> dims(10);
    std::vector<uint8_t> reduced(10);
    for (int axis = 0; axis < 10; ++axis) {
      dims[static_cast<size_t>(axis)] = 1 + random.below(3);
      reduced[static_cast<size_t>(axis)] = static_cast<uint8_t>(random.below(2));
    }
    ASSERT_NO_FATAL_FAILURE(check(dims, reduced, random));
  }
  std::vector<int64_t> dims(kMaxRank, 1);
  std::vector<uint8_t> reduced(kMaxRank, 0);
  for (size_t axis = 0; axis < kMaxRank; axis += 5) dims[axis] = 2;
  for (size_t axis = 0; axis < kMaxRank; axis += 10) reduced[axis] = 1;
  check(dims, reduced, random);
}

// [2]*16 alternating: as many merged axes as a small tensor can have.
TEST_P(ReduceLayouts, ManyAlternatingAxes) {
  Random random(24, static_cast<uint32_t>(type().type));
  for (const int first : {0, 1}) {
    std::vector<uint8_t> reduced(16);
    for (int axis = 0; axis < 16; ++axis) reduced[static_cast<size_t>(axis)] = (axis + first) & 1;
    ASSERT_NO_FATAL_FAILURE(check(std::vector<int64_t>(16, 2), reduced, random));
  }
}

TEST_P(ReduceLayouts, ImagesAndAlternatingRankFive) {
  Random random(25, static_cast<uint32_t>(type().type));
  check({4, 8, 14, 14}, {1, 0, 1, 1}, random);
  check({4, 14, 14, 8}, {1, 1, 1, 0}, random);
  check({2, 3, 64, 65}, {0, 1, 0, 0}, random);
  check({5, 6, 7, 8, 9}, {1, 0, 1, 0, 1}, random);
  check({5, 6, 7, 8, 9}, {0, 1, 0, 1, 0}, random);
  for (int64_t inner = 1; inner <= 20; ++inner) {
    check({1000, inner}, {0, 1}, random);
    check({1000, inner}, {1, 0}, random);
    check({40, 25, inner}, {1, 0, 1}, random);
    check({40, 25, inner}, {0, 1, 0}, random);
  }
}

// One slice must give the same bits wherever its elements lie.
TEST_P(ReduceLayouts, BitsDoNotDependOnTheLayout) {
  Random random(26, static_cast<uint32_t>(type().type));
  const int64_t n = 720;
  for (int kind = 0; kind < kinds(); ++kind) {
    Tensor flat = tensor({n}, {1});
    flat.bits = corpus_values(random, type(), kind, n);
    const std::vector<uint64_t> once = run(op(), flat).bits;
    // As column or row 1 of 3, the others NaN or anything.
    for (const bool column : {false, true}) {
      Tensor t = column ? tensor({n, 3}, {1, 0}) : tensor({3, n}, {0, 1});
      t.bits = corpus_values(random, type(), 0, 3 * n);
      for (int64_t i = 0; i < n; ++i) {
        t.bits[static_cast<size_t>(column ? 3 * i + 1 : n + i)] = flat.bits[static_cast<size_t>(i)];
      }
      EXPECT_EQ(run(op(), t).bits[1], once[0]) << describe(op(), t);
    }
    // In another order and split over more axes.
    for (const auto& dims : {std::vector<int64_t>{8, 9, 10}, {2, 2, 2, 3, 3, 2, 5}, {24, 30}}) {
      Tensor t = tensor(dims, std::vector<uint8_t>(dims.size(), 1));
      t.bits.assign(flat.bits.rbegin(), flat.bits.rend());
      EXPECT_EQ(run(op(), t).bits, once) << describe(op(), t);
    }
  }
}

ONNX_REDUCE_MATRIX(ReduceLayouts, kTypeCount);

TEST(ReduceCorpus, FirstCasesOfSeedOne) {
  for (uint32_t i = 0; i < 600; ++i) {
    const CorpusCase c = corpus_case(1, i);
    ASSERT_EQ(verify(c.op, c.tensor), "") << "corpus case " << i;
  }
}

}  // namespace
}  // namespace onnx_reduce::testing
