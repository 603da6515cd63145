// Shapes from bytes: what the fuzzer and a test of fixed length share.
#ifndef ONNX_REDUCE_TESTS_PLAN_CHECK_H_
#define ONNX_REDUCE_TESTS_PLAN_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace onnx_reduce::testing {

// Bytes become operator, type, dims, axes and data of small integers; reduce()
// must agree with one plain loop over the elements. Sums of small integers are
// exact, so it is the shape logic that is judged. Empty when all is right.
std::string check_plan(const uint8_t* data, size_t size);

}  // namespace onnx_reduce::testing

#endif  // ONNX_REDUCE_TESTS_PLAN_CHECK_H_
