#include "exact_log.h"

#include "big_float.h"

namespace onnx_reduce {
namespace {

// 2 atanh(s) = 2 (s + s^3/3 + s^5/5 + ...), |s| <= 1/3, so at least 3 bits a
// term: at most 32 n / 3 + 2 terms, each with two truncated products, a
// truncated quotient and a truncated sum.
void log_ratio(BigFloat& to, const BigFloat& s) {
  const int n = s.n;
  BigFloat square(n), power(n), term(n);
  multiply(square, s, s);
  power = s;
  to = s;
  for (uint32_t k = 3; !power.is_zero(); k += 2) {
    BigFloat next(n);
    multiply(next, power, square);
    power = next;
    term = power;
    divide(term, k);
    if (term.exponent < s.exponent - 32 * n) break;
    add(to, term);
  }
  multiply(to, 2);
}

// Bits of the value's interval [value - error, value + error], rounded; error
// relative 2^-precision.
uint64_t round(const BigFloat& value, const Format& format) {
  const uint64_t top = (uint64_t{value.limb[0]} << 32) | value.limb[1];
  bool sticky = false;
  for (int i = 2; i < value.n && !sticky; ++i) sticky = value.limb[i] != 0;
  return (value.negative ? sign_bit(format) : 0) |
         round_magnitude(top, sticky, value.exponent, format);
}

// limbs of `v`, the most significant first, as a BigFloat.
void assign(BigFloat& to, const ExactSum::Value& v) {
  uint32_t limbs[ExactSum::kWords];
  int count = 0;
  for (int i = v.last; i >= v.first; --i) limbs[count++] = v.limb[i];
  to.set(limbs, count, ExactSum::kLowestExponent + 32 * (v.last + 1));
  to.negative = v.negative;
}

}  // namespace

uint64_t round_log(ExactSum& sum, const Format& format) {
  ExactSum::Value value;
  sum.value(value);
  ExactSum less_one = sum;
  less_one.add(-1.0);
  ExactSum::Value offset;
  less_one.value(offset);
  if (offset.last < offset.first) return 0;  // ln 1 = +0

  for (int n = 6;; n = n < 12 ? n + 3 : 2 * n) {
    if (n > BigFloat::kMaxLimbs) n = BigFloat::kMaxLimbs;
    // value = m * 2^k with 2/3 <= m < 4/3, so k = 0 next to 1, where ln is as
    // small as m - 1 and takes its relative precision from the exact m - 1.
    BigFloat m(n), one(n), f(n), s(n), result(n);
    one.set(1);
    assign(m, value);
    int64_t k = m.exponent;
    m.exponent = 0;
    if (m.limb[0] < 0xaaaaaaabu) {
      m.exponent = 1;
      --k;
    }
    if (k == 0) {
      assign(f, offset);
    } else {
      f = m;
      one.negative = true;
      add(f, one);
      one.negative = false;
    }
    // ln m = 2 atanh((m - 1) / (m + 1)), |(m - 1) / (m + 1)| <= 1/5.
    add(m, one);
    divide(s, f, m);
    if (!s.is_zero()) log_ratio(result, s);
    if (k != 0) {
      BigFloat third(n), ln2(n);
      third.set(1);
      divide(third, 3);
      log_ratio(ln2, third);  // ln 2 = 2 atanh(1/3)
      multiply(ln2, static_cast<uint32_t>(k < 0 ? -k : k));
      ln2.negative = k < 0;
      add(result, ln2);  // |k ln 2| >= 0.69 against |ln m| <= 0.41
    }
    // Fewer than 44 n operations, each with a relative error below
    // 2^(1 - 32 n), none amplified more than threefold: below 2^(16 - 32 n) for
    // every n up to kMaxLimbs.
    const int64_t precision = 32 * n - 16;
    BigFloat error(n);
    error.set(1);
    error.exponent = result.exponent - precision;
    BigFloat low = result;
    BigFloat high = result;
    add(high, error);
    error.negative = true;
    add(low, error);
    const uint64_t rounded = round(low, format);
    if (rounded == round(high, format)) return rounded;
    // 16 thousand bits: no sum of float64 values comes near needing them (the
    // chance of d undecided bits is 2^-d), and the value is right even so.
    if (n == BigFloat::kMaxLimbs) return round(result, format);
  }
}

}  // namespace onnx_reduce
