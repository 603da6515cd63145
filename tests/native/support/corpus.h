// The shared corpus: case number i of a seed, the same in C++ and JavaScript
// (tests/exact/corpus.mjs is the twin of corpus.cc, line by line), so that the
// result bits of native and WebAssembly builds can be compared by a hash.
//
// Only 32-bit draws and integer arithmetic are used; no float ever decides
// anything.
#ifndef ONNX_REDUCE_TESTS_CORPUS_H_
#define ONNX_REDUCE_TESTS_CORPUS_H_

#include <cstdint>
#include <vector>

#include "support/oracle.h"
#include "support/random.h"

namespace onnx_reduce::testing {

struct CorpusCase {
  Operator op;
  Tensor tensor;
};

inline constexpr int kFloatKinds = 11;
inline constexpr int kIntegerKinds = 4;

// n values of one kind. Kinds of floating types: 0 any bits, 1 a window of
// exponents, 2 positive next to 1, 3 a window, cancelling in pairs, 4 constant,
// 5 extremes, 6 next to 1 with special values, 7 subnormals, 8 small integers,
// 9 one large number and many around half its last place (or the root of it),
// 10 all exponents. Of integers: 0 any bits, 1 small, 2 extremes, 3 all sizes.
std::vector<uint64_t> corpus_values(Random& random, const TypeInfo& t, int kind, size_t n);

CorpusCase corpus_case(uint32_t seed, uint32_t index);

// A digest of result bits, fed value by value; not cryptographic, but any
// changed bit changes it.
class Digest {
 public:
  void add(const TypeInfo& t, uint64_t bits) {
    if (t.bytes == 8) return word64(bits);
    word(static_cast<uint32_t>(bits));
  }
  void word(uint32_t w) {
    a_ = (a_ ^ w) * 0x01000193u;
    a_ ^= a_ >> 15;
    b_ = (b_ + w) * 0x85ebca6bu;
    b_ ^= b_ >> 13;
  }
  void word64(uint64_t w) {
    word(static_cast<uint32_t>(w));
    word(static_cast<uint32_t>(w >> 32));
  }
  uint64_t value() const { return (static_cast<uint64_t>(a_) << 32) | b_; }

 private:
  uint32_t a_ = 0x811c9dc5;
  uint32_t b_ = 0x9747b28c;
};

}  // namespace onnx_reduce::testing

#endif  // ONNX_REDUCE_TESTS_CORPUS_H_
