// The logarithms: the rounded one of exact sums, and the error bounds of the
// three fast ones, all against MPFR.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "exact_log.h"
#include "exp_ceilings.h"
#include "log.h"
#include "support/corpus.h"
#include "support/oracle.h"

namespace onnx_reduce::testing {
namespace {

double as_double(uint64_t b) {
  double x;
  std::memcpy(&x, &b, sizeof x);
  return x;
}

const Format kFormats[] = {kBinary32, kBinary64, kBinary16, kBfloat16};

// Rounds the logarithm of a sum to all four formats by the core. The oracle
// judges slices of one type, so each element is given as float64 and the oracle
// is asked for float64; narrower formats are judged in the reduce tests.
void check(const std::vector<uint64_t>& slice, const char* what) {
  ExactSum sum;
  for (const uint64_t b : slice) sum.add(as_double(b));
  const uint64_t expected = expected_of(Operator::kReduceLogSum, Type::k_float64, slice);
  ASSERT_EQ(round_log(sum, kBinary64), expected) << what;
}

uint64_t bits_of(double x) {
  uint64_t b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}

TEST(RoundLog, AllExponents) {
  Random random(41);
  for (int e = 0; e < 2047; ++e) {
    const uint64_t x = (static_cast<uint64_t>(e) << 52) | (random.next64() >> 12) | 1;
    ASSERT_NO_FATAL_FAILURE(check({x}, "one term"));
  }
}

TEST(RoundLog, NextToOne) {
  for (int e = -1074; e < 0; ++e) {
    for (const double sign : {1.0, -1.0}) {
      ASSERT_NO_FATAL_FAILURE(check({bits_of(1.0), bits_of(sign * std::ldexp(1.0, e))}, "1 +- 2^e"));
      const double low = std::ldexp(1.0, std::max(-1074, e - 53));
      ASSERT_NO_FATAL_FAILURE(check({bits_of(1.0), bits_of(sign * std::ldexp(1.0, e)), bits_of(low)},
                                    "1 +- 2^e + far"));
    }
  }
}

TEST(RoundLog, BeyondFloat64) {
  const uint64_t top = infinity_of(info_of(Type::k_float64)) - 1;
  for (int n = 1; n <= 300; ++n) {
    std::vector<uint64_t> slice(static_cast<size_t>(n), top);
    ASSERT_NO_FATAL_FAILURE(check(slice, "n times the largest"));
    slice.push_back(1);
    ASSERT_NO_FATAL_FAILURE(check(slice, "and the smallest"));
  }
  for (uint64_t n = 1; n <= 300; ++n) ASSERT_NO_FATAL_FAILURE(check({n}, "subnormal"));
}

TEST(RoundLog, RandomSums) {
  const TypeInfo& t = info_of(Type::k_float64);
  for (uint32_t round = 0; round < 1500; ++round) {
    Random random(42, round);
    const int kind = static_cast<int>(random.below(kFloatKinds));
    if (kind == 0 || kind == 6) continue;
    std::vector<uint64_t> slice = corpus_values(random, t, kind, 1 + random.below(9));
    // A positive sum: the largest magnitude made positive, and half as much more.
    for (uint64_t& b : slice) {
      if (random.below(4)) b &= ~sign_of(t);
    }
    slice.push_back(infinity_of(t) - 1 - (random.next64() >> 2));
    const uint64_t expected = expected_of(Operator::kReduceLogSum, t.type, slice);
    if (expected == nan_of(t) || expected == (infinity_of(t) | sign_of(t))) continue;
    ASSERT_NO_FATAL_FAILURE(check(slice, "random"));
  }
}

// Sums e^y rounded to `bits` bits, y half-way between two float64: the
// logarithm is that close to a tie.
TEST(RoundLog, NextToTies) {
  mpfr_t x, y;
  mpfr_init2(x, 5000);
  mpfr_init2(y, 100);
  for (uint32_t round = 0; round < 400; ++round) {
    Random random(43, round);
    const uint64_t b = (static_cast<uint64_t>(1023 - 40 + random.below(49)) << 52) |
                       (random.next64() >> 12) | (random.below(2) ? sign_of(info_of(Type::k_float64)) : 0);
    const double value = as_double(b);
    if (std::fabs(value) > 700) continue;
    mpfr_set_d(y, value, MPFR_RNDN);
    const double half_ulp = (as_double(b + 1) - value) / 2;
    mpfr_add_d(y, y, half_ulp, MPFR_RNDN);
    mpfr_exp(x, y, MPFR_RNDN);
    mpfr_prec_round(x, static_cast<mpfr_prec_t>(60 + random.below(400)), MPFR_RNDN);
    // As a sum of float64, the largest first.
    std::vector<uint64_t> slice;
    while (!mpfr_zero_p(x) && mpfr_get_exp(x) > -1074 && slice.size() < 20) {
      const double piece = mpfr_get_d(x, MPFR_RNDZ);
      slice.push_back(bits_of(piece));
      mpfr_sub_d(x, x, piece, MPFR_RNDN);
    }
    mpfr_set_prec(x, 5000);
    ASSERT_NO_FATAL_FAILURE(check(slice, "next to a tie")) << "round " << round;
  }
  mpfr_clear(x);
  mpfr_clear(y);
}

TEST(RoundLog, NarrowFormats) {
  for (const Type type : {Type::k_float32, Type::k_float16, Type::k_bfloat16}) {
    const TypeInfo& t = info_of(type);
    for (uint32_t round = 0; round < 3000; ++round) {
      Random random(44, round);
      const uint64_t element = random.next() % (infinity_of(t) - 1) + 1;
      // The element's value as a float64, by its fields.
      const int biased = static_cast<int>(element >> (t.precision - 1));
      const uint64_t hidden = uint64_t{1} << (t.precision - 1);
      const uint64_t m = biased ? (element & (hidden - 1)) + hidden : element;
      ExactSum sum;
      sum.add(std::ldexp(static_cast<double>(m), (biased ? biased : 1) - t.emax - t.precision + 1));
      ASSERT_EQ(round_log(sum, kFormats[static_cast<int>(type)]),
                expected_of(Operator::kReduceLogSum, type, {element}))
          << t.name << " 0x" << std::hex << element;
    }
  }
}

// The bounds that the rounding test relies on, measured.
TEST(FastLog, StaysWithinItsBound) {
  mpfr_t x, l, d;
  mpfr_inits2(300, x, l, d, static_cast<mpfr_ptr>(nullptr));
  double worst = 0, worst_double = 0, worst_quick = 0;
  for (uint32_t round = 0; round < 60000; ++round) {
    Random random(45, round);
    uint64_t b = random.next64() & ~sign_of(info_of(Type::k_float64));
    if (round % 3 == 0) b = 0x3fe0000000000000u + (random.next64() >> 10);          // [0.5, 2)
    if (round % 3 == 1) b = 0x3ff0000000000000u + (random.next64() >> (12 + random.below(50))) *
                                                      (random.below(2) ? 1 : -1);   // next to 1
    const double value = as_double(b);
    if (!(value >= 0x1p-1022 && value <= 0x1.fffffffffffffp1023) || value == 1) continue;
    mpfr_set_d(x, value, MPFR_RNDN);
    mpfr_log(l, x, MPFR_RNDN);
    const f64x2 fast = log(f64x2{value, value}, kLogConstants);
    ASSERT_EQ(bits_of(fast[0]), bits_of(fast[1]));
    mpfr_sub_d(d, l, fast[0], MPFR_RNDN);
    mpfr_div(d, d, l, MPFR_RNDN);
    worst = std::max(worst, std::fabs(mpfr_get_d(d, MPFR_RNDN)));
    ASSERT_LE(worst, kLogError) << std::hex << b;

    if (value < 0x1p-900) continue;
    const double low = std::ldexp(value, -54 - static_cast<int>(random.below(50))) *
                       (random.below(3) - 1.0);
    mpfr_add_d(x, x, low, MPFR_RNDN);
    mpfr_log(l, x, MPFR_RNDN);
    const auto note = [&](DoubleDouble<double> pair, double& most) {
      mpfr_sub_d(d, l, pair.hi, MPFR_RNDN);
      mpfr_sub_d(d, d, pair.lo, MPFR_RNDN);
      mpfr_div(d, d, l, MPFR_RNDN);
      most = std::max(most, std::fabs(mpfr_get_d(d, MPFR_RNDN)));
    };
    note(log(DoubleDouble<double>{value, low}), worst_double);
    if (value < 0x1p900) {
      double hi[4] = {value, value, value, value};
      double lo[4] = {low, low, low, low};
      log_quick(hi, lo, 4);
      ASSERT_EQ(bits_of(hi[0]), bits_of(hi[3]));
      note({hi[0], lo[0]}, worst_quick);
    }
    ASSERT_LE(worst_double, kLogDoubleDoubleError) << std::hex << b << " + " << low;
    ASSERT_LE(worst_quick, kLogQuickError) << std::hex << b << " + " << low;
  }
  // A bound far above what happens would send too much the exact way.
  RecordProperty("worst_log2", std::to_string(std::log2(worst)));
  RecordProperty("worst_quick_log2", std::to_string(std::log2(worst_quick)));
  RecordProperty("worst_double_double_log2", std::to_string(std::log2(worst_double)));
  EXPECT_GT(worst, kLogError / 64);
  EXPECT_GT(worst_double, kLogDoubleDoubleError / 1024);
  EXPECT_GT(worst_quick, kLogQuickError / 1024);
  mpfr_clears(x, l, d, static_cast<mpfr_ptr>(nullptr));
}

TEST(ExpCeilings, AreTheSmallestIntegersThatReachEachPower) {
  mpfr_t e, c;
  mpfr_init2(e, 500);
  mpfr_init2(c, 500);
  for (int k = 1; k <= kExpCeilings; ++k) {
    mpfr_set_ui(e, static_cast<unsigned long>(k), MPFR_RNDN);
    mpfr_exp(e, e, MPFR_RNDN);
    mpfr_ceil(e, e);
    mpfr_set_uj(c, kExpCeiling[k - 1].high, MPFR_RNDN);
    mpfr_mul_2ui(c, c, 64, MPFR_RNDN);
    mpfr_t low;
    mpfr_init2(low, 64);
    mpfr_set_uj(low, kExpCeiling[k - 1].low, MPFR_RNDN);
    mpfr_add(c, c, low, MPFR_RNDN);
    mpfr_clear(low);
    EXPECT_EQ(mpfr_cmp(e, c), 0) << "e^" << k;
  }
  // The largest sum there can be is below e to the next power.
  mpfr_set_ui(e, kExpCeilings + 1, MPFR_RNDN);
  mpfr_exp(e, e, MPFR_RNDN);
  EXPECT_GT(mpfr_get_exp(e), 117);
  mpfr_clear(e);
  mpfr_clear(c);
}

}  // namespace
}  // namespace onnx_reduce::testing
