// A small seeded generator (sfc32 of the PractRand suite). It is the twin of
// tests/exact/random.mjs: equal seeds draw equal numbers in both languages.
#ifndef ONNX_REDUCE_TESTS_RANDOM_H_
#define ONNX_REDUCE_TESTS_RANDOM_H_

#include <cstdint>

namespace onnx_reduce::testing {

class Random {
 public:
  explicit Random(uint32_t seed, uint32_t stream = 0) : a_(seed), b_(stream) {
    for (int i = 0; i < 16; ++i) next();
  }

  uint32_t next() {
    const uint32_t t = a_ + b_ + d_;
    ++d_;
    a_ = b_ ^ (b_ >> 9);
    b_ = c_ + (c_ << 3);
    c_ = ((c_ << 21) | (c_ >> 11)) + t;
    return t;
  }

  // An integer in [0, n).
  uint32_t below(uint32_t n) { return n == 0 ? 0 : next() % n; }

  // An integer in [from, to].
  int between(int from, int to) {
    return from + static_cast<int>(below(static_cast<uint32_t>(to - from + 1)));
  }

  uint64_t next64() {
    const uint64_t high = next();
    return (high << 32) | next();
  }

 private:
  uint32_t a_;
  uint32_t b_;
  uint32_t c_ = 0x9e3779b9;
  uint32_t d_ = 1;
};

}  // namespace onnx_reduce::testing

#endif  // ONNX_REDUCE_TESTS_RANDOM_H_
