// The exact accumulator against MPFR: adding, squares, carries, merging,
// rounding to every format, its byte form.
#include "exact_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "support/corpus.h"
#include "support/oracle.h"

namespace onnx_reduce::testing {
namespace {

const TypeInfo& kDouble = info_of(Type::k_float64);

double as_double(uint64_t b) {
  double x;
  std::memcpy(&x, &b, sizeof x);
  return x;
}

ExactSum sum_of(const std::vector<uint64_t>& values, bool square) {
  ExactSum sum;
  for (const uint64_t b : values) square ? sum.add_square(as_double(b)) : sum.add(as_double(b));
  return sum;
}

TEST(ExactSumTest, SquaresRoundAsMpfrDoes) {
  for (uint32_t round = 0; round < 3000; ++round) {
    Random random(31, round);
    const int kind = static_cast<int>(random.below(kFloatKinds));
    const std::vector<uint64_t> values =
        corpus_values(random, kDouble, kind, 1 + random.below(60));
    ExactSum sum = sum_of(values, true);
    ASSERT_EQ(sum.round(kBinary64),
              expected_of(Operator::kReduceSumSquare, Type::k_float64, values))
        << "round " << round;
  }
}

TEST(ExactSumTest, RoundsToEveryFormatOnce) {
  const Format formats[] = {kBinary32, kBinary64, kBinary16, kBfloat16};
  for (uint32_t round = 0; round < 20000; ++round) {
    Random random(32, round);
    // m * 2^e of up to 64 bits in two pieces that float64 holds; many of them
    // ties or next to ties of some format.
    uint64_t m = random.next64() >> random.below(64);
    if (random.below(2)) m = (m >> 30) << random.below(30);
    if (m == 0) m = 1;
    const TypeInfo& t = kTypes[random.below(kFloatCount)];
    const int reach = t.emax + t.precision + 4;
    int e = static_cast<int>(random.below(static_cast<uint32_t>(2 * reach))) - reach - 32;
    e = std::clamp(e, -1074, 900);
    const bool negative = random.below(2) != 0;
    const double high = static_cast<double>(m >> 32) * 0x1p32;
    const double low = static_cast<double>(m & 0xffffffffu);
    ExactSum sum;
    const double scale = as_double(static_cast<uint64_t>(std::max(1, e + 1023)) << 52);
    const double rest = e + 1023 < 1 ? std::ldexp(1.0, e + 1022) : 1.0;
    sum.add((negative ? -1 : 1) * high * scale * rest);
    sum.add((negative ? -1 : 1) * low * scale * rest);
    ASSERT_EQ(sum.round(formats[static_cast<int>(t.type)]), rounded(t.type, negative, m, e))
        << t.name << " m " << m << " e " << e;
  }
}

TEST(ExactSumTest, FarTermBreaksATie) {
  for (const int sign : {-1, 0, 1}) {
    for (const double tiny : {0x1p-60, 0x1p-200, 0x1p-1074}) {
      ExactSum sum;
      sum.add(1.0);
      sum.add(0x1p-53);
      sum.add(sign * tiny);
      EXPECT_EQ(sum.round(kBinary64), 0x3ff0000000000000u + (sign > 0 ? 1 : 0));
      ExactSum narrow;
      narrow.add(1.0 + 0x1p-7);
      narrow.add(0x1p-8);
      narrow.add(sign * tiny);
      EXPECT_EQ(narrow.round(kBfloat16), sign < 0 ? 0x3f81u : 0x3f82u);
    }
  }
}

TEST(ExactSumTest, CancelsToNothingAndToTheLastBit) {
  for (uint32_t round = 0; round < 500; ++round) {
    Random random(33, round);
    std::vector<uint64_t> values = corpus_values(random, kDouble, 10, 200);
    const std::vector<uint64_t> copy = values;
    for (const uint64_t b : copy) values.push_back(b ^ sign_of(kDouble));
    for (size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[random.below(static_cast<uint32_t>(i))]);
    }
    ExactSum sum = sum_of(values, false);
    ASSERT_EQ(sum.kind(), ExactSum::Kind::kFinite);
    ASSERT_EQ(sum.round(kBinary64), 0u);
    sum.add(-0x1p-1074);
    ASSERT_EQ(sum.round(kBinary64), sign_of(kDouble) | 1);
    ExactSum::Value value;
    sum.value(value);
    ASSERT_TRUE(value.negative);
    sum.add(0x1p-1073);
    ASSERT_EQ(sum.round(kBinary64), 1u);
  }
}

TEST(ExactSumTest, OrderAndMergingDoNotMatter) {
  for (uint32_t round = 0; round < 500; ++round) {
    Random random(34, round);
    const int kind = static_cast<int>(random.below(kFloatKinds));
    std::vector<uint64_t> values = corpus_values(random, kDouble, kind, 150);
    ExactSum whole = sum_of(values, false);
    uint8_t whole_bytes[ExactSum::kBytes];
    whole.to_bytes(whole_bytes);
    std::reverse(values.begin(), values.end());
    ExactSum parts[3];
    for (const uint64_t b : values) parts[random.below(3)].add(as_double(b));
    parts[1].merge(parts[2]);
    parts[0].merge(parts[1]);
    uint8_t merged_bytes[ExactSum::kBytes];
    parts[0].to_bytes(merged_bytes);
    ASSERT_EQ(std::memcmp(whole_bytes, merged_bytes, sizeof whole_bytes), 0) << "round " << round;
    for (const Format& format : {kBinary16, kBfloat16, kBinary32, kBinary64}) {
      ASSERT_EQ(whole.round(format), parts[0].round(format));
    }
  }
}

TEST(ExactSumTest, BytesRoundTrip) {
  for (uint32_t round = 0; round < 300; ++round) {
    Random random(35, round);
    const int kind = static_cast<int>(random.below(kFloatKinds));
    const bool square = random.below(2) != 0;
    const std::vector<uint64_t> values = corpus_values(random, kDouble, kind, 1 + random.below(90));
    ExactSum sum = sum_of(values, square);
    uint8_t bytes[ExactSum::kBytes];
    sum.to_bytes(bytes);
    ExactSum read;
    read.add(12345.0);  // what was there before must go
    ASSERT_TRUE(read.from_bytes(bytes));
    ASSERT_EQ(read.round(kBinary64), sum.round(kBinary64));
    ASSERT_EQ(read.kind(), sum.kind());
    // Reading goes on as the original would.
    read.add(-0.75);
    sum.add(-0.75);
    uint8_t again[ExactSum::kBytes];
    sum.to_bytes(bytes);
    read.to_bytes(again);
    ASSERT_EQ(std::memcmp(bytes, again, sizeof bytes), 0) << "round " << round;
  }
  uint8_t bytes[ExactSum::kBytes] = {};
  ExactSum sum;
  EXPECT_FALSE(sum.from_bytes(bytes));  // version 0
  bytes[0] = 1;
  EXPECT_TRUE(sum.from_bytes(bytes));
  EXPECT_EQ(sum.round(kBinary64), 0u);
  for (const auto& [at, value] : {std::pair{0, 2}, {1, 8}, {2, 1}, {3, 128}}) {
    uint8_t broken[ExactSum::kBytes] = {1};
    broken[at] = static_cast<uint8_t>(value);
    EXPECT_FALSE(sum.from_bytes(broken)) << at;
  }
}

// The value of the byte form by its documentation, not by the code.
TEST(ExactSumTest, BytesAreTwosComplementLittleEndian) {
  ExactSum sum;
  sum.add(-0x1p-1074);
  uint8_t bytes[ExactSum::kBytes];
  sum.to_bytes(bytes);
  const int bit = -1074 - ExactSum::kLowestExponent;
  for (int i = 0; i < 8 * 4 * ExactSum::kWords; ++i) {
    const bool set = bytes[4 + i / 8] >> (i % 8) & 1;
    ASSERT_EQ(set, i >= bit) << i;
  }
}

TEST(ExactSumTest, ManyAdditionsBeforeACarry) {
  ExactSum sum;
  constexpr int kTimes = 3 << 20;
  const double x = as_double(0x3fffffffffffffff);  // just below 2
  for (int i = 0; i < kTimes; ++i) sum.add(x);
  // 3 * 2^20 * (2^53 - 1) * 2^-52, which 64 bits do not hold: three thirds.
  ExactSum thirds;
  for (int i = 0; i < 3; ++i) thirds.add(0x1p20 * x);
  for (const Format& format : {kBinary64, kBinary32}) {
    EXPECT_EQ(sum.round(format), thirds.round(format));
  }
  thirds.add(-0x1p-1074);
  sum.add(-0x1p-1074);
  uint8_t one[ExactSum::kBytes], other[ExactSum::kBytes];
  sum.to_bytes(one);
  thirds.to_bytes(other);
  EXPECT_EQ(std::memcmp(one, other, sizeof one), 0);
}

TEST(ExactSumTest, LargestSquaresDoNotOverflowTheAccumulator) {
  ExactSum sum;
  const double top = std::numeric_limits<double>::max();
  for (int i = 0; i < 100000; ++i) sum.add_square(top);
  EXPECT_EQ(sum.kind(), ExactSum::Kind::kFinite);
  EXPECT_EQ(sum.round(kBinary64), infinity_of(kDouble));
  ExactSum::Value value;
  sum.value(value);
  EXPECT_FALSE(value.negative);
  EXPECT_LT(value.last, ExactSum::kWords);
}

TEST(ExactSumTest, SpecialValues) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  using Kind = ExactSum::Kind;
  const std::pair<std::vector<double>, Kind> cases[] = {
      {{}, Kind::kFinite},          {{1, inf}, Kind::kPlusInfinity},
      {{-inf, 2}, Kind::kMinusInfinity}, {{inf, -inf}, Kind::kNaN},
      {{-inf, inf, 1}, Kind::kNaN}, {{nan}, Kind::kNaN},
      {{inf, nan}, Kind::kNaN},     {{inf, inf}, Kind::kPlusInfinity}};
  for (const auto& [values, kind] : cases) {
    ExactSum sum;
    for (const double x : values) sum.add(x);
    EXPECT_EQ(sum.kind(), kind);
    ExactSum other;
    other.add(3);
    other.merge(sum);
    EXPECT_EQ(other.kind(), kind);
    sum.clear();
    EXPECT_EQ(sum.kind(), Kind::kFinite);
    EXPECT_EQ(sum.round(kBinary32), 0u);
  }
  ExactSum square;
  square.add_square(-inf);
  EXPECT_EQ(square.kind(), Kind::kPlusInfinity);
  ExactSum empty;
  EXPECT_EQ(empty.round(kBinary16), 0u);
}

}  // namespace
}  // namespace onnx_reduce::testing
