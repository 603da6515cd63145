#include "big_float.h"

namespace onnx_reduce {

void BigFloat::normalize() {
  int skip = 0;
  while (skip < n && limb[skip] == 0) ++skip;
  if (skip == n) return set_zero();
  const int shift = __builtin_clz(limb[skip]);
  for (int i = 0; i < n; ++i) {
    const uint32_t high = i + skip < n ? limb[i + skip] : 0;
    const uint32_t low = i + skip + 1 < n ? limb[i + skip + 1] : 0;
    limb[i] = shift ? (high << shift) | (low >> (32 - shift)) : high;
  }
  exponent -= 32 * skip + shift;
}

void BigFloat::set(uint32_t value) {
  set_zero();
  limb[0] = value;
  exponent = 32;
  normalize();
}

void BigFloat::set(const uint32_t* limbs, int count, int64_t exponent_of_first) {
  set_zero();
  // A leading limb with few bits would cost precision: take one limb more than
  // fits and normalise before truncating.
  int skip = 0;
  while (skip < count && limbs[skip] == 0) ++skip;
  if (skip == count) return;
  const int shift = __builtin_clz(limbs[skip]);
  for (int i = 0; i < n; ++i) {
    const uint32_t high = i + skip < count ? limbs[i + skip] : 0;
    const uint32_t low = i + skip + 1 < count ? limbs[i + skip + 1] : 0;
    limb[i] = shift ? (high << shift) | (low >> (32 - shift)) : high;
  }
  exponent = exponent_of_first - 32 * skip - shift;
}

void multiply(BigFloat& to, const BigFloat& a, const BigFloat& b) {
  if (a.is_zero() || b.is_zero()) return to.set_zero();
  const int n = a.n;
  uint32_t product[2 * BigFloat::kMaxLimbs];
  for (int i = 0; i < 2 * n; ++i) product[i] = 0;
  for (int i = n - 1; i >= 0; --i) {
    uint64_t carry = 0;
    for (int j = n - 1; j >= 0; --j) {
      const uint64_t t = uint64_t{a.limb[i]} * b.limb[j] + product[i + j + 1] + carry;
      product[i + j + 1] = static_cast<uint32_t>(t);
      carry = t >> 32;
    }
    product[i] = static_cast<uint32_t>(carry);
  }
  const int64_t exponent = a.exponent + b.exponent;
  const bool negative = a.negative != b.negative;
  to.set(product, 2 * n, exponent);
  to.negative = negative;
}

void multiply(BigFloat& a, uint32_t factor) {
  if (a.is_zero() || factor == 0) return a.set_zero();
  uint32_t product[BigFloat::kMaxLimbs + 1];
  uint64_t carry = 0;
  for (int i = a.n - 1; i >= 0; --i) {
    const uint64_t t = uint64_t{a.limb[i]} * factor + carry;
    product[i + 1] = static_cast<uint32_t>(t);
    carry = t >> 32;
  }
  product[0] = static_cast<uint32_t>(carry);
  const bool negative = a.negative;
  a.set(product, a.n + 1, a.exponent + 32);
  a.negative = negative;
}

void divide(BigFloat& a, uint32_t divisor) {
  uint32_t quotient[BigFloat::kMaxLimbs + 1];
  uint64_t rest = 0;
  for (int i = 0; i <= a.n; ++i) {
    const uint64_t t = (rest << 32) | (i < a.n ? a.limb[i] : 0);
    quotient[i] = static_cast<uint32_t>(t / divisor);
    rest = t % divisor;
  }
  const bool negative = a.negative;
  a.set(quotient, a.n + 1, a.exponent);
  a.negative = negative;
}

// Shift and subtract, bit by bit.
void divide(BigFloat& to, const BigFloat& a, const BigFloat& b) {
  if (a.is_zero()) return to.set_zero();
  const int n = a.n;
  uint32_t rest[BigFloat::kMaxLimbs];
  uint32_t quotient[BigFloat::kMaxLimbs + 1];
  for (int i = 0; i < n; ++i) rest[i] = a.limb[i];
  bool carried = false;  // bit 32 n of the remainder
  for (int i = 0; i <= n; ++i) {
    uint32_t word = 0;
    for (int k = 0; k < 32; ++k) {
      bool fits = true;
      if (!carried) {
        for (int j = 0; j < n; ++j) {
          if (rest[j] == b.limb[j]) continue;
          fits = rest[j] > b.limb[j];
          break;
        }
      }
      if (fits) {
        int64_t borrow = 0;
        for (int j = n - 1; j >= 0; --j) {
          const int64_t t = int64_t{rest[j]} - b.limb[j] + borrow;
          rest[j] = static_cast<uint32_t>(t);
          borrow = t >> 32;
        }
      }
      word = (word << 1) | (fits ? 1u : 0u);
      carried = rest[0] >> 31;
      for (int j = 0; j < n; ++j) {
        rest[j] = (rest[j] << 1) | (j + 1 < n ? rest[j + 1] >> 31 : 0);
      }
    }
    quotient[i] = word;
  }
  // The first quotient bit weighs 1, i.e. 2^(1 - 1) of a number 0.q * 2^1.
  const int64_t exponent = a.exponent - b.exponent + 1;
  const bool negative = a.negative != b.negative;
  to.set(quotient, n + 1, exponent);
  to.negative = negative;
}

namespace {

// |a| < |b|, both normalised.
bool less(const BigFloat& a, const BigFloat& b) {
  if (a.is_zero() || b.is_zero()) return a.is_zero() && !b.is_zero();
  if (a.exponent != b.exponent) return a.exponent < b.exponent;
  for (int i = 0; i < a.n; ++i) {
    if (a.limb[i] != b.limb[i]) return a.limb[i] < b.limb[i];
  }
  return false;
}

}  // namespace

void add(BigFloat& a, const BigFloat& b) {
  if (b.is_zero()) return;
  if (a.is_zero()) {
    a = b;
    return;
  }
  const bool swap = less(a, b);
  const BigFloat& big = swap ? b : a;
  const BigFloat& small = swap ? a : b;
  const int n = a.n;
  // Two guard limbs, so that a subtraction loses nothing before truncation.
  const int m = n + 2;
  uint32_t sum[BigFloat::kMaxLimbs + 3];
  uint32_t aligned[BigFloat::kMaxLimbs + 3];
  const int64_t distance = big.exponent - small.exponent;
  const bool negative = big.negative;
  const int64_t exponent = big.exponent;
  const bool subtract = big.negative != small.negative;
  for (int i = 0; i < m; ++i) {
    aligned[i] = 0;
    sum[i + 1] = i < n ? big.limb[i] : 0;
  }
  if (distance < 32 * m) {
    const int skip = static_cast<int>(distance / 32);
    const int shift = static_cast<int>(distance % 32);
    for (int i = 0; i < n && i + skip < m; ++i) {
      aligned[i + skip] |= small.limb[i] >> shift;
      if (shift && i + skip + 1 < m) {
        aligned[i + skip + 1] |= small.limb[i] << (32 - shift);
      }
    }
  }
  int64_t carry = 0;
  for (int i = m - 1; i >= 0; --i) {
    const int64_t t = int64_t{sum[i + 1]} + (subtract ? -int64_t{aligned[i]} : int64_t{aligned[i]}) + carry;
    sum[i + 1] = static_cast<uint32_t>(t);
    carry = t >> 32;
  }
  sum[0] = static_cast<uint32_t>(carry);
  a.set(sum, m + 1, exponent + 32);
  a.negative = !a.is_zero() && negative;
}

}  // namespace onnx_reduce
