// Sums that are hard to round: next to the middle of two numbers of a type,
// they or their logarithms.
#ifndef ONNX_REDUCE_TESTS_HARD_SUMS_H_
#define ONNX_REDUCE_TESTS_HARD_SUMS_H_

#include <cstdint>
#include <vector>

#include "support/random.h"
#include "support/types.h"

namespace onnx_reduce::testing {

// Elements that sum up to e^y, y half-way between two neighbours of the type,
// rounded to a random number of bits (as many as the type's exponents allow):
// the more bits, the closer to the tie. Or so that the logarithm is about
// 2^-closeness of itself away from the tie.
std::vector<uint64_t> hard_log_sum(Random& random, const TypeInfo& t, int64_t closeness = 0);

// `random_count` elements of full precision and some that bring the sum of all
// squares to a middle, or beside it by as little as the type can express, or by
// some 2^-60 to 2^-110 of it.
std::vector<uint64_t> hard_square_sum(Random& random, const TypeInfo& t, size_t random_count);

// Elements whose squares sum up to `n` exactly; n below 2^62.
std::vector<uint64_t> squares_of(const TypeInfo& t, uint64_t n);

}  // namespace onnx_reduce::testing

#endif  // ONNX_REDUCE_TESTS_HARD_SUMS_H_
