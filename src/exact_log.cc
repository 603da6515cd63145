#include "exact_log.h"

namespace onnx_reduce {
namespace {

// Fractions in [0, 1) of n limbs, the most significant first: plain schoolbook
// arithmetic, written to be checked by eye. Every operation truncates, by less
// than one unit of the last limb.
constexpr int kMaxLimbs = 512;
using Limbs = uint32_t[kMaxLimbs + 4];

void multiply(uint32_t* to, const uint32_t* a, const uint32_t* b, int n) {
  uint32_t product[2 * kMaxLimbs];
  for (int i = 0; i < 2 * n; ++i) product[i] = 0;
  for (int i = n - 1; i >= 0; --i) {
    uint64_t carry = 0;
    for (int j = n - 1; j >= 0; --j) {
      carry += uint64_t{a[i]} * b[j] + product[i + j + 1];
      product[i + j + 1] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    product[i] = static_cast<uint32_t>(carry);
  }
  for (int i = 0; i < n; ++i) to[i] = product[i];
}

// False where the quotient is zero.
bool divide(uint32_t* a, uint32_t divisor, int n) {
  uint64_t rest = 0;
  uint32_t any = 0;
  for (int i = 0; i < n; ++i) {
    rest = (rest << 32) | a[i];
    a[i] = static_cast<uint32_t>(rest / divisor);
    any |= a[i];
    rest %= divisor;
  }
  return any != 0;
}

// a + b, or a - b where `minus` is all ones. Returns what is carried out: for a
// difference 1 where it is not negative.
uint32_t add(uint32_t* to, const uint32_t* a, const uint32_t* b, uint32_t minus, int n) {
  uint64_t carry = minus & 1;
  for (int i = n - 1; i >= 0; --i) {
    carry += uint64_t{a[i]} + (b[i] ^ minus);
    to[i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  return static_cast<uint32_t>(carry);
}

// a / b, bit by bit, for a < b < 1/2. Uses up a.
void divide(uint32_t* to, uint32_t* a, const uint32_t* b, int n) {
  Limbs less;
  for (int i = 0; i < 32 * n; ++i) {
    add(a, a, a, 0, n);
    const uint32_t fits = add(less, a, b, ~0u, n);
    for (int j = 0; fits && j < n; ++j) a[j] = less[j];
    to[i / 32] = (to[i / 32] << 1) | fits;
  }
}

// 2 atanh(s) = 2 (s + s^3/3 + s^5/5 + ...), s <= 1/3, so at least 3 bits a term:
// at most 32 n / 3 + 1 terms. Each power is off by less than 1.2 units, each
// term by 1.4, the whole by less than 30 n + 10 and 3 times the error of s.
void log_ratio(uint32_t* to, const uint32_t* s, int n) {
  Limbs square, power, term;
  multiply(square, s, s, n);
  for (int i = 0; i < n; ++i) to[i] = power[i] = s[i];
  for (uint32_t k = 3;; k += 2) {
    multiply(power, power, square, n);
    for (int i = 0; i < n; ++i) term[i] = power[i];
    if (!divide(term, k, n)) break;
    add(to, to, term, 0, n);
  }
  add(to, to, to, 0, n);
}

// An integer limb and n limbs of fraction, zeros behind, rounded.
uint64_t round(const uint32_t* x, int n, const Format& format) {
  int i = 0;
  while (i < n && x[i] == 0) ++i;
  const int shift = x[i] ? __builtin_clz(x[i]) : 0;
  const int64_t exponent = 32 - 32 * i - shift;
  const uint64_t high = (uint64_t{x[i]} << 32) | x[i + 1];
  const uint64_t top = shift ? (high << shift) | (x[i + 2] >> (32 - shift)) : high;
  bool sticky = (x[i + 2] << shift) != 0;
  for (i += 3; i <= n; ++i) sticky |= x[i] != 0;
  return round_magnitude(top, sticky, exponent, format);
}

}  // namespace

uint64_t round_log(ExactSum& sum, const Format& format) {
  switch (sum.kind()) {
    case ExactSum::Kind::kPlusInfinity: return infinity_bits(format);
    case ExactSum::Kind::kMinusInfinity:
    case ExactSum::Kind::kNaN: return nan_bits(format);
    case ExactSum::Kind::kFinite: break;
  }
  ExactSum::Value value;
  sum.value(value);
  if (value.negative) return nan_bits(format);

  // The sum is m * 2^k with 2/3 <= m < 4/3, so k = 0 next to 1.
  int at = value.last;
  int shift = __builtin_clz(value.limb[at]);
  const auto limb = [&](int i) { return i < value.first || i > value.last ? 0 : value.limb[i]; };
  const uint64_t leading = (uint64_t{limb(at)} << 32 | limb(at - 1)) << shift;
  int k = ExactSum::kLowestExponent + 32 * (at + 1) - shift - 1;
  if (leading >= uint64_t{0xaaaaaaab} << 32) {
    ++k;
    if (--shift < 0) {
      shift = 31;
      ++at;
    }
  }
  for (int n = 6;; n *= 2) {
    if (n > kMaxLimbs) n = kMaxLimbs;
    Limbs half, m, s, ln2;
    for (int i = 0; i < n; ++i) {
      half[i] = i == 0 ? 0x80000000u : 0;
      // m / 2
      m[i] = static_cast<uint32_t>((uint64_t{limb(at - i)} << 32 | limb(at - i - 1)) >> (32 - shift));
    }
    // ln m = 2 atanh(s), s = (m - 1) / (m + 1), |s| <= 1/5.
    const bool below = m[0] < half[0];
    if (below) {
      add(s, half, m, ~0u, n);
    } else {
      add(s, m, half, ~0u, n);
    }
    if (!divide(s, 4, n) && n > ExactSum::kWords) return 0;  // ln 1 = +0
    divide(m, 4, n);
    m[0] += half[0] / 4;
    divide(ln2, s, m, n);
    Limbs result = {};
    log_ratio(result + 1, ln2, n);
    if (k != 0) {
      // ln 2 = 2 atanh(1/3); |k ln 2| >= 0.69 against |ln m| <= 0.41.
      for (int i = 0; i < n; ++i) m[i] = 0x55555555u;
      log_ratio(ln2, m, n);
      uint64_t carry = 0;
      for (int i = n - 1; i >= 0; --i) {
        carry += uint64_t{ln2[i]} * static_cast<uint32_t>(k < 0 ? -k : k);
        s[i + 1] = static_cast<uint32_t>(carry);
        carry >>= 32;
      }
      s[0] = static_cast<uint32_t>(carry);
      add(result, s, result, below == (k < 0) ? 0 : ~0u, n + 1);
    }
    // The quotient is off by less than 10 units, ln m by 30 n + 40, k ln 2 by
    // 2^12 (30 n + 14): together less than one unit of the last limb but one.
    Limbs error = {};
    error[n - 1] = 1;
    const uint32_t positive = add(result, result, error, ~0u, n + 1);
    const uint64_t low = round(result, n, format);
    for (int i = 0; i < 2; ++i) add(result, result, error, 0, n + 1);
    // 16 thousand bits: no sum of float64 values comes near needing them (the
    // chance of d undecided bits is 2^-d), and the value is right even so.
    if ((positive && low == round(result, n, format)) || n == kMaxLimbs) {
      return ((k < 0 || (k == 0 && below)) ? sign_bit(format) : 0) | low;
    }
  }
}

}  // namespace onnx_reduce
