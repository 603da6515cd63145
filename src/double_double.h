// Error-free transformations and the double-double numbers made of them.
//
// Sources: Knuth, TAOCP 2, 4.2.2 (two-sum); Dekker, "A floating-point technique
// for extending the available precision" (1971); Ogita, Rump, Oishi, "Accurate
// sum and dot product" (2005). u = 2^-53 throughout. All of it assumes that the
// compiler neither reassociates nor fuses: -ffp-contract=off, no fast-math.
#ifndef ONNX_REDUCE_DOUBLE_DOUBLE_H_
#define ONNX_REDUCE_DOUBLE_DOUBLE_H_

#include "simd.h"

namespace onnx_reduce {

// T is double or f64x2.
template <typename T>
struct DoubleDouble {
  T hi;
  T lo;
};

// a + b = hi + lo exactly (without overflow).
template <typename T>
ONNX_REDUCE_INLINE DoubleDouble<T> two_sum(T a, T b) {
  const T s = a + b;
  const T bb = s - a;
  return {s, (a - (s - bb)) + (b - bb)};
}

// The same where |a| >= |b| or a = 0.
template <typename T>
ONNX_REDUCE_INLINE DoubleDouble<T> fast_two_sum(T a, T b) {
  const T s = a + b;
  return {s, b - (s - a)};
}

// (hi, lo) + b, relative error at most 2u^2.
template <typename T>
ONNX_REDUCE_INLINE DoubleDouble<T> add(DoubleDouble<T> a, T b) {
  const DoubleDouble<T> s = two_sum(a.hi, b);
  return fast_two_sum(s.hi, s.lo + a.lo);
}

// The accurate sum of Li et al. (XBLAS): error at most 3u^2 |a + b| even where
// a and b cancel.
template <typename T>
ONNX_REDUCE_INLINE DoubleDouble<T> add(DoubleDouble<T> a, DoubleDouble<T> b) {
  const DoubleDouble<T> s = two_sum(a.hi, b.hi);
  const DoubleDouble<T> t = two_sum(a.lo, b.lo);
  const DoubleDouble<T> v = fast_two_sum(s.hi, s.lo + t.hi);
  return fast_two_sum(v.hi, t.lo + v.lo);
}

// a * b = hi + lo exactly, barring overflow and underflow: Dekker's product
// with Veltkamp's split, as wasm has no fused multiply-add.
template <typename T>
ONNX_REDUCE_INLINE DoubleDouble<T> split(T a) {
  const T c = 134217729.0 * a;  // 2^27 + 1
  const T hi = c - (c - a);
  return {hi, a - hi};
}
template <typename T>
ONNX_REDUCE_INLINE DoubleDouble<T> two_product(T a, T b) {
  const T p = a * b;
  const DoubleDouble<T> x = split(a);
  const DoubleDouble<T> y = split(b);
  const T e = x.lo * y.lo - (((p - x.hi * y.hi) - x.lo * y.hi) - x.hi * y.lo);
  return {p, e};
}

// Relative error at most 7u^2.
template <typename T>
ONNX_REDUCE_INLINE DoubleDouble<T> multiply(DoubleDouble<T> a, DoubleDouble<T> b) {
  const DoubleDouble<T> p = two_product(a.hi, b.hi);
  return fast_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
template <typename T>
ONNX_REDUCE_INLINE DoubleDouble<T> multiply(DoubleDouble<T> a, T b) {
  const DoubleDouble<T> p = two_product(a.hi, b);
  return fast_two_sum(p.hi, p.lo + a.lo * b);
}

// Relative error at most 10u^2: one step of long division with its remainder.
ONNX_REDUCE_INLINE DoubleDouble<double> divide(DoubleDouble<double> a,
                                               DoubleDouble<double> b) {
  const double q = a.hi / b.hi;
  const DoubleDouble<double> qb = multiply(b, q);
  const DoubleDouble<double> r = add(a, DoubleDouble<double>{-qb.hi, -qb.lo});
  const double q2 = r.hi / b.hi;
  const DoubleDouble<double> q2b = multiply(b, q2);
  const DoubleDouble<double> r2 = add(r, DoubleDouble<double>{-q2b.hi, -q2b.lo});
  return add(fast_two_sum(q, q2), r2.hi / b.hi);
}

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_DOUBLE_DOUBLE_H_
