// Planning: dims and axes become a few integers that say which kernels run over
// which parts of the data. Pure arithmetic, no data; empty, scalar, no-op and
// all-axes reductions are plans like any other.
#ifndef ONNX_REDUCE_PLAN_H_
#define ONNX_REDUCE_PLAN_H_

#include <cstdint>

#include "reduce.h"

namespace onnx_reduce {

// How the innermost dims are reduced. K is a kept dim, R a reduced one; in
// canonical form dims of 1 are gone and neighbours of a kind are one dim.
enum class Form : int32_t {
  kEmpty,         // no elements: every output is the identity
  kRows,          // ... R      long contiguous rows
  kShortRows,     // K R        rows of a few elements
  kColumns,       // ... R K    sums down the columns of a matrix; also ... R K R
                  //            with a short last dim, whose columns are folded
  kShortColumns,  // K R K      many small matrices
  kFewRows,       // ... R K    sums down a few elements of each column
};

struct Dim {
  int64_t size;
  int64_t stride;      // elements between neighbours in the input
  int64_t out_stride;  // the same in the output, 0 for a reduced dim
  bool reduced;
};

// The input is cut into tiles, each owning a contiguous range of outputs whose
// unfinished sums fit the workspace. Within one index of the `outer` (reduced)
// loops a tile is `rows` runs, `row_stride` apart; a run is `units` contiguous
// units; a unit is the block below one index of the tiled dim.
struct Plan {
  Form form;
  int64_t outputs;
  int64_t terms;  // elements reduced into each output

  int32_t rank;  // of the canonical form
  Dim dims[kMaxRank];

  int32_t kept_count;  // kept dims outside the tiles: indices into dims
  int32_t kept[kMaxRank];
  int64_t kept_total;  // product of their sizes
  int32_t outer_count;  // reduced dims outside the runs
  int32_t outer[kMaxRank];
  int64_t outer_total;

  int64_t units;     // size of the tiled dim
  int64_t tile;      // units of a tile; the last may have fewer
  int64_t unit_in;   // elements of a unit
  int64_t unit_out;  // outputs of a unit
  int32_t inner;     // the dims below the tiled one begin at dims[inner]
  int32_t inner_end;

  int64_t rows;        // kColumns, kFewRows: rows of a matrix
  int64_t row_stride;
  int64_t widen;       // kColumns: so many rows are laid side by side as one
  int64_t length;      // kRows, kShortRows: elements of a row;
                       // kShortColumns: rows of a small matrix

  int64_t tiles_per_range() const { return (units + tile - 1) / tile; }
  int64_t tiles() const { return kept_total * tiles_per_range(); }
};

// Outputs of a tile and columns of a tile never exceed this.
inline constexpr int64_t kMaxTileOutputs = 2048;
inline constexpr int64_t kMaxTileColumns = 4096;

// The request's dims and flags must be in range. `depth` is how many rows a
// kernel's short accumulators take, `element_size` the bytes of an element.
void make_plan(const Request& request, int64_t element_size, Plan& plan);

// Output index, relative to its tile's first, of the row or column group that
// begins at block `index` of the dims [plan.inner, last) below the tiled dim.
int64_t inner_output(const Plan& plan, int64_t index, int32_t last);

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_PLAN_H_
