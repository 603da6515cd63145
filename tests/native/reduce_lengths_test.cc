// Every operator and type over lengths: all the short ones (tails of vectors,
// unrolled loops, several streams) and those around powers of two (blocks).
#include <gtest/gtest.h>

#include "support/matrix.h"

namespace onnx_reduce::testing {
namespace {

class ReduceLengths : public OperatorTypeTest {};

TEST_P(ReduceLengths, ShortVectors) {
  Random random(11, static_cast<uint32_t>(type().type));
  for (int64_t n = 0; n <= 150; ++n) {
    for (int kind = 0; kind < kinds(); ++kind) {
      Tensor t = tensor({n}, {1});
      t.bits = corpus_values(random, type(), kind, elements(t));
      ASSERT_EQ(verify(op(), t), "") << "kind " << kind;
    }
  }
}

TEST_P(ReduceLengths, ShortRowsAndColumns) {
  Random random(12, static_cast<uint32_t>(type().type));
  for (int64_t n = 0; n <= 35; ++n) {
    for (const int64_t m : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 67}) {
      const int kind = static_cast<int>(random.below(static_cast<uint32_t>(kinds())));
      for (const auto& [dims, reduced] :
           {std::pair{std::vector<int64_t>{m, n}, std::vector<uint8_t>{0, 1}},
            std::pair{std::vector<int64_t>{n, m}, std::vector<uint8_t>{1, 0}},
            std::pair{std::vector<int64_t>{3, n, m}, std::vector<uint8_t>{0, 1, 0}},
            std::pair{std::vector<int64_t>{3, m, n}, std::vector<uint8_t>{1, 0, 1}}}) {
        Tensor t = tensor(dims, reduced);
        t.bits = corpus_values(random, type(), kind, elements(t));
        ASSERT_EQ(verify(op(), t), "") << "kind " << kind;
      }
    }
  }
}

TEST_P(ReduceLengths, AroundPowersOfTwo) {
  Random random(13, static_cast<uint32_t>(type().type));
  for (int power = 7; power <= 16; ++power) {
    for (int off = -1; off <= 1; ++off) {
      const int64_t n = (int64_t{1} << power) + off;
      const int kind = static_cast<int>(random.below(static_cast<uint32_t>(kinds())));
      std::vector<std::pair<std::vector<int64_t>, std::vector<uint8_t>>> shapes = {
          {{n}, {1}}, {{2, n}, {0, 1}}, {{n, 2}, {1, 0}}, {{3, 2, n}, {1, 0, 1}}};
      // Many outputs cost the oracle many logarithms.
      if (power <= 13 || off == 1) shapes.push_back({{2, n}, {1, 0}});
      if (power <= 13) shapes.push_back({{n, 3}, {0, 1}});
      if (power <= 12) shapes.push_back({{2, 3, n}, {0, 1, 0}});
      for (const auto& [dims, reduced] : shapes) {
        Tensor t = tensor(dims, reduced);
        t.bits = corpus_values(random, type(), kind, elements(t));
        ASSERT_EQ(verify(op(), t), "") << "kind " << kind;
      }
    }
  }
}

// Sizes that a piece, a block or a workspace could end at, beyond 2^16.
TEST_P(ReduceLengths, AcrossPieces) {
  Random random(14, static_cast<uint32_t>(type().type));
  for (const int64_t n : {131073, 200003, 262145}) {
    const int kind = static_cast<int>(random.below(static_cast<uint32_t>(kinds())));
    for (const auto& [dims, reduced] :
         {std::pair{std::vector<int64_t>{n}, std::vector<uint8_t>{1}},
          std::pair{std::vector<int64_t>{n / 3, 3}, std::vector<uint8_t>{1, 0}},
          std::pair{std::vector<int64_t>{3, n / 3}, std::vector<uint8_t>{1, 0}},
          std::pair{std::vector<int64_t>{n / 33, 33}, std::vector<uint8_t>{1, 0}}}) {
      Tensor t = tensor(dims, reduced);
      t.bits = corpus_values(random, type(), kind, elements(t));
      ASSERT_EQ(verify(op(), t), "") << "kind " << kind;
    }
  }
}

ONNX_REDUCE_MATRIX(ReduceLengths, kTypeCount);

}  // namespace
}  // namespace onnx_reduce::testing
