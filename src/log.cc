#include "log.h"

namespace onnx_reduce {

namespace {

// 1 / n as a double-double.
constexpr DoubleDouble<double> reciprocal(double n) {
  const double hi = 1.0 / n;
  // 1 - hi n is exact: split hi so that both products are.
  const double c = 134217729.0 * hi;
  const double high = c - (c - hi);
  return {hi, ((1.0 - high * n) - (hi - high) * n) / n};
}

}  // namespace

namespace {

template <int kDoubleDoubleTerms, int kTerms>
DoubleDouble<double> log_series(DoubleDouble<double> x) {
  double scale = 0;
  if (x.hi < 0x1p-1000) {
    x = {x.hi * 0x1p120, x.lo * 0x1p120};
    scale = 120;
  }
  const uint64_t b = bits<uint64_t>(x.hi);
  const int64_t exponent = static_cast<int64_t>(b - kSqrtHalfBits) >> 52;
  const double k = static_cast<double>(exponent) - scale;
  const double m = bits<double>(b - (static_cast<uint64_t>(exponent) << 52));
  // 2^-exponent in two factors, as one could overflow.
  const int64_t half = exponent / 2;
  const double shrink = bits<double>(static_cast<uint64_t>(1023 - half) << 52);
  const double shrink2 =
      bits<double>(static_cast<uint64_t>(1023 - (exponent - half)) << 52);
  const DoubleDouble<double> f = two_sum(m - 1.0, x.lo * shrink * shrink2);
  const DoubleDouble<double> s = divide(f, add(f, 2.0));
  const DoubleDouble<double> z = multiply(s, s);

  double tail = 0;
  for (int i = kTerms - 1; i >= kDoubleDoubleTerms; --i) {
    tail = tail * z.hi + 1.0 / (2 * i + 1);
  }
  static constexpr DoubleDouble<double> kCoefficients[] = {
      reciprocal(1),  reciprocal(3),  reciprocal(5),  reciprocal(7),
      reciprocal(9),  reciprocal(11), reciprocal(13), reciprocal(15),
      reciprocal(17), reciprocal(19), reciprocal(21)};
  DoubleDouble<double> sum = {tail, 0};
  for (int i = kDoubleDoubleTerms - 1; i >= 0; --i) {
    sum = add(multiply(sum, z), kCoefficients[i]);
  }
  DoubleDouble<double> result = multiply(s, sum);
  result = {2 * result.hi, 2 * result.lo};
  if (k == 0) return result;
  return add(multiply(kLn2, k), result);
}

}  // namespace

DoubleDouble<double> log_quick(DoubleDouble<double> x) { return log_series<4, 16>(x); }
DoubleDouble<double> log(DoubleDouble<double> x) { return log_series<11, 21>(x); }

}  // namespace onnx_reduce
