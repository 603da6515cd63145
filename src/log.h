// Natural logarithms with known error bounds: two at a time in float64 for the
// formats up to float32, one at a time in double-double for float64 and for
// what the first leaves undecided.
//
// Both use ln x = k ln 2 + 2 atanh(f / (2 + f)), x = 2^k (1 + f) with 1 + f in
// [sqrt(1/2), sqrt(2)): |f / (2 + f)| <= 3 - 2 sqrt(2) < 0.17158, so z, its
// square, is below 0.02944 and each term of the series in z adds five bits.
#ifndef ONNX_REDUCE_LOG_H_
#define ONNX_REDUCE_LOG_H_

#include "double_double.h"

namespace onnx_reduce {

// Bits of sqrt(1/2), rounded to 20 bits of fraction: where k changes.
inline constexpr uint64_t kSqrtHalfBits = 0x3fe6a09e00000000ull;

// ln 2 = kLn2High + kLn2Low + e, |e| < 2^-101; kLn2High has 11 trailing zeros
// so that k * kLn2High is exact.
inline constexpr double kLn2High = 0x1.62e42fefa3800p-1;
inline constexpr double kLn2Low = 0x1.ef35793c76730p-45;
// The plain double-double of ln 2; |error| < 2^-110.
inline constexpr DoubleDouble<double> kLn2{0x1.62e42fefa39efp-1,
                                           0x1.abc9e3b39803fp-56};

// The constants of the vector logarithm, in memory on purpose: engines build a
// vector constant from immediates, three or four instructions each time, where
// a load with a splat is one. The core is not optimised across files, so the
// compiler does not see their values.
struct LogConstants {
  double odd[3];
  double even[3];
  double ln2_high;
  double ln2_low;
  double exponent_bits;  // 2^52 as bits: reads an integer below 2^52
  double exponent_zero;  // 2^52 + 1024
  uint64_t offset;       // see kSqrtHalfBits
  uint64_t exponent_1024;
};
extern const LogConstants kLogConstants;

// ln of positive, finite, normal numbers. |error| < kLogError |ln x|: enough to
// decide all but one in 2^15 results of float32, more of the narrower formats.
//
// Error: f is exact; s = f / (2 + f) carries 2u, z 5u. The series is cut after
// z^6, which leaves less than z^7 / 15 * 1.04 < 2^-39.4 of ln m; the roundings
// stay below 2^-50. k ln 2 is at least twice ln m.
inline constexpr double kLogError = 0x1p-39;
ONNX_REDUCE_INLINE f64x2 log(f64x2 x, const LogConstants& c) {
  const u64x2 b = bits<u64x2>(x);
  // Offset so that the shift is a logical one (SSE has no other for 64 bits);
  // the exponent is then read as an integer below 2^52 through the 2^52 bits.
  const u64x2 biased = (b + splat(c.offset)) >> 52;
  const f64x2 k = bits<f64x2>(biased | bits<u64x2>(splat(c.exponent_bits))) - splat(c.exponent_zero);
  const f64x2 m = bits<f64x2>(b + splat(c.exponent_1024) - (biased << 52));
  const f64x2 f = m - 1.0;
  const f64x2 s = f / (f + 2.0);
  const f64x2 z = s * s;
  const f64x2 w = z * z;
  // Odd and even coefficients apart: two short chains instead of a long one.
  const f64x2 odd = splat(c.odd[0]) + w * (splat(c.odd[1]) + w * splat(c.odd[2]));
  const f64x2 even = splat(c.even[0]) + w * (splat(c.even[1]) + w * splat(c.even[2]));
  const f64x2 series = z * odd + w * even;
  // ln m = 2s + s series = f - s (f - series): f is exact, so the rounding
  // error of s only enters through the smaller second term.
  return k * splat(c.ln2_high) + (f - (s * (f - series) - k * splat(c.ln2_low)));
}

// ln of hi + lo, a normalised positive finite double-double whose error is
// taken as zero. |error| < kLogDoubleDoubleError |ln x|.
//
// Error: f is exact up to u^2; the quotient carries 12 u^2, z 25 u^2, the eleven
// double-double steps of a Horner chain in z < 0.03 add below 40 u^2 z to the
// last sum 1 + ..., the two products after it 16 u^2. The terms summed in
// float64 lie below z^11 < 2^-55. k ln 2 is at least twice ln m. Total below
// 128 u^2 = 2^-99.
inline constexpr double kLogDoubleDoubleError = 0x1p-98;
DoubleDouble<double> log(DoubleDouble<double> x);

// The same in half the time: from z^4 on in float64, which costs 2^-53 of what is
// below z^4 / 9 < 2^-23.5 of the whole, and cut after z^15, below 2^-86.
// |error| < kLogQuickError |ln x|.
inline constexpr double kLogQuickError = 0x1p-73;
DoubleDouble<double> log_quick(DoubleDouble<double> x);

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_LOG_H_
