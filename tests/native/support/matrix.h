// The test matrix: every operator with every type.
#ifndef ONNX_REDUCE_TESTS_MATRIX_H_
#define ONNX_REDUCE_TESTS_MATRIX_H_

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/corpus.h"
#include "support/run.h"

namespace onnx_reduce::testing {

class OperatorTypeTest : public ::testing::TestWithParam<std::tuple<int, int>> {
 protected:
  Operator op() const { return kOperators[std::get<0>(GetParam())]; }
  const TypeInfo& type() const { return kTypes[std::get<1>(GetParam())]; }
  int kinds() const { return type().floating ? kFloatKinds : kIntegerKinds; }

  Tensor tensor(std::vector<int64_t> dims, std::vector<uint8_t> reduced) const {
    return Tensor{type().type, std::move(dims), std::move(reduced), {}};
  }
  static size_t elements(const Tensor& t) {
    size_t n = 1;
    for (const int64_t dim : t.dims) n *= static_cast<size_t>(dim);
    return n;
  }
};

inline std::string matrix_name(const ::testing::TestParamInfo<std::tuple<int, int>>& info) {
  return std::string(name_of(kOperators[std::get<0>(info.param)])) + "_" +
         kTypes[std::get<1>(info.param)].name;
}

#define ONNX_REDUCE_MATRIX(suite, types)                                            \
  INSTANTIATE_TEST_SUITE_P(Every, suite,                                            \
                           ::testing::Combine(::testing::Range(0, 2),               \
                                              ::testing::Range(0, types)),          \
                           matrix_name)

}  // namespace onnx_reduce::testing

#endif  // ONNX_REDUCE_TESTS_MATRIX_H_
