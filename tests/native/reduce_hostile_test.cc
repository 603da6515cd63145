// Sums made to be hard: ties, ties broken by one far tiny term, cancellation to
// the last bit, sums next to 1. They stand in long slices, at any place, in
// every layout, so that the fallback to exact arithmetic is forced everywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "support/hard_sums.h"
#include "support/matrix.h"

namespace onnx_reduce::testing {
namespace {

class ReduceHostile : public OperatorTypeTest {
 protected:
  uint64_t power(int e) const {
    // 2^e of the type, or the smallest subnormal where that is too small.
    const int biased = e + type().emax;
    if (biased > 2 * type().emax) return infinity_of(type()) - 1;
    if (biased >= 1) return static_cast<uint64_t>(biased) << (type().precision - 1);
    const int place = biased - 1 + type().precision - 1;
    return place < 0 ? 1 : uint64_t{1} << place;
  }

  // Puts the given elements at random places of a slice of n zeros, and noise
  // that cancels beside them.
  std::vector<uint64_t> hide(Random& random, std::vector<uint64_t> elements, size_t n, bool noise) {
    while (noise && elements.size() + 2 <= n) {
      const uint64_t x = static_cast<uint64_t>(random.below(static_cast<uint32_t>(2 * type().emax + 1)))
                             << (type().precision - 1) |
                         (random.next64() >> (65 - type().precision));
      elements.push_back(x);
      elements.push_back(x | sign_of(type()));
    }
    elements.resize(n, 0);
    for (size_t i = n; i > 1; --i) std::swap(elements[i - 1], elements[random.below(static_cast<uint32_t>(i))]);
    return elements;
  }

  // Deals slices to the places of a layout and verifies.
  void deal(const std::vector<std::vector<uint64_t>>& slices) {
    const auto m = static_cast<int64_t>(slices.size());
    const auto n = static_cast<int64_t>(slices[0].size());
    std::vector<uint64_t> expected;
    for (const auto& slice : slices) expected.push_back(expected_of(op(), type().type, slice));
    std::vector<Tensor> layouts = {tensor({m, n}, {0, 1}), tensor({n, m}, {1, 0})};
    if (n % 4 == 0) layouts.push_back(tensor({4, m, n / 4}, {1, 0, 1}));
    if (n % 4 == 0) layouts.push_back(tensor({n / 4, m, 4}, {1, 0, 1}));
    if (m % 2 == 0) layouts.push_back(tensor({2, n, m / 2}, {0, 1, 0}));
    if (m % 2 == 0 && n % 2 == 0) layouts.push_back(tensor({2, 2, m / 2, n / 2}, {1, 0, 0, 1}));
    for (Tensor& t : layouts) {
      t.bits.resize(static_cast<size_t>(n * m));
      const std::vector<int64_t> outputs = outputs_of_elements(t);
      std::vector<size_t> taken(slices.size(), 0);
      for (size_t i = 0; i < outputs.size(); ++i) {
        const auto output = static_cast<size_t>(outputs[i]);
        t.bits[i] = slices[output][taken[output]++];
      }
      ASSERT_EQ(verify(op(), t, expected), "");
    }
  }
};

TEST_P(ReduceHostile, TiesAndFarTerms) {
  if (op() != Operator::kReduceSumSquare) return;
  const int p = type().precision;
  for (const size_t n : {5u, 8u, 33u, 68u, 260u, 1000u}) {
    for (uint32_t round = 0; round < 8; ++round) {
      Random random(61, static_cast<uint32_t>(n * 100 + round));
      std::vector<std::vector<uint64_t>> slices;
      for (int i = 0; i < 10; ++i) {
        // 2^2a and half an ulp of it: one square where 2a - p is even, else two.
        const int a = random.between(type().emax < 20 ? 0 : 10, type().emax < 20 ? 6 : 50);
        std::vector<uint64_t> elements = {power(a)};
        const int half = 2 * a - p;
        if (half % 2 == 0) {
          elements.push_back(power(half / 2));
        } else {
          elements.insert(elements.end(), 2, power((half - 1) / 2));
        }
        // An ulp more, to round to the even neighbour above.
        if (random.below(2) && (half + 1) % 2 == 0) elements.push_back(power((half + 1) / 2));
        if (random.below(2)) elements.push_back(power(half / 2 - random.between(1, 2 * type().emax)));
        slices.push_back(hide(random, elements, n, false));
      }
      ASSERT_NO_FATAL_FAILURE(deal(slices));
    }
  }
}

// Sums of squares of full precision beside a tie: where a float64 sum keeps too
// few low bits, or trusts those it has too much.
TEST_P(ReduceHostile, FullSquaresNextToTies) {
  if (op() != Operator::kReduceSumSquare) return;
  for (uint32_t round = 0; round < 60; ++round) {
    Random random(67, round);
    const size_t count = 1 + random.below(round < 30 ? 20 : 300);
    std::vector<std::vector<uint64_t>> slices;
    size_t n = 4;
    for (int i = 0; i < 10; ++i) {
      slices.push_back(hard_square_sum(random, type(), count));
      n = std::max(n, slices.back().size());
    }
    n = (n + 3) / 4 * 4;
    for (auto& slice : slices) slice = hide(random, slice, n, false);
    ASSERT_NO_FATAL_FAILURE(deal(slices));
  }
}

// The first of 256 columns, the others zero, made as the core asks for it. (Fewer
// columns would be laid side by side.)
struct MadeColumn {
  static constexpr int64_t kColumns = 256;
  int64_t rows;
  uint64_t first;
  uint64_t one;                // in every ninth row, `ones` times
  int64_t ones;
  std::vector<uint64_t> last;  // in the last rows
  size_t bytes;

  uint64_t at(int64_t row) const {
    const int64_t last_row = rows - static_cast<int64_t>(last.size());
    if (row == 0) return first;
    if (row >= last_row) return last[static_cast<size_t>(row - last_row)];
    return row % 9 == 8 && row / 9 < ones ? one : 0;
  }

  static void read(void* context, void* to, int64_t offset, int32_t count, int64_t stride, int32_t length) {
    const MadeColumn& column = *static_cast<const MadeColumn*>(context);
    auto* out = static_cast<uint8_t*>(to);
    std::memset(out, 0, static_cast<size_t>(count) * static_cast<size_t>(length) * column.bytes);
    for (int32_t r = 0; r < count; ++r) {
      const int64_t begin = offset + r * stride;
      for (int64_t i = (begin + kColumns - 1) / kColumns * kColumns; i < begin + length; i += kColumns) {
        const uint64_t bits = column.at(i / kColumns);
        std::memcpy(out + static_cast<size_t>(r * static_cast<int64_t>(length) + i - begin) * column.bytes, &bits, column.bytes);
      }
    }
  }
};

// 2^60, then very many terms of which each block's sum, a thousand rows, is below
// half a last place of it in float64, 2^7: what is rounded off must be kept, as all
// of it decides. It is more than twice the error bound, 2^17.
TEST_P(ReduceHostile, ManyTermsBelowTheLastPlace) {
  if (op() != Operator::kReduceSumSquare || type().bytes == 8) return;
  const TypeInfo& t = type();
  // In units of 2^-30 for float16, whose squares end at 2^32.
  const bool half_precision = t.type == Type::k_float16;
  const auto scaled = [&](uint64_t bits) {
    if (!half_precision) return bits;
    const uint64_t biased = bits >> 10;
    // Below 2^-14 the implicit bit shows.
    return biased > 15 ? bits - (uint64_t{15} << 10) : ((bits & 0x3ff) | 0x400) >> (16 - biased);
  };
  constexpr int64_t kOnes = 280000, kBeyondTie = 140000;
  const uint64_t tie = uint64_t{1} << (60 - t.precision);
  // The larger ones last, as they would lift the sum beyond the lost terms.
  std::vector<uint64_t> last;
  for (const uint64_t bits : squares_of(t, tie + kBeyondTie - kOnes)) last.push_back(scaled(bits));
  ASSERT_LT(last.size(), 1000u);
  MadeColumn column = {9 * kOnes + 1000, half_precision ? power(15) : power(30), scaled(one_of(t)), kOnes, last,
                       static_cast<size_t>(t.bytes)};
  std::vector<uint8_t> output(MadeColumn::kColumns * column.bytes);
  const std::unique_ptr<std::byte, void (*)(void*)> memory(
      static_cast<std::byte*>(std::aligned_alloc(64, kWorkspaceSize)), std::free);
  const int64_t dims[] = {column.rows, MadeColumn::kColumns};
  const uint8_t reduced[] = {1, 0};
  const Host host = {MadeColumn::read, nullptr, &column};
  const Request request = {op(), t.type, 2, dims, reduced, nullptr, output.data(), &host};
  ASSERT_EQ(reduce(request, {memory.get(), kWorkspaceSize}), Status::kOk);
  const std::vector<uint64_t> results = from_bytes(t.type, output.data(), MadeColumn::kColumns);
  EXPECT_EQ(results[0], power(half_precision ? 30 : 60) + 1);
  EXPECT_EQ(results[1], 0u);
}

TEST_P(ReduceHostile, CancellationToTheLastBit) {
  if (op() != Operator::kReduceLogSum) return;
  for (const size_t n : {4u, 7u, 32u, 66u, 257u, 1024u}) {
    for (uint32_t round = 0; round < 8; ++round) {
      Random random(62, static_cast<uint32_t>(n * 100 + round));
      std::vector<std::vector<uint64_t>> slices;
      for (int i = 0; i < 10; ++i) {
        const int places = type().precision + type().emax;
        std::vector<uint64_t> elements = {power(-random.between(0, places))};
        if (random.below(2)) elements.push_back(power(-random.between(0, places)) | sign_of(type()));
        slices.push_back(hide(random, elements, n, true));
      }
      ASSERT_NO_FATAL_FAILURE(deal(slices));
    }
  }
}

TEST_P(ReduceHostile, NextToOne) {
  if (op() != Operator::kReduceLogSum) return;
  for (const size_t n : {4u, 9u, 64u, 100u, 513u}) {
    for (uint32_t round = 0; round < 8; ++round) {
      Random random(63, static_cast<uint32_t>(n * 100 + round));
      std::vector<std::vector<uint64_t>> slices;
      for (int i = 0; i < 10; ++i) {
        std::vector<uint64_t> elements = {one_of(type())};
        const int far = random.between(1, type().emax + type().precision);
        elements.push_back(power(-far) | (random.below(2) ? sign_of(type()) : 0));
        if (random.below(2)) {
          elements.push_back(power(-random.between(1, type().emax + type().precision)));
        }
        slices.push_back(hide(random, elements, n, random.below(2) != 0));
      }
      ASSERT_NO_FATAL_FAILURE(deal(slices));
    }
  }
}

TEST_P(ReduceHostile, LogarithmsNextToTies) {
  if (op() != Operator::kReduceLogSum) return;
  // A thousand bits for each logarithm of float64 take their time.
  const uint32_t rounds = type().bytes == 8 ? 8 : 40;
  for (uint32_t round = 0; round < rounds; ++round) {
    Random random(66, round);
    std::vector<std::vector<uint64_t>> slices;
    size_t n = 4 + random.below(30);
    for (int i = 0; i < 10; ++i) {
      slices.push_back(hard_log_sum(random, type()));
      n = std::max(n, slices.back().size());
    }
    n = (n + 3) / 4 * 4;
    for (auto& slice : slices) slice = hide(random, slice, n, random.below(3) == 0);
    ASSERT_NO_FATAL_FAILURE(deal(slices));
  }
}

// As close to a tie as a double-double logarithm is wrong.
TEST_P(ReduceHostile, LogarithmsAsCloseAsADoubleDouble) {
  if (op() != Operator::kReduceLogSum || type().bytes < 8) return;
  for (uint32_t round = 0; round < 20000; ++round) {
    Random random(68, round);
    Tensor t = tensor({0}, {1});
    t.bits = hard_log_sum(random, type(), random.between(101, 104));
    t.dims[0] = static_cast<int64_t>(t.bits.size());
    ASSERT_EQ(run(op(), t).bits, expected_of(op(), t)) << describe(op(), t);
  }
}

// Squares that underflow to nothing, one by one, and together make a result.
TEST_P(ReduceHostile, ManySquaresBelowTheSmallestNumber) {
  if (op() != Operator::kReduceSumSquare) return;
  const int half = -type().emax - type().precision + 1;  // of the smallest subnormal
  const int root = (half - 16) / 2 - 1;
  const int64_t n = int64_t{1} << (half - 2 * root);
  for (const int64_t more : {0, 1}) {
    Tensor t = tensor({n + more}, {1});
    t.bits.assign(static_cast<size_t>(n + more), power(root));
    ASSERT_EQ(verify(op(), t, {static_cast<uint64_t>(more)}), "");
  }
}

// Sums that stay what they are in exact arithmetic only: a huge number, ones,
// and the huge number taken back.
TEST_P(ReduceHostile, AbsorbedTerms) {
  if (op() != Operator::kReduceLogSum) return;
  for (const size_t n : {16u, 100u, 700u, 4096u}) {
    std::vector<std::vector<uint64_t>> slices;
    for (uint32_t i = 0; i < 6; ++i) {
      Random random(64, static_cast<uint32_t>(n) + i);
      std::vector<uint64_t> slice(n, one_of(type()));
      const size_t first = random.below(static_cast<uint32_t>(n / 2));
      const size_t second = n / 2 + random.below(static_cast<uint32_t>(n / 2));
      slice[first] = infinity_of(type()) - 1;
      slice[second] = (infinity_of(type()) - 1) | sign_of(type());
      slices.push_back(slice);
    }
    ASSERT_NO_FATAL_FAILURE(deal(slices));
  }
}

// How often the exact way is taken: always where nothing else can decide, and
// hardly ever on ordinary data.
TEST_P(ReduceHostile, FallbackIsTakenWhereItMustBe) {
  const TypeInfo& t = type();
  Random random(65, static_cast<uint32_t>(t.type));
  Tensor ordinary = tensor({4000, 50}, {0, 1});
  ordinary.bits = corpus_values(random, t, 2, elements(ordinary));
  const Outcome calm = run(op(), ordinary);
  EXPECT_EQ(calm.statistics.results, 4000);
  // Below 1 in 10^4.
  EXPECT_EQ(calm.statistics.undecided, 0);

  for (const auto& [dims, reduced] :
       {std::pair{std::vector<int64_t>{1024}, std::vector<uint8_t>{1}},
        std::pair{std::vector<int64_t>{50, 1024}, std::vector<uint8_t>{0, 1}},
        std::pair{std::vector<int64_t>{1024, 50}, std::vector<uint8_t>{1, 0}},
        std::pair{std::vector<int64_t>{50, 8}, std::vector<uint8_t>{0, 1}},
        std::pair{std::vector<int64_t>{8, 50}, std::vector<uint8_t>{1, 0}},
        std::pair{std::vector<int64_t>{5, 64, 10}, std::vector<uint8_t>{0, 1, 0}},
        std::pair{std::vector<int64_t>{32, 50, 32}, std::vector<uint8_t>{1, 0, 1}}}) {
    Tensor hard = tensor(dims, reduced);
    hard.bits.assign(elements(hard), 0);
    const std::vector<int64_t> outputs = outputs_of_elements(hard);
    std::vector<int> met(static_cast<size_t>(output_count(hard)), 0);
    for (size_t i = 0; i < outputs.size(); ++i) {
      const int nth = met[static_cast<size_t>(outputs[i])]++;
      if (op() == Operator::kReduceLogSum) {
        // All cancels but the smallest number.
        if (nth == 0) hard.bits[i] = infinity_of(t) - 1;
        if (nth == 5) hard.bits[i] = (infinity_of(t) - 1) | sign_of(t);
        if (nth == 3) hard.bits[i] = 1;
      } else {
        // 1, half an ulp, and the smallest number.
        const int half = -t.precision;
        if (nth == 0) hard.bits[i] = one_of(t);
        if (nth == 3 || (nth == 4 && half % 2)) hard.bits[i] = power((half - (half % 2 ? 1 : 0)) / 2);
        if (nth == 6) hard.bits[i] = 1;
      }
    }
    ASSERT_EQ(verify(op(), hard), "");
    const Outcome outcome = run(op(), hard);
    EXPECT_EQ(outcome.statistics.results, output_count(hard)) << describe(op(), hard);
    // float16 has so few exponents that float64 sums them exactly enough.
    if (t.type == Type::k_float16) continue;
    EXPECT_EQ(outcome.statistics.undecided, output_count(hard)) << describe(op(), hard);
  }
}

ONNX_REDUCE_MATRIX(ReduceHostile, kFloatCount);

TEST(ReduceIntegers, LogarithmsNextToPowersOfE) {
  for (const Type type : {Type::k_int32, Type::k_uint32, Type::k_int64, Type::k_uint64}) {
    const uint64_t most = info_of(type).bytes == 8 ? 48 : 26;
    for (uint64_t k = 1; k <= most; ++k) {
      for (const uint64_t less : {0u, 1u}) {
        // In 300 terms, so that none leaves its type.
        const unsigned __int128 total = ceiling_of_power(k) - less;
        Tensor t{type, {300}, {1}, std::vector<uint64_t>(300, static_cast<uint64_t>(total / 300))};
        t.bits[7] += static_cast<uint64_t>(total % 300);
        ASSERT_EQ(verify(Operator::kReduceLogSum, t, {k - less}), "");
      }
    }
  }
}

TEST(ReduceIntegers, SumsBeyondSixtyFourBits) {
  for (const Type type : {Type::k_int64, Type::k_uint64}) {
    const TypeInfo& t = info_of(type);
    const uint64_t top = t.is_signed ? sign_of(t) - 1 : ~uint64_t{0};
    for (const int64_t n : {2, 3, 9, 64, 1000, 70000}) {
      for (const auto& [dims, reduced] :
           {std::pair{std::vector<int64_t>{n}, std::vector<uint8_t>{1}},
            std::pair{std::vector<int64_t>{n, 3}, std::vector<uint8_t>{1, 0}},
            std::pair{std::vector<int64_t>{3, n}, std::vector<uint8_t>{0, 1}}}) {
        size_t count = 1;
        for (const int64_t dim : dims) count *= static_cast<size_t>(dim);
        Tensor full{type, dims, reduced, std::vector<uint64_t>(count, top)};
        ASSERT_EQ(verify(Operator::kReduceLogSum, full), "");
        if (!t.is_signed) continue;
        // Lowest values: far below zero. And highest and lowest by turns.
        full.bits.assign(count, sign_of(t));
        ASSERT_EQ(verify(Operator::kReduceLogSum, full), "");
        for (size_t i = 0; i < count; i += 2) full.bits[i] = top;
        ASSERT_EQ(verify(Operator::kReduceLogSum, full), "");
      }
    }
  }
}

}  // namespace
}  // namespace onnx_reduce::testing
