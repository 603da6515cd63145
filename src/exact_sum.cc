#include "exact_sum.h"

namespace onnx_reduce {

void ExactSum::add_special(double x) {
  special_ |= x != x ? kSawNaN : (x > 0 ? kSawPlus : kSawMinus);
}

void ExactSum::add_term(uint64_t term, int exponent, uint64_t negative) {
  const unsigned position = static_cast<unsigned>(exponent - kLowestExponent);
  const int i = static_cast<int>(position >> 5);
  const unsigned shift = position & 31;
  const uint64_t low = term << shift;
  const uint64_t high = term >> 1 >> (63 - shift);
  const int64_t sign = -static_cast<int64_t>(negative);
  words_[i] += (static_cast<int64_t>(low & 0xffffffffu) ^ sign) - sign;
  words_[i + 1] += (static_cast<int64_t>(low >> 32) ^ sign) - sign;
  words_[i + 2] += (static_cast<int64_t>(high) ^ sign) - sign;
  if (i < first_) first_ = i;
  if (i + 2 > last_) last_ = i + 2;
  if (--room_ == 0) carry();
}

void ExactSum::carry() {
  int64_t carried = 0;
  for (int i = first_; i <= last_; ++i) {
    const int64_t w = words_[i] + carried;
    // The highest word carries the sign and keeps it: splitting a small
    // negative one would only send -1 up, word after word.
    const bool small = w > -(int64_t{1} << 32) && w < (int64_t{1} << 32);
    if (i == last_ && (small || i == kWords - 1)) {
      words_[i] = w;
      break;
    }
    carried = w >> 32;
    words_[i] = w & 0xffffffff;
    if (i == last_) ++last_;  // the word above is zero
  }
  room_ = kCarryFree;
}

void ExactSum::merge(const ExactSum& other) {
  special_ |= other.special_;
  if (other.last_ < other.first_) return;
  ExactSum carried = other;
  carried.carry();
  carry();
  for (int i = carried.first_; i <= carried.last_; ++i) {
    words_[i] += carried.words_[i];
  }
  if (carried.first_ < first_) first_ = carried.first_;
  if (carried.last_ > last_) last_ = carried.last_;
  carry();
}

ExactSum::Kind ExactSum::kind() const {
  if (special_ & kSawNaN) return Kind::kNaN;
  const uint8_t both = kSawPlus | kSawMinus;
  if ((special_ & both) == both) return Kind::kNaN;
  if (special_ & kSawPlus) return Kind::kPlusInfinity;
  if (special_ & kSawMinus) return Kind::kMinusInfinity;
  return Kind::kFinite;
}

void ExactSum::value(Value& to) {
  to.negative = false;
  to.first = kWords;
  to.last = -1;
  if (last_ < first_) return;
  carry();
  to.negative = words_[last_] < 0;
  int64_t carried = 0;
  // The word above last_ takes what a wide top word carries out.
  for (int i = first_; i < kWords && (i <= last_ || carried != 0); ++i) {
    int64_t w = i <= last_ ? words_[i] : 0;
    w = (to.negative ? -w : w) + carried;
    carried = w >> 32;
    to.limb[i] = static_cast<uint32_t>(w);
    if (to.limb[i] == 0) continue;
    if (to.first == kWords) to.first = i;
    to.last = i;
  }
  if (to.last < 0) to.negative = false;
}

uint64_t ExactSum::round(const Format& format) {
  switch (kind()) {
    case Kind::kNaN: return nan_bits(format);
    case Kind::kPlusInfinity: return infinity_bits(format);
    case Kind::kMinusInfinity: return sign_bit(format) | infinity_bits(format);
    case Kind::kFinite: break;
  }
  Value v;
  value(v);
  if (v.last < v.first) return 0;
  // The top three limbs hold at least 65 significant bits.
  uint64_t limbs[3];
  for (int k = 0; k < 3; ++k) {
    limbs[k] = v.last - k >= v.first ? v.limb[v.last - k] : 0;
  }
  const int shift = __builtin_clz(static_cast<uint32_t>(limbs[0]));
  const uint64_t high = (limbs[0] << 32) | limbs[1];
  const uint64_t top = shift ? (high << shift) | (limbs[2] >> (32 - shift)) : high;
  bool sticky = static_cast<uint32_t>(limbs[2] << shift) != 0;
  for (int i = v.first; i < v.last - 2 && !sticky; ++i) sticky = v.limb[i] != 0;
  const int64_t exponent = kLowestExponent + 32 * (v.last + 1) - shift;
  return (v.negative ? sign_bit(format) : 0) |
         round_magnitude(top, sticky, exponent, format);
}

void ExactSum::to_bytes(uint8_t* to) {
  carry();
  to[0] = 1;
  to[1] = special_;
  to[2] = to[3] = 0;
  int64_t carried = 0;
  for (int i = 0; i < kWords; ++i) {
    const int64_t w = (i >= first_ && i <= last_ ? words_[i] : 0) + carried;
    carried = w >> 32;
    for (int k = 0; k < 4; ++k) {
      to[4 + 4 * i + k] = static_cast<uint8_t>(w >> (8 * k));
    }
  }
}

bool ExactSum::from_bytes(const uint8_t* from) {
  const uint8_t known = kSawNaN | kSawPlus | kSawMinus;
  if (from[0] != 1 || (from[1] & ~known) || from[2] || from[3]) return false;
  clear();
  special_ = from[1];
  for (int i = 0; i < kWords; ++i) {
    uint32_t w = 0;
    for (int k = 0; k < 4; ++k) w |= static_cast<uint32_t>(from[4 + 4 * i + k]) << (8 * k);
    const bool top = i == kWords - 1;
    words_[i] = top ? static_cast<int32_t>(w) : static_cast<int64_t>(w);
  }
  first_ = 0;
  last_ = kWords - 1;
  return true;
}

}  // namespace onnx_reduce
