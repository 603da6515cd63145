// The binary floating-point formats a result is rounded to (IEEE 754 and
// bfloat16), and the rounding itself: nearest, ties to even, once.
#ifndef ONNX_REDUCE_FORMAT_H_
#define ONNX_REDUCE_FORMAT_H_

#include <cstdint>

#include "simd.h"

namespace onnx_reduce {

struct Format {
  int precision;       // bits of the significand, the implicit one included
  int min_exponent;    // of the smallest normal number, 1.0 * 2^min_exponent
  int exponent_bits;
};

inline constexpr Format kBinary16{11, -14, 5};
inline constexpr Format kBfloat16{8, -126, 8};
inline constexpr Format kBinary32{24, -126, 8};
inline constexpr Format kBinary64{53, -1022, 11};

constexpr uint64_t infinity_bits(const Format& f) {
  return ((uint64_t{1} << f.exponent_bits) - 1) << (f.precision - 1);
}
constexpr uint64_t sign_bit(const Format& f) {
  return uint64_t{1} << (f.precision - 1 + f.exponent_bits);
}
// The one NaN we return: quiet, positive, no payload.
constexpr uint64_t nan_bits(const Format& f) {
  return infinity_bits(f) | (uint64_t{1} << (f.precision - 2));
}

// Rounds 0.d1 d2 d3... * 2^exponent, where d1 = 1 is the top bit of
// `top`, the next 63 bits follow in it and `sticky` tells whether any bit after
// those is set. Returns the magnitude's bits.
constexpr uint64_t round_magnitude(uint64_t top, bool sticky, int64_t exponent,
                                   const Format& f) {
  const int64_t leading = exponent - 1;  // exponent of the leading bit
  int64_t keep = f.precision;
  const bool normal = leading >= f.min_exponent;
  if (!normal) keep -= f.min_exponent - leading;
  if (keep < 0) return 0;  // below half of the smallest subnormal
  uint64_t kept = keep == 0 ? 0 : top >> (64 - keep);
  const bool half = (top >> (63 - keep)) & 1;
  const bool rest = sticky || (top << (keep + 1)) != 0;
  kept += half && (rest || (kept & 1));
  if (!normal) return kept;  // a carry to the smallest normal encodes itself
  const int64_t bias = -f.min_exponent;  // biased exponent of min normal is 1
  if (leading > -f.min_exponent + 1) return infinity_bits(f);
  // The implicit bit of `kept` adds the last 1 to the exponent field, and a
  // carry out of the significand one more.
  return (static_cast<uint64_t>(leading + bias) << (f.precision - 1)) + kept;
}

// A float64 rounded to a format of fewer bits, as bits. Adding 1.5 * 2^(E + 53 - p)
// to a number in [2^E, 2^(E + 1)) rounds it to p bits: they are what the sum has
// room for, and it stays within one binade.
ONNX_REDUCE_OUTLINE inline uint64_t round_double(uint64_t x, const Format& f) {
  const uint64_t magnitude = x & 0x7fffffffffffffffull;
  const uint64_t sign = x >> 63 ? sign_bit(f) : 0;
  if (magnitude > infinity_bits(kBinary64)) return nan_bits(f);
  // 2^(1 - min_exponent) is the largest power of two.
  if (magnitude >= static_cast<uint64_t>(1025 - f.min_exponent) << 52) return sign | infinity_bits(f);
  const uint64_t least = static_cast<uint64_t>(1023 + f.min_exponent) << 52;
  const uint64_t exponent = magnitude >> 52 << 52;
  const double shift = bits<double>((exponent < least ? least : exponent) +
                                    (static_cast<uint64_t>(53 - f.precision) << 52 | 1ull << 51));
  const double rounded = (bits<double>(magnitude) + shift) - shift;
  // Subnormals are encoded like the same fraction of the smallest normal's binade.
  const bool small = rounded < bits<double>(least);
  const uint64_t encoded = bits<uint64_t>(small ? rounded + bits<double>(least) : rounded) - (least - (1ull << 52));
  return sign | ((encoded >> (53 - f.precision)) - (small ? 1ull << (f.precision - 1) : 0));
}

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_FORMAT_H_
