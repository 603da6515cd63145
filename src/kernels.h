// The kernel table: what the executor calls, one row for each pair of operator
// and type, all with the same small shape. A kernel sees counts, lengths and
// strides; never ranks, axes, threads or JavaScript.
#ifndef ONNX_REDUCE_KERNELS_H_
#define ONNX_REDUCE_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "exact_lanes.h"
#include "reduce.h"

namespace onnx_reduce {

// Unfinished results of a tile, three arrays of 8 bytes a result. Floating
// types keep hi + lo, the sum as a double-double, and a bound on the sum of
// magnitudes (unused where all terms are positive); integers keep the low and
// high half of a 128-bit sum.
struct Partials {
  double* hi;
  double* lo;
  double* magnitude;

  uint64_t* low() const { return reinterpret_cast<uint64_t*>(hi); }
  int64_t* high() const { return reinterpret_cast<int64_t*>(lo); }

  Partials from(int64_t index) const { return {hi + index, lo + index, magnitude + index}; }
};

inline constexpr int kMaxStreams = 4;

struct Kernels {
  // Elements a step consumes; columns are accumulated in groups of this many.
  int32_t step;
  // How many rows `rows` walks at once.
  int32_t streams;
  // Rows after which `flush` must be called: the depth the error bound allows.
  int32_t depth;
  // Bytes of the accumulators of one group of columns: short ones, fed row by
  // row, and long ones, which the short ones are flushed into.
  int32_t short_bytes;
  int32_t long_bytes;

  // Reduces `streams` runs of `length` elements, the s-th at from[s], and adds
  // the s-th sum to partial index[s]. Where only `count` < streams are given
  // the others are not read.
  void (*rows)(const std::byte* const* from, int32_t count, int64_t length,
               Partials to, const int64_t* index);
  // Adds rows of `columns` elements to the short accumulators, column by column:
  // in each of `passes` passes kRowsPerPass `rows`, `distance` elements apart,
  // those of the next pass `stride` elements behind them; or fewer in one pass.
  void (*columns)(const std::byte* from, int64_t passes, int64_t stride, int64_t rows,
                  int64_t distance, int64_t columns, std::byte* shorts);
  // Adds the short accumulators of `columns` columns to the long ones and
  // empties them.
  void (*flush)(std::byte* shorts, std::byte* longs, int64_t columns);
  // Adds columns [first, first + count) of the long accumulators to partials
  // index, index + increment, ...
  void (*fold)(const std::byte* longs, int64_t first, int64_t count, Partials to,
               int64_t index, int64_t increment);
  // The same where every column has its own partial, all still empty.
  void (*unpack)(const std::byte* longs, int64_t columns, Partials to);
  // Adds the long accumulators of the second half of `columns` columns to
  // those of the first; half of them fill whole groups.
  void (*halve)(std::byte* longs, int64_t columns);
  // Reduces `rows` contiguous rows of `length` elements into partials
  // (overwriting); at most `depth` steps long.
  void (*short_rows)(const std::byte* from, int64_t rows, int64_t length, Partials to);
  // Reduces `segments` matrices of `rows` x `columns` elements, one behind the
  // other, rows `stride` apart, along the rows into partials (overwriting, and up
  // to a group more); at most `depth` rows.
  void (*short_columns)(const std::byte* from, int64_t segments, int64_t rows, int64_t stride,
                        int64_t columns, Partials to);
  // Adds partials [0, count) to others.
  void (*merge)(Partials from, int64_t count, Partials to);
  // Sums that finalize takes without a low part: rounds partials [0, count) of
  // long sums to `hi` first (those of short rows and columns have no low part).
  // Null where finalize takes both.
  void (*round_sums)(Partials partials, int64_t count);
  // Turns partials [0, count) into results [first, first + count) at `to`.
  // `terms` is the number of elements that each is a sum of, or 0 where they
  // are exact. `rest`, if not null, has what logarithms are to take into account
  // behind the partials. Results that the error bound leaves undecided are listed in
  // `undecided` (their indices) and counted in the return value.
  int64_t (*finalize)(Partials from, int64_t count, int64_t terms, const double* rest,
                      std::byte* to, int64_t first, uint32_t* undecided);
  // Rows of one element, finished in one step; null where there is no such
  // shortcut.
  void (*singles)(const std::byte* from, int64_t count, std::byte* to);
  // The exact way, for what finalize left undecided; null for integers. Makes
  // exact terms of `count` elements of each of `lanes` outputs, the k-th's
  // from from[k], `stride` elements apart.
  void (*exact_terms)(const std::byte* const* from, int32_t lanes, int32_t count, int64_t stride,
                      double* terms);
  bool split_squares;    // two terms each: see ExactLanes
  bool log;
  const Format* format;  // of the results
};

inline constexpr int64_t kRowsPerPass = 8;

// A small matrix has so many rows at most.
inline constexpr int64_t kSmallMatrixRows = 64;

// Rows shorter than this have no kernel for themselves where something lies
// between them: they are summed as columns and folded.
inline constexpr int64_t kShortRow = 32;

const Kernels& kernels(Operator op, Type type);

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_KERNELS_H_
