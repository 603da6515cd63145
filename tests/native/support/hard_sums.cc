#include "support/hard_sums.h"

#include <mpfr.h>

#include <algorithm>

namespace onnx_reduce::testing {
namespace {

// Exponent of the smallest subnormal.
int smallest_of(const TypeInfo& t) { return 1 - t.emax - (t.precision - 1); }

// The largest positive number of the type that is at most x > 0, taken from x;
// 0 when there is none.
uint64_t take_number(const TypeInfo& t, mpfr_t x, mpfr_t piece) {
  const int64_t e = std::min<int64_t>(mpfr_get_exp(x) - 1, t.emax);
  const int64_t place = std::max<int64_t>(smallest_of(t), e - t.precision + 1);
  mpfr_mul_2si(piece, x, -place, MPFR_RNDZ);
  uint64_t bits = std::min<uint64_t>(mpfr_get_uj(piece, MPFR_RNDZ), (uint64_t{1} << t.precision) - 1);
  mpfr_set_uj_2exp(piece, bits, place, MPFR_RNDN);
  if (bits >> (t.precision - 1) != 0) {
    bits -= uint64_t{1} << (t.precision - 1);
    bits |= static_cast<uint64_t>(place + t.precision - 1 + t.emax) << (t.precision - 1);
  }
  return bits;
}

// Appends elements whose squares sum up to x >= 0, as far as the type goes.
void append_squares(const TypeInfo& t, mpfr_t x, std::vector<uint64_t>& elements) {
  mpfr_t root, piece;
  mpfr_init2(root, 70);
  mpfr_init2(piece, 140);
  while (mpfr_sgn(x) > 0 && elements.size() < 400) {
    mpfr_sqrt(root, x, MPFR_RNDZ);
    const uint64_t bits = take_number(t, root, piece);
    if (bits == 0) break;
    mpfr_sqr(piece, piece, MPFR_RNDN);
    mpfr_sub(x, x, piece, MPFR_RNDN);
    elements.push_back(bits);
  }
  mpfr_clear(root);
  mpfr_clear(piece);
}

}  // namespace

std::vector<uint64_t> squares_of(const TypeInfo& t, uint64_t n) {
  mpfr_t x;
  mpfr_init2(x, 200);
  mpfr_set_uj(x, n, MPFR_RNDN);
  std::vector<uint64_t> elements;
  append_squares(t, x, elements);
  mpfr_clear(x);
  return elements;
}

std::vector<uint64_t> hard_square_sum(Random& random, const TypeInfo& t, size_t random_count) {
  const int p = t.precision;
  mpfr_t sum, piece, target;
  mpfr_init2(sum, 5000);
  mpfr_init2(target, 5000);
  mpfr_init2(piece, 140);
  mpfr_set_zero(sum, 1);
  std::vector<uint64_t> elements;
  // Exponents of which the squares neither overflow nor become subnormal.
  const int middle = random.between(-t.emax / 4, t.emax / 4);
  for (size_t i = 0; i < random_count; ++i) {
    const int e = middle - static_cast<int>(random.below(4));
    const uint64_t m = (uint64_t{1} << (p - 1)) | (random.next64() >> (65 - p));
    elements.push_back((static_cast<uint64_t>(e + t.emax) << (p - 1)) | (m - (uint64_t{1} << (p - 1))));
    mpfr_set_uj_2exp(piece, m, e - p + 1, MPFR_RNDN);
    mpfr_sqr(piece, piece, MPFR_RNDN);
    mpfr_add(sum, sum, piece, MPFR_RNDN);
  }
  // The next odd multiple of half an ulp.
  const int64_t half = mpfr_get_exp(sum) - 1 - p;
  mpfr_mul_2si(target, sum, -half - 1, MPFR_RNDN);
  mpfr_floor(target, target);
  mpfr_add_ui(target, target, 1, MPFR_RNDN);
  mpfr_mul_2si(target, target, half + 1, MPFR_RNDN);
  mpfr_set_ui_2exp(piece, 1, half, MPFR_RNDN);
  mpfr_add(target, target, piece, MPFR_RNDN);
  // A little beside it.
  const int way = random.between(-1, 1);
  const int64_t least = 2 * int64_t{smallest_of(t)};
  const int64_t beside = random.below(4) == 0 ? least : std::max<int64_t>(least, half - random.between(7, 57));
  mpfr_set_si_2exp(piece, way, beside, MPFR_RNDN);
  mpfr_add(target, target, piece, MPFR_RNDN);
  mpfr_sub(target, target, sum, MPFR_RNDN);
  append_squares(t, target, elements);
  mpfr_clears(sum, piece, target, static_cast<mpfr_ptr>(nullptr));
  return elements;
}

std::vector<uint64_t> hard_log_sum(Random& random, const TypeInfo& t, int64_t closeness) {
  const int p = t.precision;
  const int smallest = smallest_of(t);
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
  const int64_t keep = closeness != 0             ? closeness - exponent
                       : random.below(3) == 0 ? 2000
                                              : random.between(p, 4 * p);
  const int64_t grid = std::max<int64_t>(smallest, leading - keep);
  mpfr_mul_2si(x, x, -grid, MPFR_RNDN);
  mpfr_rint(x, x, MPFR_RNDN);
  mpfr_mul_2si(x, x, grid, MPFR_RNDN);
  // In elements of p bits each, the largest first.
  std::vector<uint64_t> elements;
  while (!mpfr_zero_p(x)) {
    elements.push_back(take_number(t, x, piece));
    mpfr_sub(x, x, piece, MPFR_RNDN);
  }
  mpfr_clear(x);
  mpfr_clear(piece);
  return elements;
}

}  // namespace onnx_reduce::testing
