// Floating-point numbers of many bits, for the few logarithms that a
// double-double leaves undecided. Plain schoolbook arithmetic on 32-bit limbs:
// it runs about once in 2^40 results, so it is written to be checked by eye.
#ifndef ONNX_REDUCE_BIG_FLOAT_H_
#define ONNX_REDUCE_BIG_FLOAT_H_

#include <cstdint>

namespace onnx_reduce {

// value = (negative ? -1 : 1) * 0.limb[0] limb[1] ... limb[n-1] * 2^exponent,
// limb[0] with its top bit set, or limb[0] == 0 for zero. Every operation
// truncates: relative error below 2^(1 - 32 n).
struct BigFloat {
  static constexpr int kMaxLimbs = 512;

  int n;
  bool negative;
  int64_t exponent;
  uint32_t limb[kMaxLimbs];

  explicit BigFloat(int limbs) : n(limbs), negative(false), exponent(0) {
    set_zero();
  }

  bool is_zero() const { return limb[0] == 0; }
  void set_zero() {
    negative = false;
    exponent = 0;
    for (int i = 0; i < n; ++i) limb[i] = 0;
  }
  void set(uint32_t value);
  // From limbs that need no normalisation, the most significant first.
  void set(const uint32_t* limbs, int count, int64_t exponent_of_first);
  void normalize();
};

void multiply(BigFloat& to, const BigFloat& a, const BigFloat& b);
void divide(BigFloat& to, const BigFloat& a, const BigFloat& b);
void divide(BigFloat& a, uint32_t divisor);
void multiply(BigFloat& a, uint32_t factor);
void add(BigFloat& a, const BigFloat& b);

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_BIG_FLOAT_H_
