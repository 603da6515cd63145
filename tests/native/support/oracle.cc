#include "support/oracle.h"

#include <mpfr.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace onnx_reduce::testing {
namespace {

constexpr mpfr_prec_t kSumPrecision = 5000;

// One MPFR number with a fixed precision.
class Number {
 public:
  explicit Number(mpfr_prec_t precision) { mpfr_init2(x, precision); }
  ~Number() { mpfr_clear(x); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  mpfr_t x;
};

// Numbers of 5000 bits are costly to make, so each is made once.
Number& wide(int which) {
  static Number numbers[2] = {Number(kSumPrecision), Number(128)};
  return numbers[which];
}

// Exact 53-bit-or-less y to the storage bits of a format that holds it.
uint64_t pack(const TypeInfo& t, double y) {
  const uint64_t sign = std::signbit(y) ? sign_of(t) : 0;
  y = std::fabs(y);
  if (y == 0) return sign;
  if (std::isinf(y)) return sign | infinity_of(t);
  int exponent;
  const double fraction = std::frexp(y, &exponent);  // in [1/2, 1)
  const int emin = 1 - t.emax;
  if (exponent - 1 < emin) {
    return sign | static_cast<uint64_t>(std::ldexp(y, t.precision - 1 - emin));
  }
  const uint64_t significand = static_cast<uint64_t>(std::ldexp(fraction, t.precision));
  const uint64_t hidden = uint64_t{1} << (t.precision - 1);
  return sign | (static_cast<uint64_t>(exponent - 1 + t.emax) << (t.precision - 1)) |
         (significand - hidden);
}

// Ends a computation whose result y (of the format's precision) has the ternary
// value `ternary`: overflow and subnormals by MPFR's own rules.
uint64_t finish(const TypeInfo& t, mpfr_t y, int ternary) {
  const mpfr_exp_t old_emin = mpfr_get_emin();
  const mpfr_exp_t old_emax = mpfr_get_emax();
  mpfr_set_emin(1 - t.emax - (t.precision - 1) + 1);
  mpfr_set_emax(t.emax + 1);
  ternary = mpfr_check_range(y, ternary, MPFR_RNDN);
  mpfr_subnormalize(y, ternary, MPFR_RNDN);
  mpfr_set_emin(old_emin);
  mpfr_set_emax(old_emax);
  return pack(t, mpfr_get_d(y, MPFR_RNDN));
}

uint64_t expected_float(Operator op, const TypeInfo& t, const std::vector<uint64_t>& slice) {
  const bool square = op == Operator::kReduceSumSquare;
  Number& sum = wide(0);
  Number& term = wide(1);
  mpfr_set_zero(sum.x, 1);
  bool nan = false, plus = false, minus = false;
  const uint64_t fraction_mask = (uint64_t{1} << (t.precision - 1)) - 1;
  for (const uint64_t bits : slice) {
    const bool negative = (bits & sign_of(t)) != 0;
    const uint64_t magnitude = bits & (sign_of(t) - 1);
    if (magnitude > infinity_of(t)) {
      nan = true;
      continue;
    }
    if (magnitude == infinity_of(t)) {
      (negative && !square ? minus : plus) = true;
      continue;
    }
    const int biased = static_cast<int>(magnitude >> (t.precision - 1));
    const uint64_t fraction = magnitude & fraction_mask;
    const uint64_t m = biased == 0 ? fraction : fraction + fraction_mask + 1;
    const int e = (biased == 0 ? 1 : biased) - t.emax - (t.precision - 1);
    mpfr_set_uj_2exp(term.x, m, e, MPFR_RNDN);
    if (square) mpfr_sqr(term.x, term.x, MPFR_RNDN);
    const int inexact = negative && !square ? mpfr_sub(sum.x, sum.x, term.x, MPFR_RNDN)
                                            : mpfr_add(sum.x, sum.x, term.x, MPFR_RNDN);
    if (inexact != 0) std::abort();  // the oracle must be exact
  }
  if (nan || (plus && minus)) return nan_of(t);
  if (plus) return infinity_of(t);
  if (minus) return nan_of(t);  // only of a sum: its logarithm
  Number y(t.precision);
  if (square) {
    if (mpfr_zero_p(sum.x)) return 0;
    return finish(t, y.x, mpfr_set(y.x, sum.x, MPFR_RNDN));
  }
  if (mpfr_zero_p(sum.x)) return infinity_of(t) | sign_of(t);
  if (mpfr_sgn(sum.x) < 0) return nan_of(t);
  if (mpfr_cmp_ui(sum.x, 1) == 0) return 0;
  return finish(t, y.x, mpfr_log(y.x, sum.x, MPFR_RNDN));
}

uint64_t expected_integer(Operator op, const TypeInfo& t, const std::vector<uint64_t>& slice) {
  uint64_t squares = 0;
  __int128 sum = 0;
  for (uint64_t bits : slice) {
    if (t.is_signed && (bits & sign_of(t))) bits |= ~mask_of(t);
    squares += bits * bits;
    sum += t.is_signed ? static_cast<__int128>(static_cast<int64_t>(bits))
                       : static_cast<__int128>(bits);
  }
  if (op == Operator::kReduceSumSquare) return squares & mask_of(t);
  if (sum <= 0) return t.is_signed ? sign_of(t) : 0;
  uint64_t k = 0;
  while (static_cast<unsigned __int128>(sum) >= ceiling_of_power(k + 1)) ++k;
  return k;
}

}  // namespace

unsigned __int128 ceiling_of_power(uint64_t k) {
  static std::vector<unsigned __int128> table;
  while (table.size() < k) {
    Number e(300);
    mpfr_set_ui(e.x, table.size() + 1, MPFR_RNDN);
    mpfr_exp(e.x, e.x, MPFR_RNDN);
    mpfr_ceil(e.x, e.x);
    // In two halves.
    Number high(64), rest(300);
    mpfr_div_2ui(high.x, e.x, 64, MPFR_RNDZ);
    mpfr_floor(high.x, high.x);
    mpfr_mul_2ui(rest.x, high.x, 64, MPFR_RNDN);
    mpfr_sub(rest.x, e.x, rest.x, MPFR_RNDN);
    const unsigned __int128 upper = mpfr_get_uj(high.x, MPFR_RNDZ);
    table.push_back((upper << 64) + mpfr_get_uj(rest.x, MPFR_RNDZ));
  }
  return table[k - 1];
}

uint64_t rounded(Type type, bool negative, uint64_t m, int64_t e) {
  const TypeInfo& t = info_of(type);
  if (m == 0) return negative ? sign_of(t) : 0;
  Number exact(64), y(t.precision);
  mpfr_set_uj_2exp(exact.x, m, e, MPFR_RNDN);
  if (negative) mpfr_neg(exact.x, exact.x, MPFR_RNDN);
  return finish(t, y.x, mpfr_set(y.x, exact.x, MPFR_RNDN));
}

uint64_t expected_of(Operator op, Type type, const std::vector<uint64_t>& slice) {
  const TypeInfo& t = info_of(type);
  return t.floating ? expected_float(op, t, slice) : expected_integer(op, t, slice);
}

int64_t output_count(const Tensor& tensor) {
  int64_t count = 1;
  for (size_t axis = 0; axis < tensor.dims.size(); ++axis) {
    if (!tensor.reduced[axis]) count *= tensor.dims[axis];
  }
  return count;
}

std::vector<int64_t> outputs_of_elements(const Tensor& tensor) {
  int64_t total = 1;
  for (const int64_t dim : tensor.dims) total *= dim;
  std::vector<int64_t> outputs(static_cast<size_t>(total));
  for (int64_t element = 0; element < total; ++element) {
    // Digits of the element's index, the last axis first.
    int64_t rest = element, output = 0, step = 1;
    for (size_t axis = tensor.dims.size(); axis-- > 0;) {
      const int64_t digit = rest % tensor.dims[axis];
      rest /= tensor.dims[axis];
      if (tensor.reduced[axis]) continue;
      output += digit * step;
      step *= tensor.dims[axis];
    }
    outputs[static_cast<size_t>(element)] = output;
  }
  return outputs;
}

std::vector<uint64_t> expected_of(Operator op, const Tensor& tensor) {
  std::vector<std::vector<uint64_t>> slices(static_cast<size_t>(output_count(tensor)));
  const std::vector<int64_t> outputs = outputs_of_elements(tensor);
  for (size_t i = 0; i < outputs.size(); ++i) {
    slices[static_cast<size_t>(outputs[i])].push_back(tensor.bits[i]);
  }
  std::vector<uint64_t> results;
  results.reserve(slices.size());
  for (const auto& slice : slices) results.push_back(expected_of(op, tensor.type, slice));
  return results;
}

}  // namespace onnx_reduce::testing
