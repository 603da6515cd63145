// Exact sums of several outputs at a time, for what the rounding test leaves
// undecided.
//
// Each output is a lane. Its terms run through a cascade of four two-sums: the
// first part takes the term and hands on what this addition rounds off, the
// second takes that, and so on. As long as the fourth rounds nothing off, the four
// parts are the exact sum: for up to four terms always, for more where they lie
// within some 200 bits of each other. A lane that lost something goes on in the
// long accumulator, from the block of terms in which it happened.
#ifndef ONNX_REDUCE_EXACT_LANES_H_
#define ONNX_REDUCE_EXACT_LANES_H_

#include "exact_sum.h"

namespace onnx_reduce {

class ExactLanes {
 public:
  static constexpr int kLanes = 16;
  // Elements that a lane takes at a time; each may be two terms.
  static constexpr int kElements = 32;

  // Begins sums in the first `lanes` lanes. `narrow`: no sum of the terms
  // overflows, so infinities and NaN are what IEEE addition makes of them.
  void begin(int lanes, bool narrow);
  // Where terms are put before add(): row by row, kLanes apart. The square of a
  // float64 is two rows, p and e with p + e = x^2 exactly, or NaN and x where
  // float64 has no such two; any other term is one row.
  double terms[2 * kElements * kLanes];
  void add(int rows, bool split_squares);

  // Ends adding. For logarithms the sum of lane k is now value[0][k] +
  // value[1][k] + value[2][k] and less than half a last place of that; each is
  // the sum of itself and all that follow, rounded to float64. Otherwise
  // value[0] rounds to every format as the sum does, and value[1] is zero.
  // Where value[0] is not finite, round() has the result.
  void finish(bool log);
  double value[4][kLanes];

  // The result of lane k, as bits: where nothing quicker has decided it.
  uint64_t round(int k, bool log, const Format& format);

 private:
  bool is_long(int k) const { return (long_ >> k & 1) != 0; }
  void keep(int k, const f64x2* parts, uint32_t lost);
  void lengthen(int k);
  void add_terms(int k, int rows, bool split_squares);
  void settle(int k);

  int lanes_;
  bool narrow_;
  bool first_;     // nothing was added yet
  uint32_t long_;  // a bit for each lane that is in its long accumulator
  ExactSum sums_[kLanes];
};

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_EXACT_LANES_H_
