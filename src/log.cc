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

DoubleDouble<double> log(DoubleDouble<double> x) {
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

  constexpr int kDoubleDoubleTerms = 11;
  constexpr int kTerms = 21;
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

void log_quick(double* hi, double* lo, int32_t count) {
  // Four lanes are two chains of operations, which hide each other's latency.
  using V = f64x4;
  const auto both = [](auto constant) {
    return __builtin_shufflevector(constant, constant, 0, 1, 0, 1);
  };
  const u64x4 offset = both(kLogConstants.offset);
  const u64x4 exponent_1024 = both(kLogConstants.exponent_1024);
  const V exponent_bits = both(kLogConstants.exponent_bits);
  const V exponent_zero = both(kLogConstants.exponent_zero);
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < count; i += 4) {
    // As in log_parts; the low part is scaled by the same power of two.
    const u64x4 b = load<u64x4>(hi + i);
    const u64x4 biased = (b + offset) >> 52;
    const V k = bits<V>(biased | bits<u64x4>(exponent_bits)) - exponent_zero;
    const V m = bits<V>(b + exponent_1024 - (biased << 52));
    const V scale = bits<V>((uint64_t{2047} << 52) - (biased << 52));
    const DoubleDouble<V> f = two_sum(m - 1.0, load<V>(lo + i) * scale);
    // s = f / (2 + f): a quotient and one correction from its remainder.
    const DoubleDouble<V> d = add(f, V{2, 2, 2, 2});
    const V q = f.hi / d.hi;
    const DoubleDouble<V> qd = two_product(q, d.hi);
    const DoubleDouble<V> s = fast_two_sum(q, ((f.hi - qd.hi) - qd.lo + (f.lo - q * d.lo)) / d.hi);

    const DoubleDouble<V> z = multiply(s, s);
    const V w = z.hi * z.hi;
    V even = V{} + 1.0 / 25;
    V odd = V{} + 1.0 / 27;
#pragma clang loop unroll(full)
    for (int n = 21; n > 4; n -= 4) {
      even = even * w + 1.0 / n;
      odd = odd * w + 1.0 / (n + 2);
    }
    const V tail = even + odd * z.hi;
    // z / 3 + z^2 tail, times 2 s, plus 2 s.
    constexpr DoubleDouble<double> kThird = reciprocal(3);
    const DoubleDouble<V> third = fast_two_sum(V{} + kThird.hi, tail * z.hi + kThird.lo);
    const DoubleDouble<V> half = add(s, multiply(multiply(third, z), s));
    // k ln 2: exact in its first part, which has 11 trailing zeros.
    const DoubleDouble<V> whole = fast_two_sum(k * 0x1.62e42fefa3800p-1, k * 0x1.ef35793c76730p-45);
    const DoubleDouble<V> sum = add(whole, DoubleDouble<V>{half.hi + half.hi, half.lo + half.lo});
    store(hi + i, sum.hi);
    store(lo + i, sum.lo);
  }
}

}  // namespace onnx_reduce
