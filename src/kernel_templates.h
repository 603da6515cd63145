// The loops, written once over the policies of float_sums.h and
// integer_sums.h. See kernels.h for what each promises.
//
// Only the loops over elements are inlined, and unrolled by nothing but the
// number of streams and groups; what happens once a block or once a row is kept
// out of line. What only moves sums is shared by all policies with the same
// accumulators (LongLoops).
#ifndef ONNX_REDUCE_KERNEL_TEMPLATES_H_
#define ONNX_REDUCE_KERNEL_TEMPLATES_H_

#include "kernels.h"
#include "simd.h"

namespace onnx_reduce {

// kBytes ones, then kBytes zeros.
template <int kBytes>
struct MaskWindow {
  uint8_t bytes[2 * kBytes];
  constexpr MaskWindow() : bytes{} {
    for (int i = 0; i < kBytes; ++i) bytes[i] = 0xff;
  }
};

// kStep columns of a matrix as one of kStep columns, reading nothing from `end` on.
template <typename Element, int kStep>
ONNX_REDUCE_OUTLINE void copy_columns(const Element* from, int64_t rows, int64_t stride,
                                      const Element* end, Element* to) {
  for (; rows > 0; --rows, from += stride, to += kStep) {
    for (int k = 0; k < kStep; ++k) to[k] = from + k < end ? from[k] : Element{};
  }
}

// What only concerns long accumulators and partials.
template <typename Long, typename Merge>
struct LongLoops {
  static constexpr int kStep = Long::kLanes;

  ONNX_REDUCE_OUTLINE static void fold(const std::byte* longs, int64_t first, int64_t count,
                                       Partials to, int64_t index, int64_t increment) {
    const Long* from = reinterpret_cast<const Long*>(longs);
    for (int64_t c = first; c < first + count; ++c, index += increment) {
      Merge::add_lane(to, index, from[c / kStep], static_cast<int>(c % kStep));
    }
  }

  // The lanes behind the last column land behind the last partial; there is
  // room for a group more.
  static void unpack(const std::byte* longs, int64_t columns, Partials to) {
    const Long* from = reinterpret_cast<const Long*>(longs);
#pragma clang loop unroll(disable)
    for (int64_t c = 0; c < columns; c += kStep) Merge::set_group(to, c, from[c / kStep]);
  }

  ONNX_REDUCE_OUTLINE static void halve(std::byte* longs, int64_t columns) {
    const int64_t groups = columns / 2 / kStep;
    Long* to = reinterpret_cast<Long*>(longs);
    for (int64_t g = 0; g < groups; ++g) to[g].merge(to[groups + g]);
  }
};

// Policy gives the sums; Merge::add_row and add_lane merge a whole accumulator
// or one of its lanes into a partial, set and set_group overwrite one or more.
template <typename Policy, typename Merge>
struct KernelLoops {
  using Element = typename Policy::Element;
  using Short = typename Policy::Short;
  using Long = typename Policy::Long;
  static constexpr int kStep = Policy::kStep;
  static constexpr int kDepth = Policy::kDepth;
  static constexpr int kStreams = Policy::kStreams;

  // Fewer than two steps, reading no further than `count` elements.
  ONNX_REDUCE_OUTLINE static void step_partial(Short& to, const Element* p, int64_t count) {
    if (count >= kStep) {
      Policy::step(to, p);
      p += kStep;
      count -= kStep;
    }
    Element padded[kStep] = {};
    std::memcpy(padded, p, static_cast<size_t>(count) * sizeof *p);
    Policy::step(to, padded);
  }

  ONNX_REDUCE_OUTLINE static void flush_rows(const Short* from, Long* to, int count) {
#pragma clang loop unroll(disable)
    for (int s = 0; s < count; ++s) Policy::flush(from[s], to[s]);
  }

  // A row's last elements and what it adds to its partial. Without `longs` the
  // row was one block.
  ONNX_REDUCE_OUTLINE static void finish_rows(Short* shorts, Long* longs, int count,
                                              const Element* const* p, int64_t rest,
                                              Partials to, const int64_t* index) {
#pragma clang loop unroll(disable)
    for (int s = 0; s < count; ++s) {
      if (longs && rest != 0) shorts[s] = Short{};
      if (rest != 0) step_partial(shorts[s], p[s], rest);
      if (!longs) {
        Merge::add(to, index[s], Policy::fold(shorts[s]));
        continue;
      }
      if (rest != 0) Policy::flush(shorts[s], longs[s]);
      Merge::add_row(to, index[s], longs[s]);
    }
  }

  // Walks distant runs at once: one stream of loads leaves the memory idle as
  // soon as there is arithmetic between them, and the streams' accumulators
  // are the independent chains that hide the latency of an addition.
  template <int kCount>
  static void walk(const std::byte* const* from, int64_t length, Partials to,
                   const int64_t* index) {
    const Element* p[kCount];
    for (int s = 0; s < kCount; ++s) p[s] = reinterpret_cast<const Element*>(from[s]);
    int64_t pairs = length / (2 * kStep);
    const int64_t rest = length % (2 * kStep);
    // Two steps are left for the rest of a row that fits a single block.
    const bool one_block = pairs < kDepth / 2;
    Short block[kCount];
    Long longs[kCount];
    if (!one_block) std::memset(longs, 0, sizeof longs);
    do {
      const int64_t now = pairs < kDepth / 2 ? pairs : kDepth / 2;
      pairs -= now;
      Short sums[kCount] = {};  // lives in registers
#pragma clang loop unroll(disable)
      for (int64_t i = 0; i < now; ++i) {
#pragma clang loop unroll(full)
        for (int s = 0; s < kCount; ++s) {
          Policy::step_pair(sums[s], p[s], p[s] + kStep);
          p[s] += 2 * kStep;
        }
      }
      for (int s = 0; s < kCount; ++s) block[s] = sums[s];
      if (!one_block) flush_rows(block, longs, kCount);
    } while (pairs > 0);
    const Element* ends[kCount];
    for (int s = 0; s < kCount; ++s) ends[s] = p[s];
    finish_rows(block, one_block ? nullptr : longs, kCount, ends, rest, to, index);
  }

  // Fewer runs than streams: one after the other, short ones mostly.
  ONNX_REDUCE_OUTLINE static void walk_alone(const std::byte* from, int64_t length, Partials to,
                                             const int64_t* index) {
    const Element* p = reinterpret_cast<const Element*>(from);
    Short block;
    Long wide = {};
    int64_t steps = length / kStep;
    do {
      const int64_t now = steps < kDepth ? steps : kDepth;
      steps -= now;
      Short sum = {};  // lives in registers
#pragma clang loop unroll(disable)
      for (int64_t i = 0; i < now; ++i, p += kStep) Policy::step(sum, p);
      block = sum;
      flush_rows(&block, &wide, 1);
    } while (steps > 0);
    finish_rows(&block, &wide, 1, &p, length % kStep, to, index);
  }

  static void rows(const std::byte* const* from, int32_t count, int64_t length,
                   Partials to, const int64_t* index) {
    if (count == kStreams) return walk<kStreams>(from, length, to, index);
    for (int32_t s = 0; s < count; ++s) walk_alone(from[s], length, to, index + s);
  }

  // A pass adds up to eight rows, a cache line of each at a time: the
  // accumulators, in registers, are read and written once for eight additions.
  static constexpr int kGroups = Policy::kColumnGroups;

  // An even number of rows, whole sets of kGroups groups.
  ONNX_REDUCE_INLINE static void pass(const Element* p, int64_t rows, int64_t stride,
                                      Short* accumulators) {
    Short sums[kGroups];
    for (int g = 0; g < kGroups; ++g) sums[g] = accumulators[g];
#pragma clang loop unroll(disable)
    for (; rows > 0; rows -= 2, p += 2 * stride) {
#pragma clang loop unroll(full)
      for (int g = 0; g < kGroups; ++g) {
        Policy::step_pair(sums[g], p + g * kStep, p + stride + g * kStep);
      }
    }
    for (int g = 0; g < kGroups; ++g) accumulators[g] = sums[g];
  }

  // Whatever is left of rows or groups, a row at a time.
  ONNX_REDUCE_OUTLINE static void add_rows(const Element* p, int64_t rows, int64_t stride,
                                           int64_t groups, Short* to) {
    for (; rows > 0; --rows, p += stride) {
      for (int64_t g = 0; g < groups; ++g) Policy::step(to[g], p + g * kStep);
    }
  }

  // The columns behind the last whole group. Lanes beyond them may be fed what
  // follows in memory, as nobody folds them; only the last row must not be read
  // past its end.
  ONNX_REDUCE_OUTLINE static void rest_columns(Short& to, const Element* p, int64_t rows,
                                               int64_t stride, int64_t rest) {
    Short sum = to;
#pragma clang loop unroll(disable)
    for (int64_t r = 0; r + 1 < rows; ++r, p += stride) {
      if (stride >= kStep) {
        Policy::step(sum, p);
      } else {
        to = sum;
        step_partial(to, p, rest);
        sum = to;
      }
    }
    to = sum;
    step_partial(to, p, rest);
  }

  static void columns(const std::byte* from, int64_t passes, int64_t stride, int64_t rows,
                      int64_t distance, int64_t columns, std::byte* shorts) {
    const Element* p = reinterpret_cast<const Element*>(from);
    Short* to = reinterpret_cast<Short*>(shorts);
    const int64_t groups = columns / kStep;
    const int64_t rest = columns % kStep;
    for (int64_t r = 0; rest != 0 && r < rows; ++r) {
      rest_columns(to[groups], p + r * distance + groups * kStep, passes, stride, rest);
    }
    // With a known number of rows the loop over them is shorter.
    if (rows != kRowsPerPass) return pass_all(p, rows, distance, groups, to);
    for (; passes > 0; --passes, p += stride) pass_all(p, kRowsPerPass, distance, groups, to);
  }

  static void pass_all(const Element* p, int64_t rows, int64_t stride, int64_t groups,
                       Short* to) {
    const int64_t whole = groups - groups % kGroups;
    const int64_t even = rows & ~int64_t{1};
    for (int64_t g = 0; g < whole; g += kGroups) pass(p + g * kStep, even, stride, to + g);
    if (even != rows) add_rows(p + even * stride, 1, stride, whole, to);
    add_rows(p + whole * kStep, rows, stride, groups - whole, to + whole);
  }

  static void flush(std::byte* shorts, std::byte* longs, int64_t columns) {
    const int64_t groups = (columns + kStep - 1) / kStep;
    Short* from = reinterpret_cast<Short*>(shorts);
    Long* to = reinterpret_cast<Long*>(longs);
#pragma clang loop unroll(disable)
    for (int64_t g = 0; g < groups; ++g) {
      Policy::flush(from[g], to[g]);
      from[g] = Short{};
    }
  }

  // The first `count` < kStep elements at p as a whole step, the rest zero; all
  // kStep must be readable. Masking beats a copy of unknown length.
  ONNX_REDUCE_INLINE static void step_masked(Short& to, const Element* p, int64_t count) {
    static constexpr int kVectors = kStep * sizeof(Element) / sizeof(u64x2);
    // A window over ones, then zeros, makes any mask.
    static constexpr MaskWindow<kVectors * 16> kWindow{};
    const uint8_t* mask = kWindow.bytes + kVectors * 16 - count * static_cast<int64_t>(sizeof *p);
    Element padded[kStep];
    for (int v = 0; v < kVectors; ++v) {
      const u64x2 x = load<u64x2>(reinterpret_cast<const std::byte*>(p) + 16 * v);
      store(reinterpret_cast<std::byte*>(padded) + 16 * v, x & load<u64x2>(mask + 16 * v));
    }
    if constexpr (requires { Policy::step_stored(to, padded); }) {
      Policy::step_stored(to, padded);
    } else {
      Policy::step(to, padded);
    }
  }

  // kLength 0 is any length. Whole steps are read: see short_rows.
  template <int kLength>
  ONNX_REDUCE_INLINE static Short short_row(const Element* p, int64_t length) {
    const int64_t n = kLength == 0 ? length : kLength;
    Short sum = {};
    int64_t i = 0;
#pragma clang loop unroll(disable)
    for (; i + kStep <= n; i += kStep) Policy::step(sum, p + i);
    if (kLength == 0 ? i < n : kLength % kStep != 0) step_masked(sum, p + i, n - i);
    return sum;
  }

  // Rows of a known length, four at a time, so that their sums are folded in
  // vectors.
  template <int kLength>
  static int64_t known_rows(const Element* p, int64_t rows, Partials to) {
    int64_t r = 0;
#pragma clang loop unroll(disable)
    for (; r + 4 <= rows; r += 4, p += 4 * kLength) {
      for (int k = 0; k < 4; k += 2) {
        Merge::set(to, r + k, Policy::fold(short_row<kLength>(p + k * kLength, kLength),
                                           short_row<kLength>(p + (k + 1) * kLength, kLength)));
      }
    }
    return r;
  }

  // Rows of any length in pairs, from four distant places in turn where they are
  // several cache lines, for the same reason as in `walk`.
  static int64_t unknown_rows(const Element* p, int64_t rows, int64_t length, Partials to) {
    const int places = length * static_cast<int64_t>(sizeof *p) < 128 ? 1 : 4;
    const int64_t far = rows / (2 * places) * 2;
#pragma clang loop unroll(disable)
    for (int64_t r = 0; r < far; r += 2) {
      const Element* q = p + r * length;
      int64_t at = r;
#pragma clang loop unroll(disable)
      for (int s = 0; s < places; ++s, q += far * length, at += far) {
        Merge::set(to, at, Policy::fold(short_row<0>(q, length), short_row<0>(q + length, length)));
      }
    }
    return places * far;
  }

  // A step holds two rows.
  static int64_t half_steps(const Element* p, int64_t rows, Partials to) {
    int64_t r = 0;
#pragma clang loop unroll(disable)
    for (; r + 4 <= rows; r += 4, p += 2 * kStep) {
      for (int k = 0; k < 4; k += 2) {
        Short sum = {};
        Policy::step(sum, p + k / 2 * kStep);
        Merge::set(to, r + k, Policy::fold_halves(sum));
      }
    }
    return r;
  }

  // Rows of one element: the lanes of a step are the sums as they stand.
  static int64_t single_elements(const Element* p, int64_t count, Partials to) {
    int64_t i = 0;
#pragma clang loop unroll(disable)
    for (; i + kStep <= count; i += kStep) {
      Short sum = {};
      Policy::step(sum, p + i);
      Merge::set_group(to, i, Policy::spread(sum));
    }
    return i;
  }

  ONNX_REDUCE_OUTLINE static void last_rows(const Element* p, int64_t rows, int64_t length,
                                            Partials to, int64_t index) {
    for (; rows > 0; --rows, ++index) {
      Short sum = {};
      int64_t left = length;
      for (; left >= kStep; left -= kStep, p += kStep) Policy::step(sum, p);
      step_partial(sum, p, left);
      p += left;
      Merge::set(to, index, Policy::fold(sum));
    }
  }

  static void short_rows(const std::byte* from, int64_t rows, int64_t length, Partials to) {
    const Element* p = reinterpret_cast<const Element*>(from);
    // The last rows' steps would reach behind the end: they are done apart.
    const int64_t excess = (length + kStep - 1) / kStep * kStep - length;
    const int64_t whole = rows - (excess + length - 1) / length;
    int64_t done = -1;
    if (length == 1) done = single_elements(p, rows, to);
    // (16-bit types: too much to download for what it gains there.)
    if constexpr (kStep == 4) {
      if (length == 4) done = known_rows<4>(p, rows, to);
    }
    if constexpr (Policy::kFloating) {
      if constexpr (kStep == 2) {
        if (length == 2) done = known_rows<2>(p, rows, to);
      }
      if constexpr (kStep > 2) {
        if (length == kStep / 2) done = half_steps(p, rows, to);
      }
      // Pictures.
      if constexpr (kStep == 4) {
        if (length == 3) done = known_rows<3>(p, whole, to);
      }
    }
    if (done < 0) done = unknown_rows(p, whole, length, to);
    last_rows(p + done * length, rows - done, length, to, done);
  }

  // A group of columns at a time, from all rows: its partials follow each other,
  // and the lanes behind the last column are overwritten by the next segment's.
  static void short_columns(const std::byte* from, int64_t segments, int64_t rows, int64_t stride,
                            int64_t columns, Partials to) {
    int64_t index = 0;
    const Element* p = reinterpret_cast<const Element*>(from);
    // Nothing may be read behind the last row's last column.
    const Element* const end = p + (segments * rows - 1) * stride + columns;
    for (int64_t s = 0; s < segments; ++s, p += rows * stride, index += columns) {
      const Element* const last_row = p + (rows - 1) * stride;
      int64_t c = 0;
#pragma clang loop unroll(disable)
      for (; c < columns && last_row + c + kStep <= end; c += kStep) {
        Short sum = {};
        const Element* q = p + c;
#pragma clang loop unroll(disable)
        for (int64_t r = 0; r < rows; ++r, q += stride) Policy::step(sum, q);
        Merge::set_group(to, index + c, Policy::spread(sum));
      }
      for (; c < columns; c += kStep) {
        Element padded[kSmallMatrixRows * kStep];
        copy_columns<Element, kStep>(p + c, rows, stride, end, padded);
        short_columns(reinterpret_cast<const std::byte*>(padded), 1, rows, kStep, kStep, to.from(index + c));
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
    k.fold = LongLoops<Long, Merge>::fold;
    k.unpack = LongLoops<Long, Merge>::unpack;
    k.halve = LongLoops<Long, Merge>::halve;
    k.short_rows = short_rows;
    k.short_columns = short_columns;
    k.merge = Merge::merge_all;
    return k;
  }
};

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_KERNEL_TEMPLATES_H_
