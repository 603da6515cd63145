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

// ln 2 as a double-double; |error| < 2^-110.
inline constexpr DoubleDouble<double> kLn2{0x1.62e42fefa39efp-1,
                                           0x1.abc9e3b39803fp-56};

// The constants of the vector logarithm, in memory on purpose and in both lanes:
// engines build a vector constant from immediates, three or four instructions
// each time, where a load is one. The core is not optimised across files, so
// the compiler does not see their values.
struct LogConstants {
  f64x2 odd[3];
  f64x2 even[3];
  f64x2 ln2;
  f64x2 exponent_bits;  // 2^52 as bits: reads an integer below 2^52
  f64x2 exponent_zero;  // 2^52 + 1024
  u64x2 offset;         // see kSqrtHalfBits
  u64x2 exponent_1024;
};
extern const LogConstants kLogConstants;

// ln of positive, finite, normal numbers. |error| < kLogError |ln x|: enough to
// decide all but one in 2^15 results of float32, more of the narrower formats.
//
// Error: f is exact; s = f / (2 + f) carries 2u, z 5u. The series is cut after
// z^6, which leaves less than z^7 / 15 * 1.04 < 2^-39.4 of ln m; the roundings,
// that of ln 2 included, stay below 2^-49. k ln 2 is at least twice ln m.
//
// In two steps: where there are many, each step is a loop of its own, as the
// chain of both is too long for a processor to overlap.
inline constexpr double kLogError = 0x1p-39;
struct LogParts {
  f64x2 k;  // x = 2^k (1 + f)
  f64x2 s;  // f / (2 + f)
};
ONNX_REDUCE_INLINE LogParts log_parts(f64x2 x, const LogConstants& c) {
  const u64x2 b = bits<u64x2>(x);
  // Offset so that the shift is a logical one (SSE has no other for 64 bits);
  // the exponent is then read as an integer below 2^52 through the 2^52 bits.
  const u64x2 biased = (b + c.offset) >> 52;
  const f64x2 k = bits<f64x2>(biased | bits<u64x2>(c.exponent_bits)) - c.exponent_zero;
  const f64x2 f = bits<f64x2>(b + c.exponent_1024 - (biased << 52)) - 1.0;
  return {k, f / (f + 2.0)};
}
ONNX_REDUCE_INLINE f64x2 log_of_parts(f64x2 k, f64x2 s, const LogConstants& c) {
  const f64x2 z = s * s;
  const f64x2 w = z * z;
  // Odd and even coefficients apart: two short chains instead of a long one.
  const f64x2 odd = c.odd[0] + w * (c.odd[1] + w * c.odd[2]);
  const f64x2 even = c.even[0] + w * (c.even[1] + w * c.even[2]);
  return k * c.ln2 + s * (2.0 + (z * odd + w * even));
}
ONNX_REDUCE_INLINE f64x2 log(f64x2 x, const LogConstants& c) {
  const LogParts parts = log_parts(x, c);
  return log_of_parts(parts.k, parts.s, c);
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

// The same for many, with fewer bits: replaces `count` normalised double-doubles
// in (2^-900, 2^900) by their logarithms; `count` is a multiple of 4.
// |error| < kLogQuickError |ln x|.
//
// Error: the quotient s carries 6 u^2 and more: its second part is a plain one
// with an error of 2^-53 u. From z^2 on the series is summed in float64, which
// costs 3u of what is below z^2 / 5 < 2^-12.4 of the whole: 2^-63.8. It is cut
// after z^13, below 2^-73. The rest is double-double arithmetic.
inline constexpr double kLogQuickError = 0x1p-63;
void log_quick(double* hi, double* lo, int32_t count);

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_LOG_H_
