#include "support/plan_check.h"

#include <cmath>
#include <sstream>
#include <vector>

#include "support/run.h"

namespace onnx_reduce::testing {
namespace {

// Takes bytes until there are none, then zeros.
class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  uint32_t next() { return at_ < size_ ? data_[at_++] : 0; }
  uint32_t next16() {
    const uint32_t low = next();
    return low | next() << 8;
  }

 private:
  const uint8_t* data_;
  size_t size_;
  size_t at_ = 0;
};

constexpr int64_t kMostElements = 200000;

// Small integers, deterministic in the element's index.
int value_at(uint32_t seed, int64_t index) {
  uint32_t h = (static_cast<uint32_t>(index) + seed) * 0x9e3779b9u;
  h ^= h >> 15;
  h *= 0x85ebca6bu;
  return static_cast<int>(h >> 29);  // 0..7
}

uint64_t encode(const TypeInfo& t, int value) {
  if (!t.floating) return static_cast<uint64_t>(value);
  if (value == 0) return 0;
  const int log2 = value >= 4 ? 2 : value >= 2 ? 1 : 0;
  const uint64_t m = static_cast<uint64_t>(value) << (t.precision - 1 - log2);
  return (static_cast<uint64_t>(t.emax + log2) << (t.precision - 1)) +
         (m - (uint64_t{1} << (t.precision - 1)));
}

// What a sum of small integers gives: by definition for integers, by the oracle
// (cached, as few sums occur) for floating types.
uint64_t result_of(Operator op, const TypeInfo& t, int64_t total) {
  if (op == Operator::kReduceSumSquare) {
    if (!t.floating) return static_cast<uint64_t>(total) & mask_of(t);
    return rounded(t.type, false, static_cast<uint64_t>(total), 0);
  }
  if (!t.floating) {
    if (total == 0) return t.is_signed ? sign_of(t) : 0;
    // Far enough from e^k for a double: totals stay below 2^21.
    return static_cast<uint64_t>(std::log(static_cast<double>(total)));
  }
  if (total == 0) return infinity_of(t) | sign_of(t);
  // As a float64 slice of one element it would be exact; in the type itself the
  // total may need several.
  std::vector<uint64_t> slice;
  const int64_t digit_base = int64_t{1} << (t.precision - 1);
  for (int64_t scale = 1; total > 0; total /= digit_base, scale *= digit_base) {
    const int64_t digit = total % digit_base;
    int log2 = 0;
    while (digit >> (log2 + 1)) ++log2;
    if (digit == 0) continue;
    int64_t exponent = log2;
    for (int64_t s = scale; s > 1; s /= 2) ++exponent;
    // Beyond the type's exponents: as many copies of the largest that fits.
    const int64_t excess = exponent > t.emax ? exponent - t.emax : 0;
    const uint64_t bits = (static_cast<uint64_t>(t.emax + exponent - excess) << (t.precision - 1)) +
                          ((static_cast<uint64_t>(digit) << (t.precision - 1 - log2)) -
                           (uint64_t{1} << (t.precision - 1)));
    slice.insert(slice.end(), size_t{1} << excess, bits);
  }
  return expected_of(op, t.type, slice);
}

}  // namespace

std::string check_plan(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  const Operator op = kOperators[bytes.next() & 1];
  const uint32_t which = bytes.next();
  // Mostly integers: they need no oracle.
  const TypeInfo& t = kTypes[which & 8 ? which % 8 : 4 + which % 4];
  const Way way = kWays[bytes.next() % 4];
  const uint32_t rank = bytes.next() % 12;
  const uint32_t seed = bytes.next();
  Tensor tensor;
  tensor.type = t.type;
  int64_t total = 1;
  int64_t product = 1;  // of the dims that are not 0: outputs may be that many
  for (uint32_t axis = 0; axis < rank; ++axis) {
    const uint32_t control = bytes.next();
    int64_t dim = control & 0x40 ? bytes.next16() : bytes.next() % 20;
    if (control & 0x20) dim = 1;
    const int64_t room = kMostElements / product;
    if (dim > room) dim = 1 + dim % room;
    if (dim > 0) product *= dim;
    total *= dim;
    tensor.dims.push_back(dim);
    tensor.reduced.push_back(control & 1);
  }
  tensor.bits.resize(static_cast<size_t>(total));
  const std::vector<int64_t> outputs = outputs_of_elements(tensor);
  std::vector<int64_t> totals(static_cast<size_t>(output_count(tensor)), 0);
  for (int64_t i = 0; i < total; ++i) {
    const int value = value_at(seed, i);
    tensor.bits[static_cast<size_t>(i)] = encode(t, value);
    totals[static_cast<size_t>(outputs[static_cast<size_t>(i)])] +=
        op == Operator::kReduceSumSquare ? value * value : value;
  }
  const Outcome outcome = run(op, tensor, way, static_cast<int>(seed % 5));
  if (outcome.status != Status::kOk) return describe(op, tensor) + ": the status is not ok";
  if (!outcome.complaint.empty()) return describe(op, tensor) + ": " + outcome.complaint;
  if (outcome.statistics.results != static_cast<int64_t>(totals.size())) {
    return describe(op, tensor) + ": the count of results is wrong";
  }
  int64_t last_total = -1;
  uint64_t last_result = 0;
  for (size_t i = 0; i < totals.size(); ++i) {
    if (totals[i] != last_total) {
      last_total = totals[i];
      last_result = result_of(op, t, last_total);
    }
    if (outcome.bits[i] == last_result) continue;
    std::ostringstream out;
    out << describe(op, tensor) << ": output " << i << std::hex << " is 0x" << outcome.bits[i]
        << ", expected 0x" << last_result;
    return out.str();
  }
  return {};
}

}  // namespace onnx_reduce::testing
