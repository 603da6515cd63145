// Sums whose logarithm lies next to the middle of two numbers of a type.
#ifndef ONNX_REDUCE_TESTS_HARD_LOG_H_
#define ONNX_REDUCE_TESTS_HARD_LOG_H_

#include <cstdint>
#include <vector>

#include "support/random.h"
#include "support/types.h"

namespace onnx_reduce::testing {

// Elements that sum up to e^y, y half-way between two neighbours of the type,
// rounded to a random number of bits (as many as the type's exponents allow):
// the more bits, the closer to the tie.
std::vector<uint64_t> hard_log_sum(Random& random, const TypeInfo& t);

}  // namespace onnx_reduce::testing

#endif  // ONNX_REDUCE_TESTS_HARD_LOG_H_
