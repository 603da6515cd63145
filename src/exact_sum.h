// The exact accumulator: a fixed-point number long enough that every float64,
// and the square of every float64, is added to it without error.
//
// Method: Kulisch's long accumulator with the carry-save words of R. Neal,
// "Fast exact summation using small and large superaccumulators" (2015): 32
// bits of weight per signed 64-bit word, so that 2^31 additions fit before
// carries need propagating. An addition touches at most three words.
//
// Range: the lowest bit of a square of a subnormal weighs 2^-2148, the sum of
// 2^53 squares of the largest float64 stays below 2^2101.
#ifndef ONNX_REDUCE_EXACT_SUM_H_
#define ONNX_REDUCE_EXACT_SUM_H_

#include <cstddef>
#include <cstdint>

#include "format.h"
#include "simd.h"

namespace onnx_reduce {

class ExactSum {
 public:
  static constexpr int kWords = 134;
  static constexpr int kLowestExponent = -2176;  // weight of word 0's bit 0

  ExactSum() : special_(0), first_(kWords), last_(-1), room_(kCarryFree) {
    for (int64_t& w : words_) w = 0;
  }

  // Empties the accumulator; costs no more than what it held.
  void clear() {
    for (int i = first_; i <= last_; ++i) words_[i] = 0;
    first_ = kWords;
    last_ = -1;
    special_ = 0;
    room_ = kCarryFree;
  }

  void add(double x) {
    const uint64_t b = bits<uint64_t>(x);
    const int biased = static_cast<int>(b >> 52) & 0x7ff;
    if (biased == 0x7ff) return add_special(x);
    const uint64_t m = significand(b, biased);
    if (m == 0) return;
    const int exponent = (biased ? biased : 1) - 1075;
    add_term(m, exponent, b >> 63);
  }

  void add_square(double x) {
    const uint64_t b = bits<uint64_t>(x);
    const int biased = static_cast<int>(b >> 52) & 0x7ff;
    if (biased == 0x7ff) return add_special(x * x);
    const uint64_t m = significand(b, biased);
    if (m == 0) return;
    const int exponent = 2 * ((biased ? biased : 1) - 1075);
    const uint64_t low = m & 0xffffffffu;
    const uint64_t high = m >> 32;  // 21 bits
    add_term(low * low, exponent, 0);
    add_term(2 * low * high, exponent + 32, 0);
    add_term(high * high, exponent + 64, 0);
  }

  void merge(const ExactSum& other);

  // Takes over another's sum; costs no more than what the two hold.
  void copy(const ExactSum& other) {
    clear();
    special_ = other.special_;
    first_ = other.first_;
    last_ = other.last_;
    room_ = other.room_;
    for (int i = first_; i <= last_; ++i) words_[i] = other.words_[i];
  }

  // What the sum is, once nothing more is added.
  enum class Kind { kFinite, kNaN, kPlusInfinity, kMinusInfinity };
  Kind kind() const;

  // Sign and magnitude: value = (negative ? -1 : 1) * sum of
  // limb[i] * 2^(32 * i + kLowestExponent), limbs first..last, all others zero;
  // last < first is zero.
  struct Value {
    bool negative;
    int first;
    int last;
    uint32_t limb[kWords];
  };
  void value(Value& to);

  // The finite sum rounded to a format (nearest, ties to even), as bits.
  // NaN and infinities are returned as such; zero is +0.
  uint64_t round(const Format& format);

  // Byte form, version 1: byte 0 the version, byte 1 flags (1 NaN was added,
  // 2 +infinity, 4 -infinity), bytes 2 and 3 zero, then the fixed-point value
  // modulo 2^(32 * kWords) in two's complement as kWords little-endian 32-bit
  // words, the first weighing 2^kLowestExponent. One value has one byte form.
  static constexpr size_t kBytes = 4 + 4 * kWords;
  void to_bytes(uint8_t* to);
  // False when the bytes are not a byte form of a version we know.
  bool from_bytes(const uint8_t* from);

 private:
  // Terms of below 2^32 per word on top of a carry of below 2^32.
  static constexpr int32_t kCarryFree = int32_t{1} << 29;
  enum : uint8_t { kSawNaN = 1, kSawPlus = 2, kSawMinus = 4 };

  static uint64_t significand(uint64_t b, int biased) {
    const uint64_t fraction = b & 0xfffffffffffffull;
    return biased ? fraction | 0x10000000000000ull : fraction;
  }

  // Adds (or, where `negative` is 1, subtracts) term * 2^exponent.
  void add_term(uint64_t term, int exponent, uint64_t negative);
  void add_special(double x);
  // Makes every word but the last lie in [0, 2^32).
  void carry();

  uint8_t special_;
  int first_;
  int last_;
  int32_t room_;
  int64_t words_[kWords];
};

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_EXACT_SUM_H_
