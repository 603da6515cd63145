// Calls the core on a tensor in each of the ways that data can come and go, and
// watches the borders: inputs lie in allocations of exactly their size (the
// address sanitizer sees one byte more), outputs between guard words.
#ifndef ONNX_REDUCE_TESTS_RUN_H_
#define ONNX_REDUCE_TESTS_RUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "support/oracle.h"

namespace onnx_reduce::testing {

enum class Way {
  kMemory,         // input and output are addresses
  kHost,           // both go through the host's functions
  kHostInput,      // input is asked for, output is an address
  kHostOutput,     // the other way round
};
inline constexpr Way kWays[] = {Way::kMemory, Way::kHost, Way::kHostInput, Way::kHostOutput};

struct Outcome {
  Status status = Status::kOk;
  std::vector<uint64_t> bits;
  Statistics statistics{};
  std::string complaint;  // what a host function was wrongly asked, or empty
};

// `misalign` elements are skipped at the front of the input's allocation.
Outcome run(Operator op, const Tensor& tensor, Way way = Way::kMemory, int misalign = 0);

// Storage bits to memory and back.
std::vector<uint8_t> to_bytes(const Tensor& tensor);
std::vector<uint64_t> from_bytes(Type type, const uint8_t* bytes, size_t count);

// A failing case in one line: what is needed to write it down as a test.
std::string describe(Operator op, const Tensor& tensor);

// Runs all ways and compares each with the oracle; empty when all is right.
std::string verify(Operator op, const Tensor& tensor);
std::string verify(Operator op, const Tensor& tensor, const std::vector<uint64_t>& expected);

}  // namespace onnx_reduce::testing

#endif  // ONNX_REDUCE_TESTS_RUN_H_
