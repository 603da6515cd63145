#include "support/hard_log.h"

#include <mpfr.h>

#include <algorithm>

namespace onnx_reduce::testing {

std::vector<uint64_t> hard_log_sum(Random& random, const TypeInfo& t) {
  const int p = t.precision;
  const int smallest = 1 - t.emax - (p - 1);  // exponent of the smallest subnormal
  // |y| below ln 2^emax; from there down to tiny ones, where the sum is next to 1.
  int top = 0;
  while ((1 << (top + 1)) < t.emax * 0.69) ++top;
  const int exponent = top - static_cast<int>(random.below(random.below(2) ? 4u : static_cast<uint32_t>(3 * p)));
  const int last = std::max(exponent - p + 1, smallest);
  const uint64_t m = (uint64_t{1} << (p - 1)) | (random.next64() >> (65 - p));
  mpfr_t x, piece;
  mpfr_init2(x, 2500);
  mpfr_init2(piece, 70);
  mpfr_set_uj_2exp(x, 2 * m + 1, last - 1, MPFR_RNDN);
  // Eight of the largest numbers at most; half of a middle is a middle, too.
  if (mpfr_cmp_d(x, 0.69 * (t.emax + 3)) > 0) mpfr_div_2ui(x, x, 1, MPFR_RNDN);
  if (random.below(2)) mpfr_neg(x, x, MPFR_RNDN);
  mpfr_exp(x, x, MPFR_RNDN);
  // To a grid: the type's own at the finest.
  const int64_t leading = mpfr_get_exp(x) - 1;
  const int64_t keep = random.below(3) == 0 ? 2000 : random.between(p, 4 * p);
  const int64_t grid = std::max<int64_t>(smallest, leading - keep);
  mpfr_mul_2si(x, x, -grid, MPFR_RNDN);
  mpfr_rint(x, x, MPFR_RNDN);
  mpfr_mul_2si(x, x, grid, MPFR_RNDN);
  // In elements of p bits each, the largest first.
  std::vector<uint64_t> elements;
  while (!mpfr_zero_p(x)) {
    const int64_t e = std::min<int64_t>(mpfr_get_exp(x) - 1, t.emax);
    const int64_t place = std::max<int64_t>(smallest, e - p + 1);
    mpfr_mul_2si(piece, x, -place, MPFR_RNDZ);
    uint64_t bits = std::min(mpfr_get_uj(piece, MPFR_RNDZ), (uint64_t{1} << p) - 1);
    mpfr_set_uj_2exp(piece, bits, place, MPFR_RNDN);
    mpfr_sub(x, x, piece, MPFR_RNDN);
    const bool normal = bits >> (p - 1) != 0;
    if (normal) {
      bits -= uint64_t{1} << (p - 1);
      bits |= static_cast<uint64_t>(place + p - 1 + t.emax) << (p - 1);
    }
    elements.push_back(bits);
  }
  mpfr_clear(x);
  mpfr_clear(piece);
  return elements;
}

}  // namespace onnx_reduce::testing
