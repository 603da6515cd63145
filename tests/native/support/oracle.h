// What the operators must give, bit for bit, by MPFR: sums in 5000 bits are
// exact for every float64 and every square of one, and MPFR rounds and takes
// logarithms correctly. Integers are done in 128 bits. Shares no code with the
// core.
#ifndef ONNX_REDUCE_TESTS_ORACLE_H_
#define ONNX_REDUCE_TESTS_ORACLE_H_

#include <cstdint>
#include <vector>

#include "support/types.h"

namespace onnx_reduce::testing {

// A tensor as storage bits, one element a word.
struct Tensor {
  Type type = Type::k_float32;
  std::vector<int64_t> dims;
  std::vector<uint8_t> reduced;
  std::vector<uint64_t> bits;
};

// The result for one slice.
uint64_t expected_of(Operator op, Type type, const std::vector<uint64_t>& slice);

// The results for a whole tensor, in the output's C order.
std::vector<uint64_t> expected_of(Operator op, const Tensor& tensor);

// Number of outputs, and for each element (in C order) the output it goes to.
int64_t output_count(const Tensor& tensor);
std::vector<int64_t> outputs_of_elements(const Tensor& tensor);

// ceil(e^k): the smallest integer whose logarithm is at least k >= 1; k < 88.
unsigned __int128 ceiling_of_power(uint64_t k);

// Storage bits of sign * m * 2^e rounded to a floating type.
uint64_t rounded(Type type, bool negative, uint64_t m, int64_t e);

}  // namespace onnx_reduce::testing

#endif  // ONNX_REDUCE_TESTS_ORACLE_H_
