#include "exact_lanes.h"

#include <new>

#include "double_double.h"
#include "exact_log.h"

namespace onnx_reduce {
namespace {

bool is_finite(double x) { return x - x == 0; }

// Adds a term to one of the parts; what is left of it goes to the next.
ONNX_REDUCE_INLINE void cascade(f64x2& part, f64x2& term) {
  const DoubleDouble<f64x2> sum = two_sum(part, term);
  part = sum.hi;
  term = sum.lo;
}

constexpr int kFirst = 4;  // terms that the parts hold whatever they are

// x, or where `rest`, below half its last place, follows it and x is even, its
// odd neighbour on that side: x + rest rounded to odd. What is then rounded to
// nearest, with two bits less at least, is rounded as x + rest would be (Boldo,
// Melquiond, "Emulation of a FMA and correctly rounded sums", 2008).
double round_to_odd(double x, double rest) {
  const uint64_t b = bits<uint64_t>(x);
  if (rest == 0 || (b & 1)) return x;
  return bits<double>((x < 0) == (rest < 0) ? b + 1 : b - 1);
}

}  // namespace

// Stores the parts of two lanes, but not those of lost ones.
ONNX_REDUCE_INLINE void ExactLanes::keep(int k, const f64x2* parts, uint32_t lost) {
  const u64x2 mask = u64x2{lost & 1, lost >> 1} - 1;
#pragma clang loop unroll(full)
  for (int n = 0; n < 4; ++n) {
    store(value[n] + k, select(bits<i64x2>(mask), parts[n], load<f64x2>(value[n] + k)));
  }
}

void ExactLanes::begin(int lanes, bool narrow) {
  lanes_ = lanes;
  narrow_ = narrow;
  first_ = true;
  long_ = 0;
  // Lanes are summed in pairs.
  if (lanes & 1) {
    for (int i = 0; i < 2 * kElements; ++i) terms[i * kLanes + lanes] = 0;
  }
}

void ExactLanes::add(int rows, bool split_squares) {
  const int given = rows;
  for (; first_ && rows < kFirst; ++rows) {
    for (int k = 0; k < kLanes; ++k) terms[rows * kLanes + k] = 0;
  }
  for (int k = 0; k < lanes_; k += 2) {
    uint32_t lost = long_ >> k & 3;
    f64x2 p[4];
    if (lost != 3) {
      const double* row = terms + k;
      const double* const end = row + rows * kLanes;
      i64x2 kept;
      if (first_) {
#pragma clang loop unroll(full)
        for (int i = 0; i < kFirst; ++i, row += kLanes) p[i] = load<f64x2>(row);
        cascade(p[0], p[1]);
        cascade(p[0], p[2]);
        cascade(p[1], p[2]);
        cascade(p[0], p[3]);
        cascade(p[1], p[3]);
        cascade(p[2], p[3]);
        // NaN where anything was not finite.
        kept = p[3] - p[3] == f64x2{};
      } else {
#pragma clang loop unroll(full)
        for (int i = 0; i < 4; ++i) p[i] = load<f64x2>(value[i] + k);
        kept = i64x2{-1, -1};
      }
      for (; row != end; row += kLanes) {
        f64x2 term = load<f64x2>(row);
        cascade(p[0], term);
        cascade(p[1], term);
        cascade(p[2], term);
        cascade(p[3], term);
        kept &= term == f64x2{};
      }
      lost |= (kept[0] ? 0 : 1) | (kept[1] ? 0 : 2);
      keep(k, p, lost);
      if (lost == 0) continue;
    }
    for (int i = 0; i < 2; ++i) {
      if (!(lost >> i & 1)) continue;
      const double plain = i ? p[0][1] : p[0][0];
      if (narrow_ && !is_long(k + i) && !is_finite(plain)) {
        value[0][k + i] = plain;
        value[1][k + i] = value[2][k + i] = value[3][k + i] = 0;
      } else {
        add_terms(k + i, given, split_squares);
      }
    }
  }
  first_ = false;
}

// Goes on in the long accumulator. (A library's memset would be the only one.)
__attribute__((no_builtin("memset"))) void ExactLanes::lengthen(int k) {
  new (&sums_[k]) ExactSum;
  long_ |= 1u << k;
  for (int n = 0; n < 4 && !first_; ++n) sums_[k].add(value[n][k]);
}

void ExactLanes::add_terms(int k, int rows, bool split_squares) {
  if (!is_long(k)) lengthen(k);
  ExactSum& sum = sums_[k];
  for (int i = 0; i < rows; ++i) {
    const double x = terms[i * kLanes + k];
    if (split_squares && x != x) {
      sum.add_square(terms[++i * kLanes + k]);
    } else {
      sum.add(x);
    }
  }
}

// Gives a long lane values, too.
void ExactLanes::settle(int k) {
  ExactSum& sum = sums_[k];
  for (int n = 0; n < 3; ++n) {
    const double part = bits<double>(sum.round(kBinary64));
    value[n][k] = part;
    if (!is_finite(part)) return;
    sum.add(-part);
  }
  for (int n = 0; n < 3; ++n) sum.add(value[n][k]);
}

void ExactLanes::finish(bool log) {
  for (int k = 0; k < lanes_; k += 2) {
    f64x2 p[4];
#pragma clang loop unroll(full)
    for (int i = 0; i < 4; ++i) p[i] = load<f64x2>(value[i] + k);
    // Most ties, and sums of few whole numbers, are float64 as they are.
    if (!any(bits<u32x4>(p[1]) | bits<u32x4>(p[2]) | bits<u32x4>(p[3]))) continue;
    // Each pass moves the parts on towards the first; gaps of zeros close.
    i64x2 apart;
    int passes = 0;
    do {
      cascade(p[2], p[3]);
      cascade(p[1], p[2]);
      cascade(p[0], p[1]);
      apart = (p[0] + p[1] == p[0]) & (p[1] + p[2] == p[1]) & (p[2] + p[3] == p[2]);
    } while (!all(apart) && ++passes < 4);
    uint32_t lost = 0;
    for (int i = 0; i < 2 && !all(apart); ++i) {
      if (i ? apart[1] : apart[0]) continue;
      lost |= 1u << i;
      if (!is_long(k + i) && is_finite(value[0][k + i])) lengthen(k + i);
    }
    keep(k, p, lost);
  }
  for (int k = 0; k < lanes_ && (long_ != 0 || !log); ++k) {
    if (is_long(k)) settle(k);
    if (log) continue;
    // The long accumulator has rounded already.
    const double sum = value[0][k];
    value[0][k] = narrow_      ? round_to_odd(sum, value[1][k])
                  : is_long(k) ? sum
                               : sum + round_to_odd(value[1][k], value[2][k]);
    value[1][k] = 0;
  }
}

uint64_t ExactLanes::round(int k, bool log, const Format& format) {
  if (!is_long(k)) {
    const double sum = value[0][k];
    if (!is_finite(sum)) return log && sum < 0 ? nan_bits(format) : round_double(bits<uint64_t>(sum), format);
    lengthen(k);
  }
  // ln(1 + lo) = lo - lo^2 / 2 ...
  const double lo = value[1][k];
  if (!narrow_ && value[0][k] == 1 && value[2][k] == 0 && lo < 0x1p-900 && lo > -0x1p-900) {
    return bits<uint64_t>(lo);
  }
  return log ? round_log(sums_[k], format) : sums_[k].round(format);
}

}  // namespace onnx_reduce
