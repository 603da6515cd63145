// What no kernel of ours can outrun. First the read limit: how fast WebAssembly can load bytes when it does nothing with
// them but OR them together, which costs one cheap instruction per load and
// keeps the loads from being optimised away. One kernel per number of streams:
// a single stream doesn't keep enough cache lines in flight on every machine.
//
// Then the arithmetic limits: the same walk with the least arithmetic that a sum
// with a known error bound needs, and nothing else: no blocks, no rows, no results.
// A lane's sum runs from the first element to the last, so what they give is worth
// nothing.
//
// Built by bench/limit_kernels.mjs; it needs no library and imports nothing.
#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

namespace {

constexpr size_t kVectorsPerLine = 4;  // 64 bytes

template <size_t kStreams>
uint32_t Read(const v128_t* data, size_t bytes) {
  const size_t lines = bytes / 64 / kStreams;
  const size_t apart = lines * kVectorsPerLine;
  v128_t seen[kVectorsPerLine] = {};
  for (size_t line = 0; line < lines; ++line) {
    const v128_t* const from = data + line * kVectorsPerLine;
    for (size_t stream = 0; stream < kStreams; ++stream) {
      for (size_t i = 0; i < kVectorsPerLine; ++i) {
        seen[i] = wasm_v128_or(seen[i], wasm_v128_load(from + stream * apart + i));
      }
    }
  }
  for (size_t i = kStreams * apart; i < bytes / 16; ++i) {
    seen[0] = wasm_v128_or(seen[0], wasm_v128_load(data + i));
  }
  const v128_t all = wasm_v128_or(wasm_v128_or(seen[0], seen[1]), wasm_v128_or(seen[2], seen[3]));
  return static_cast<uint32_t>(wasm_i32x4_extract_lane(all, 0) | wasm_i32x4_extract_lane(all, 1) |
                               wasm_i32x4_extract_lane(all, 2) | wasm_i32x4_extract_lane(all, 3));
}

// Accumulators of a stream and what a vector of elements does to them.

// The squares of float32 are exact in float64.
struct Float32Squares {
  v128_t sum[2] = {};
  void add(const v128_t* p) {
    const v128_t low = wasm_f64x2_promote_low_f32x4(wasm_v128_load(p));
    const v128_t high = wasm_f64x2_promote_low_f32x4(wasm_v128_load(reinterpret_cast<const float*>(p) + 2));
    sum[0] = wasm_f64x2_add(sum[0], wasm_f64x2_mul(low, low));
    sum[1] = wasm_f64x2_add(sum[1], wasm_f64x2_mul(high, high));
  }
  v128_t all() const { return wasm_v128_or(sum[0], sum[1]); }
};

// What cancels needs the sum of magnitudes as well.
struct Float32Sums {
  v128_t sum[2] = {};
  v128_t magnitude = {};
  void add(const v128_t* p) {
    const v128_t x = wasm_v128_load(p);
    sum[0] = wasm_f64x2_add(sum[0], wasm_f64x2_promote_low_f32x4(x));
    sum[1] = wasm_f64x2_add(sum[1], wasm_f64x2_promote_low_f32x4(wasm_i32x4_shuffle(x, x, 2, 3, 2, 3)));
    magnitude = wasm_f32x4_add(magnitude, wasm_f32x4_abs(x));
  }
  v128_t all() const { return wasm_v128_or(wasm_v128_or(sum[0], sum[1]), magnitude); }
};

// Two-sum, its errors, and the sum of magnitudes.
struct Float64Sums {
  v128_t hi = {};
  v128_t lo = {};
  v128_t magnitude = {};
  void add(const v128_t* p) {
    const v128_t x = wasm_v128_load(p);
    const v128_t sum = wasm_f64x2_add(hi, x);
    const v128_t part = wasm_f64x2_sub(sum, hi);
    const v128_t error = wasm_f64x2_add(wasm_f64x2_sub(hi, wasm_f64x2_sub(sum, part)), wasm_f64x2_sub(x, part));
    hi = sum;
    lo = wasm_f64x2_add(lo, error);
    magnitude = wasm_f64x2_add(magnitude, wasm_f64x2_abs(x));
  }
  v128_t all() const { return wasm_v128_or(wasm_v128_or(hi, lo), magnitude); }
};

// Modulo 2^64.
struct Int64Squares {
  v128_t sum = {};
  void add(const v128_t* p) {
    const v128_t x = wasm_v128_load(p);
    sum = wasm_i64x2_add(sum, wasm_i64x2_mul(x, x));
  }
  v128_t all() const { return sum; }
};

// 128 bits: the sum modulo 2^64 and that of the upper halves.
struct Int64Sums {
  v128_t sum = {};
  v128_t upper = {};
  void add(const v128_t* p) {
    const v128_t x = wasm_v128_load(p);
    sum = wasm_i64x2_add(sum, x);
    upper = wasm_i64x2_add(upper, wasm_i64x2_shr(x, 32));
  }
  v128_t all() const { return wasm_v128_or(sum, upper); }
};

// As above, without the sign.
struct Uint64Sums {
  v128_t sum = {};
  v128_t upper = {};
  void add(const v128_t* p) {
    const v128_t x = wasm_v128_load(p);
    sum = wasm_i64x2_add(sum, x);
    upper = wasm_i64x2_add(upper, wasm_u64x2_shr(x, 32));
  }
  v128_t all() const { return wasm_v128_or(sum, upper); }
};

// x = h + l, x^2 = h h + l (h + x): two-sum for h h, the rest beside its errors.
struct Float64Squares {
  v128_t hi = {};
  v128_t lo = {};
  void add(const v128_t* p) {
    const v128_t x = wasm_v128_load(p);
    const v128_t h = wasm_v128_and(x, wasm_i64x2_splat(static_cast<int64_t>(0xfffffffff8000000ull)));
    const v128_t l = wasm_f64x2_sub(x, h);
    const v128_t square = wasm_f64x2_mul(h, h);
    const v128_t sum = wasm_f64x2_add(hi, square);
    const v128_t part = wasm_f64x2_sub(sum, hi);
    const v128_t error = wasm_f64x2_add(wasm_f64x2_sub(hi, wasm_f64x2_sub(sum, part)), wasm_f64x2_sub(square, part));
    hi = sum;
    lo = wasm_f64x2_add(lo, wasm_f64x2_add(error, wasm_f64x2_mul(l, wasm_f64x2_add(h, x))));
  }
  v128_t all() const { return wasm_v128_or(hi, lo); }
};

// Eight 16-bit elements, widened twice: by shifts and masks to float32 (float16
// 2^112 times too small), then to float64. float16 has to look for infinities and
// NaN apart.
template <bool kBfloat, bool kSquares>
struct HalfSums {
  v128_t sum[4] = {};
  v128_t magnitude = {};
  v128_t largest = {};
  void add(const v128_t* p) {
    const v128_t v = wasm_v128_load(p);
    v128_t x[2];
    if (kBfloat) {
      x[0] = wasm_i32x4_shl(v, 16);
      x[1] = wasm_v128_and(v, wasm_i32x4_splat(static_cast<int32_t>(0xffff0000)));
    } else {
      const v128_t bits = wasm_i32x4_splat(static_cast<int32_t>(0x8fffe000));
      x[0] = wasm_v128_and(wasm_i32x4_shr(wasm_i32x4_shl(v, 16), 3), bits);
      x[1] = wasm_v128_and(wasm_i32x4_shr(v, 3), bits);
      largest = wasm_u16x8_max(largest, wasm_v128_and(v, wasm_i16x8_splat(0x7fff)));
    }
    for (int i = 0; i < 2; ++i) {
      if (kSquares) {
        if (!kBfloat) x[i] = wasm_f32x4_mul(x[i], wasm_f32x4_splat(0x1p112f));
        x[i] = wasm_f32x4_mul(x[i], x[i]);
      }
      sum[2 * i] = wasm_f64x2_add(sum[2 * i], wasm_f64x2_promote_low_f32x4(x[i]));
      sum[2 * i + 1] = wasm_f64x2_add(sum[2 * i + 1], wasm_f64x2_promote_low_f32x4(wasm_i32x4_shuffle(x[i], x[i], 2, 3, 2, 3)));
    }
    if (!kSquares) magnitude = wasm_f32x4_add(magnitude, wasm_f32x4_add(wasm_f32x4_abs(x[0]), wasm_f32x4_abs(x[1])));
  }
  v128_t all() const {
    return wasm_v128_or(wasm_v128_or(wasm_v128_or(sum[0], sum[1]), wasm_v128_or(sum[2], sum[3])), wasm_v128_or(magnitude, largest));
  }
};
using Float16Squares = HalfSums<false, true>;
using Float16Sums = HalfSums<false, false>;
using Bfloat16Squares = HalfSums<true, true>;
using Bfloat16Sums = HalfSums<true, false>;

template <typename Sums, size_t kStreams>
uint32_t Add(const v128_t* data, size_t bytes) {
  const size_t pairs = bytes / 32 / kStreams;
  const size_t apart = 2 * pairs;
  Sums sums[kStreams];
  for (size_t pair = 0; pair < pairs; ++pair) {
    const v128_t* const from = data + 2 * pair;
#pragma clang loop unroll(full)
    for (size_t stream = 0; stream < kStreams; ++stream) {
      sums[stream].add(from + stream * apart);
      sums[stream].add(from + stream * apart + 1);
    }
  }
  v128_t all = {};
  for (size_t stream = 0; stream < kStreams; ++stream) all = wasm_v128_or(all, sums[stream].all());
  return static_cast<uint32_t>(wasm_i32x4_extract_lane(all, 0) | wasm_i32x4_extract_lane(all, 2));
}

// Two float64 logarithms to float32's accuracy: 2 artanh((m - 1) / (m + 1)) + k ln 2
// of x = 2^k m, 1/sqrt 2 <= m < sqrt 2, five terms of the series. For positive
// normal numbers only.
v128_t Log(v128_t x) {
  const v128_t offset = wasm_i64x2_splat(0x3fe6a09e667f3bcdll);  // of 1/sqrt 2
  const v128_t k = wasm_i64x2_shr(wasm_i64x2_sub(x, offset), 52);
  const v128_t one = wasm_f64x2_splat(1);
  const v128_t m = wasm_i64x2_sub(x, wasm_i64x2_shl(k, 52));
  const v128_t s = wasm_f64x2_div(wasm_f64x2_sub(m, one), wasm_f64x2_add(m, one));
  const v128_t z = wasm_f64x2_mul(s, s);
  v128_t series = wasm_f64x2_splat(2.0 / 9);
  const double terms[] = {2.0 / 7, 2.0 / 5, 2.0 / 3, 2.0};
  for (const double term : terms) {
    series = wasm_f64x2_add(wasm_f64x2_mul(series, z), wasm_f64x2_splat(term));
  }
  const v128_t scale = wasm_f64x2_convert_low_i32x4(wasm_i32x4_shuffle(k, k, 0, 2, 0, 2));
  return wasm_f64x2_add(wasm_f64x2_mul(series, s), wasm_f64x2_mul(scale, wasm_f64x2_splat(0.6931471805599453)));
}

// Rows of four float32, their results rounded to float32: pairs of rows, as a
// vector holds two float64. Nothing tells how far off they are.
template <bool kLog>
v128_t TwoRows(const float* p) {
  v128_t sums[2];
  for (int row = 0; row < 2; ++row) {
    const v128_t low = wasm_f64x2_promote_low_f32x4(wasm_v128_load(p + 4 * row));
    const v128_t high = wasm_f64x2_promote_low_f32x4(wasm_v128_load(p + 4 * row + 2));
    sums[row] = kLog ? wasm_f64x2_add(low, high)
                     : wasm_f64x2_add(wasm_f64x2_mul(low, low), wasm_f64x2_mul(high, high));
  }
  const v128_t both = wasm_f64x2_add(wasm_i64x2_shuffle(sums[0], sums[1], 0, 2), wasm_i64x2_shuffle(sums[0], sums[1], 1, 3));
  return wasm_f32x4_demote_f64x2_zero(kLog ? Log(both) : both);
}

template <bool kLog, size_t kStreams>
uint32_t RowsOfFour(const v128_t* data, size_t bytes, float* to) {
  const size_t pairs = bytes / 32 / kStreams;
  for (size_t pair = 0; pair < pairs; ++pair) {
#pragma clang loop unroll(full)
    for (size_t stream = 0; stream < kStreams; ++stream) {
      const size_t at = stream * pairs + pair;
      wasm_v128_store64_lane(to + 2 * at, TwoRows<kLog>(reinterpret_cast<const float*>(data + 2 * at)), 0);
    }
  }
  return bytes != 0;
}

}  // namespace

// read_S: the OR of all 32-bit words of `bytes` bytes, read as S distant streams.
#define READ_LIMIT(streams)                                                              \
  extern "C" __attribute__((export_name("read_" #streams))) uint32_t Read##streams(      \
      const v128_t* data, size_t bytes) {                                                \
    return Read<streams>(data, bytes);                                                   \
  }
READ_LIMIT(1)
READ_LIMIT(2)
READ_LIMIT(4)
READ_LIMIT(8)

// NAME_S: all of them added, as S distant streams.
#define ARITHMETIC_LIMIT_OF(name, Sums, streams)                                         \
  extern "C" __attribute__((export_name(#name "_" #streams))) uint32_t name##streams(    \
      const v128_t* data, size_t bytes) {                                                \
    return Add<Sums, streams>(data, bytes);                                              \
  }
#define ARITHMETIC_LIMIT(name, Sums)  \
  ARITHMETIC_LIMIT_OF(name, Sums, 1)  \
  ARITHMETIC_LIMIT_OF(name, Sums, 2)  \
  ARITHMETIC_LIMIT_OF(name, Sums, 4)  \
  ARITHMETIC_LIMIT_OF(name, Sums, 8)
ARITHMETIC_LIMIT(float32_squares, Float32Squares)
ARITHMETIC_LIMIT(float32_sums, Float32Sums)
ARITHMETIC_LIMIT(float64_squares, Float64Squares)
ARITHMETIC_LIMIT(float64_sums, Float64Sums)
ARITHMETIC_LIMIT(float16_squares, Float16Squares)
ARITHMETIC_LIMIT(float16_sums, Float16Sums)
ARITHMETIC_LIMIT(bfloat16_squares, Bfloat16Squares)
ARITHMETIC_LIMIT(bfloat16_sums, Bfloat16Sums)
ARITHMETIC_LIMIT(int64_squares, Int64Squares)
ARITHMETIC_LIMIT(int64_sums, Int64Sums)
ARITHMETIC_LIMIT(uint64_squares, Int64Squares)
ARITHMETIC_LIMIT(uint64_sums, Uint64Sums)

// The same with their results put at `to`: one for every four elements.
#define ROWS_LIMIT_OF(name, log, streams)                                                \
  extern "C" __attribute__((export_name(#name "_" #streams))) uint32_t name##streams(    \
      const v128_t* data, size_t bytes, float* to) {                                     \
    return RowsOfFour<log, streams>(data, bytes, to);                                    \
  }
#define ROWS_LIMIT(name, log)   \
  ROWS_LIMIT_OF(name, log, 1)   \
  ROWS_LIMIT_OF(name, log, 2)   \
  ROWS_LIMIT_OF(name, log, 4)   \
  ROWS_LIMIT_OF(name, log, 8)
ROWS_LIMIT(float32_squares_of_four, false)
ROWS_LIMIT(float32_logs_of_four, true)
