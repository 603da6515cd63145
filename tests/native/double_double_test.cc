// The error-free transformations are error-free, and the double-double
// operations stay within the relative errors that their comments claim.
#include "double_double.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <cstring>

#include "format.h"
#include "support/oracle.h"
#include "support/random.h"

namespace onnx_reduce::testing {
namespace {

constexpr double kU = 0x1p-53;

// A number of full precision with an exponent in [-range, range].
double random_double(Random& random, int range) {
  const double m = static_cast<double>((random.next64() >> 11) | (uint64_t{1} << 52));
  const double x = std::ldexp(m, random.between(-range, range) - 52);
  return random.below(2) ? x : -x;
}

DoubleDouble<double> random_pair(Random& random, int range) {
  const double hi = random_double(random, range);
  const double lo = std::ldexp(random_double(random, 0), std::ilogb(hi) - 55 - static_cast<int>(random.below(6)));
  return fast_two_sum(hi, lo);
}

class Exact {
 public:
  Exact() { mpfr_inits2(2400, x_, y_, z_, static_cast<mpfr_ptr>(nullptr)); }
  ~Exact() { mpfr_clears(x_, y_, z_, static_cast<mpfr_ptr>(nullptr)); }

  // |computed - (a op b)| / |a op b| (or the difference itself where that is 0).
  double error(DoubleDouble<double> a, DoubleDouble<double> b, char op, DoubleDouble<double> computed) {
    set(x_, a);
    set(y_, b);
    if (op == '+') mpfr_add(x_, x_, y_, MPFR_RNDN);
    if (op == '*') mpfr_mul(x_, x_, y_, MPFR_RNDN);
    if (op == '/') mpfr_div(x_, x_, y_, MPFR_RNDN);
    set(z_, computed);
    mpfr_sub(z_, z_, x_, MPFR_RNDN);
    if (!mpfr_zero_p(x_)) mpfr_div(z_, z_, x_, MPFR_RNDN);
    return std::fabs(mpfr_get_d(z_, MPFR_RNDU));
  }

 private:
  static void set(mpfr_t to, DoubleDouble<double> from) {
    mpfr_set_d(to, from.hi, MPFR_RNDN);
    mpfr_add_d(to, to, from.lo, MPFR_RNDN);
  }
  mpfr_t x_, y_, z_;
};

TEST(DoubleDoubleTest, TwoSumAndTwoProductAreExact) {
  Random random(51);
  Exact exact;
  for (int i = 0; i < 50000; ++i) {
    const double a = random_double(random, 120);
    const double b = i % 4 == 0 ? -a * (1 + 0x1p-50 * random.below(9)) : random_double(random, 120);
    EXPECT_EQ(exact.error({a, 0}, {b, 0}, '+', two_sum(a, b)), 0);
    EXPECT_EQ(exact.error({a, 0}, {b, 0}, '*', two_product(a, b)), 0);
    const bool first = std::fabs(a) >= std::fabs(b);
    EXPECT_EQ(exact.error({a, 0}, {b, 0}, '+', first ? fast_two_sum(a, b) : fast_two_sum(b, a)), 0);
    ASSERT_EQ(two_sum(a, b).hi, a + b);
  }
}

TEST(DoubleDoubleTest, OperationsStayWithinTheirBounds) {
  Random random(52);
  Exact exact;
  double worst[5] = {};
  for (int i = 0; i < 100000; ++i) {
    const DoubleDouble<double> a = random_pair(random, i % 2 ? 3 : 60);
    DoubleDouble<double> b = random_pair(random, i % 2 ? 3 : 60);
    const auto note = [&](int which, double error) { worst[which] = std::max(worst[which], error); };
    note(1, exact.error(a, b, '*', multiply(a, b)));
    note(2, exact.error(a, {b.hi, 0}, '*', multiply(a, b.hi)));
    note(3, exact.error(a, b, '/', divide(a, b)));
    if (i % 3 == 0) b = {-a.hi * (1 + 0x1p-50 * random.below(5)), b.lo * 0x1p-30};
    b = fast_two_sum(b.hi, std::fabs(b.lo) < std::fabs(b.hi) * kU ? b.lo : 0.0);
    note(0, exact.error(a, b, '+', add(a, b)));
  }
  EXPECT_LE(worst[0], 3 * kU * kU);
  EXPECT_LE(worst[1], 7 * kU * kU);
  EXPECT_LE(worst[2], 7 * kU * kU);
  EXPECT_LE(worst[3], 10 * kU * kU);
}

TEST(FormatTest, RoundsDoublesToEveryNarrowerFormat) {
  const Format formats[] = {kBinary32, kBinary64, kBinary16, kBfloat16};
  Random random(53);
  for (int i = 0; i < 100000; ++i) {
    const TypeInfo& t = kTypes[(i % 3) == 0 ? 0 : (i % 3) + 1];
    const int reach = t.emax + t.precision + 3;
    uint64_t m = (random.next64() >> 11) | (uint64_t{1} << 52);
    // Half of them ties or next to ties.
    if (i % 2) m = ((m >> (52 - t.precision)) | 1) << (52 - t.precision);
    if (i % 4 == 3) m += static_cast<uint64_t>(random.below(3)) - 1;
    const int e = random.between(-reach, reach);
    const bool negative = random.below(2) != 0;
    const double x = std::ldexp(static_cast<double>(m), e - 52);
    uint64_t b;
    std::memcpy(&b, &x, sizeof b);
    if (negative) b |= uint64_t{1} << 63;
    ASSERT_EQ(round_double(b, formats[static_cast<int>(t.type)]), rounded(t.type, negative, m, e - 52))
        << t.name << " m " << m << " e " << e;
  }
}

TEST(FormatTest, RoundsSpecialDoubles) {
  for (const Format& f : {kBinary16, kBfloat16, kBinary32}) {
    EXPECT_EQ(round_double(0x7ff0000000000000u, f), infinity_bits(f));
    EXPECT_EQ(round_double(0xfff0000000000000u, f), sign_bit(f) | infinity_bits(f));
    EXPECT_EQ(round_double(0xfff0000000000001u, f), nan_bits(f));
    EXPECT_EQ(round_double(0, f), 0u);
    EXPECT_EQ(round_double(1, f), 0u);
  }
}

}  // namespace
}  // namespace onnx_reduce::testing
