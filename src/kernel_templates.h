// The loops, written once over the policies of float_sums.h and
// integer_sums.h. See kernels.h for what each promises.
#ifndef ONNX_REDUCE_KERNEL_TEMPLATES_H_
#define ONNX_REDUCE_KERNEL_TEMPLATES_H_

#include "kernels.h"
#include "simd.h"

namespace onnx_reduce {

template <typename Policy>
ONNX_REDUCE_INLINE void step_partial(typename Policy::Short& to,
                                     const typename Policy::Element* p,
                                     int64_t count) {
  typename Policy::Element padded[Policy::kStep] = {};
  std::memcpy(padded, p, static_cast<size_t>(count) * sizeof *p);
  Policy::step(to, padded);
}

// Policy gives the sums, Result what becomes of them: add_row, add_short_row
// and add_lane merge a whole accumulator or one of its lanes into a partial,
// set_short_row and set_lane overwrite the partial.
template <typename Policy, typename Result>
struct KernelLoops {
  using Element = typename Policy::Element;
  using Short = typename Policy::Short;
  using Long = typename Policy::Long;
  static constexpr int kStep = Policy::kStep;
  static constexpr int kDepth = Policy::kDepth;
  static constexpr int kStreams = Policy::kStreams;

  // Walks distant runs at once: one stream of loads leaves the memory idle as
  // soon as there is arithmetic between them, and the streams' accumulators
  // are the independent chains that hide the latency of an addition.
  template <int kCount>
  ONNX_REDUCE_INLINE static void walk(const std::byte* const* from, int64_t length,
                                      Partials to, const int64_t* index) {
    const Element* p[kCount];
    for (int s = 0; s < kCount; ++s) {
      p[s] = reinterpret_cast<const Element*>(from[s]);
    }
    int64_t steps = length / kStep;
    const int64_t rest = length % kStep;
    if (steps < kDepth) {  // one block: no long sums needed
      Short shorts[kCount] = {};
      for (int64_t i = 0; i < steps; ++i) {
        for (int s = 0; s < kCount; ++s) {
          Policy::step(shorts[s], p[s]);
          p[s] += kStep;
        }
      }
      for (int s = 0; s < kCount; ++s) {
        if (rest != 0) step_partial<Policy>(shorts[s], p[s], rest);
        Result::add_short_row(to, index[s], shorts[s]);
      }
      return;
    }
    Long longs[kCount] = {};
    while (steps > 0) {
      const int64_t block = steps < kDepth ? steps : kDepth;
      steps -= block;
      Short shorts[kCount] = {};
      for (int64_t i = 0; i < block; ++i) {
        for (int s = 0; s < kCount; ++s) {
          Policy::step(shorts[s], p[s]);
          p[s] += kStep;
        }
      }
      for (int s = 0; s < kCount; ++s) Policy::flush(shorts[s], longs[s]);
    }
    for (int s = 0; s < kCount; ++s) {
      if (rest != 0) {
        Short tail = {};
        step_partial<Policy>(tail, p[s], rest);
        Policy::flush(tail, longs[s]);
      }
      Result::add_row(to, index[s], longs[s]);
    }
  }

  static void rows(const std::byte* const* from, int32_t count, int64_t length,
                   Partials to, const int64_t* index) {
    if (count == kStreams) return walk<kStreams>(from, length, to, index);
    for (int32_t s = 0; s < count; ++s) walk<1>(from + s, length, to, index + s);
  }

  // Eight rows a pass: their streams keep the memory busy, and the
  // accumulators are read and written once for eight additions.
  static constexpr int kPass = 8;

  template <int kRows>
  ONNX_REDUCE_INLINE static void pass(const Element* p, int64_t rows, int64_t stride,
                                      int64_t columns, std::byte* shorts) {
    const int64_t n = kRows == 0 ? rows : kRows;
    Short* accumulators = reinterpret_cast<Short*>(shorts);
    const int64_t groups = columns / kStep;
    for (int64_t g = 0; g < groups; ++g, p += kStep) {
      Short sum = accumulators[g];
      const Element* q = p;
      for (int64_t r = 0; r < n; ++r, q += stride) Policy::step(sum, q);
      accumulators[g] = sum;
    }
    const int64_t rest = columns % kStep;
    if (rest == 0) return;
    Short sum = accumulators[groups];
    for (int64_t r = 0; r < n; ++r, p += stride) step_partial<Policy>(sum, p, rest);
    accumulators[groups] = sum;
  }

  static void columns(const std::byte* from, int64_t rows, int64_t stride,
                      int64_t columns, std::byte* shorts) {
    const Element* p = reinterpret_cast<const Element*>(from);
    for (; rows >= kPass; rows -= kPass, p += kPass * stride) {
      pass<kPass>(p, kPass, stride, columns, shorts);
    }
    if (rows > 0) pass<0>(p, rows, stride, columns, shorts);
  }

  static void flush(std::byte* shorts, std::byte* longs, int64_t columns) {
    const int64_t groups = (columns + kStep - 1) / kStep;
    Short* from = reinterpret_cast<Short*>(shorts);
    Long* to = reinterpret_cast<Long*>(longs);
    for (int64_t g = 0; g < groups; ++g) {
      Policy::flush(from[g], to[g]);
      from[g] = Short{};
    }
  }

  static void fold(const std::byte* longs, int64_t first, int64_t count, Partials to,
                   int64_t index, int64_t increment) {
    const Long* from = reinterpret_cast<const Long*>(longs);
    for (int64_t c = first; c < first + count; ++c, index += increment) {
      Result::add_lane(to, index, from[c / kStep], static_cast<int>(c % kStep));
    }
  }

  // Rows of a known length, so that the compiler unrolls them; kLength 0 is
  // any length.
  template <int kLength>
  static void short_rows_of(const std::byte* from, int64_t rows, int64_t length,
                            Partials to, int64_t index) {
    const int64_t n = kLength == 0 ? length : kLength;
    const Element* p = reinterpret_cast<const Element*>(from);
    for (int64_t r = 0; r < rows; ++r, p += n) {
      Short sum = {};
      int64_t i = 0;
      for (; i + kStep <= n; i += kStep) Policy::step(sum, p + i);
      if (i < n) step_partial<Policy>(sum, p + i, n - i);
      Result::set_short_row(to, index + r, sum);
    }
  }

  static void short_rows(const std::byte* from, int64_t rows, int64_t length,
                         Partials to, int64_t index) {
    switch (length) {
      case 1: return short_rows_of<1>(from, rows, length, to, index);
      case 2: return short_rows_of<2>(from, rows, length, to, index);
      case 3: return short_rows_of<3>(from, rows, length, to, index);
      case 4: return short_rows_of<4>(from, rows, length, to, index);
      case 8: return short_rows_of<8>(from, rows, length, to, index);
      default: return short_rows_of<0>(from, rows, length, to, index);
    }
  }

  static void short_columns(const std::byte* from, int64_t segments, int64_t rows,
                            int64_t columns, Partials to, int64_t index) {
    const Element* p = reinterpret_cast<const Element*>(from);
    for (int64_t s = 0; s < segments; ++s, p += rows * columns) {
      for (int64_t c = 0; c < columns; c += kStep) {
        const int64_t left = columns - c;
        const int lanes = left < kStep ? static_cast<int>(left) : kStep;
        Short sum = {};
        for (int64_t r = 0; r < rows; ++r) {
          const Element* q = p + r * columns + c;
          if (lanes == kStep) {
            Policy::step(sum, q);
          } else {
            step_partial<Policy>(sum, q, lanes);
          }
        }
        Long wide = {};
        Policy::flush(sum, wide);
        for (int i = 0; i < lanes; ++i) Result::set_lane(to, index++, wide, i);
      }
    }
  }

  static constexpr Kernels table() {
    Kernels k = {};
    k.step = kStep;
    k.streams = kStreams;
    k.depth = kDepth;
    k.short_bytes = sizeof(Short);
    k.long_bytes = sizeof(Long);
    k.rows = rows;
    k.columns = columns;
    k.flush = flush;
    k.fold = fold;
    k.short_rows = short_rows;
    k.short_columns = short_columns;
    k.merge = Result::merge_all;
    k.finalize = Result::finalize;
    k.add_exact = Result::kAddExact;
    k.round_exact = Result::kRoundExact;
    return k;
  }
};

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_KERNEL_TEMPLATES_H_
