#include "plan.h"

#include "kernels.h"

namespace onnx_reduce {
namespace {

// A tile of many small rows or matrices is read in one piece of about this.
constexpr int64_t kShortTileBytes = 64 << 10;
// Rows of less are short where nothing lies between them; see short_rows.
constexpr int64_t kShortRowBytes = 1024;
// A small matrix: below this a kernel call per matrix would cost more than its
// elements.
constexpr int64_t kSmallMatrix = 1024;
// Narrow matrices are laid out this many columns wide, so that a pass over
// their accumulators is long enough; at least kWideRows rows must remain.
constexpr int64_t kWideColumns = 256;
constexpr int64_t kWideRows = 16;
// Columns deserve being folded only after this many rows were summed up.
constexpr int64_t kRowsPerFold = 32;

// Sums of so few rows are finished at once: the sums of a tile of columns would
// take as long to be written and read again.
constexpr int64_t kFewRows = 32;

int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }

// No elements: the identity for every output, if there are any. Sizes beside
// a 0 may have any product, so only what is needed is multiplied.
bool plan_empty(const Request& request, Plan& plan) {
  bool empty = false;
  plan.outputs = 1;
  for (int32_t i = 0; i < request.rank; ++i) {
    if (request.dims[i] != 0) continue;
    empty = true;
    if (!request.reduced[i]) plan.outputs = 0;
  }
  if (!empty) return false;
  for (int32_t i = 0; i < request.rank && plan.outputs != 0; ++i) {
    if (!request.reduced[i]) plan.outputs *= request.dims[i];
  }
  plan.form = Form::kEmpty;
  plan.terms = 0;
  plan.rank = 0;
  plan.units = plan.outputs;
  plan.tile = kMaxTileOutputs;
  plan.unit_in = 0;
  plan.unit_out = 1;
  return true;
}

// Drops dims of 1, joins neighbours of a kind, computes strides.
void canonicalize(const Request& request, Plan& plan) {
  plan.rank = 0;
  for (int32_t i = 0; i < request.rank; ++i) {
    if (request.dims[i] == 1) continue;
    const bool reduced = request.reduced[i] != 0;
    Dim* last = plan.rank > 0 ? &plan.dims[plan.rank - 1] : nullptr;
    if (last && last->reduced == reduced) {
      last->size *= request.dims[i];
    } else {
      plan.dims[plan.rank++] = {request.dims[i], 1, 0, reduced};
    }
  }
  if (plan.rank == 0) plan.dims[plan.rank++] = {1, 1, 0, true};
}

void set_strides(Plan& plan) {
  int64_t stride = 1;
  int64_t out_stride = 1;
  plan.terms = 1;
  for (int32_t i = plan.rank - 1; i >= 0; --i) {
    Dim& d = plan.dims[i];
    d.stride = stride;
    stride *= d.size;
    d.out_stride = d.reduced ? 0 : out_stride;
    (d.reduced ? plan.terms : out_stride) *= d.size;
  }
  plan.outputs = out_stride;
}

// Elements, or outputs, below one index of dims[i].
int64_t elements_below(const Plan& plan, int32_t i) { return plan.dims[i].stride; }
int64_t outputs_below(const Plan& plan, int32_t i) {
  int64_t n = 1;
  for (int32_t k = i + 1; k < plan.rank; ++k) n *= plan.dims[k].reduced ? 1 : plan.dims[k].size;
  return n;
}

// Tiles over dims[at]: what lies before it becomes loops.
void tile_over(Plan& plan, int32_t at, int32_t inner_end, int64_t limit, int64_t per_unit) {
  const Dim& d = plan.dims[at];
  plan.units = d.size;
  plan.unit_in = d.stride;
  plan.unit_out = outputs_below(plan, at);
  plan.tile = min(plan.units, limit / per_unit);
  plan.inner = at + 1;
  plan.inner_end = inner_end;
  for (int32_t i = 0; i < at; ++i) {
    if (plan.dims[i].reduced) {
      plan.outer[plan.outer_count++] = i;
      plan.outer_total *= plan.dims[i].size;
    } else {
      plan.kept[plan.kept_count++] = i;
      plan.kept_total *= plan.dims[i].size;
    }
  }
}

// One output in all (or none kept below the loops): a tile of one unit.
void tile_whole(Plan& plan) {
  plan.units = plan.tile = 1;
  plan.unit_in = plan.dims[0].size * plan.dims[0].stride;
  plan.unit_out = 1;
  plan.inner = plan.inner_end = 0;
}

void plan_rows(Plan& plan) {
  const int32_t last = plan.rank - 1;
  plan.form = Form::kRows;
  plan.length = plan.dims[last].size;
  if (last == 0) return tile_whole(plan);
  // The outermost reduced dim whose tiles fit, so that its loop runs inside.
  for (int32_t p = 0; p < last - 1; ++p) {
    if (!plan.dims[p].reduced) continue;
    const int64_t below = outputs_below(plan, p + 1);
    if (below <= kMaxTileOutputs) return tile_over(plan, p + 1, last, kMaxTileOutputs, below);
  }
  tile_over(plan, last - 1, last, kMaxTileOutputs, 1);
}

void plan_columns(Plan& plan, int64_t element_size) {
  plan.form = Form::kColumns;
  int32_t best = -1;
  int64_t rows_so_far = 1;
  for (int32_t p = 0; p + 1 < plan.rank; ++p) {
    if (!plan.dims[p].reduced) continue;
    rows_so_far *= plan.dims[p].size;
    if (elements_below(plan, p + 1) > kMaxTileColumns) continue;
    best = p;
    if (rows_so_far >= kRowsPerFold) break;
  }
  // dims[best] itself is the matrix's rows, not an outer loop.
  tile_over(plan, best + 1, plan.rank, kMaxTileColumns, elements_below(plan, best + 1));
  plan.outer_total /= plan.dims[best].size;
  --plan.outer_count;
  plan.rows = plan.dims[best].size;
  plan.row_stride = plan.dims[best].stride;
  if (plan.outer_total == 1 && plan.rows <= kFewRows && plan.unit_in == 1) {
    plan.form = Form::kFewRows;
    plan.tile = min(plan.tile, kShortTileBytes / (plan.rows * element_size) & ~int64_t{63});
    return;
  }
  const int64_t columns = plan.units * plan.unit_in;
  if (plan.tile == plan.units && columns < kWideColumns) {
    const int64_t most = min(kWideColumns / columns, plan.rows / kWideRows);
    // A power of two, so that the copies are folded by halves.
    while (plan.widen * 2 <= most) plan.widen *= 2;
  }
}

}  // namespace

void make_plan(const Request& request, int64_t element_size, Plan& plan) {
  plan.kept_count = plan.outer_count = 0;
  plan.kept_total = plan.outer_total = 1;
  plan.inner = plan.inner_end = 0;
  plan.rows = 1;
  plan.row_stride = 0;
  plan.widen = 1;
  plan.length = 1;
  if (plan_empty(request, plan)) return;
  canonicalize(request, plan);
  // Nothing reduced: rows of one element.
  bool any_reduced = false;
  for (int32_t i = 0; i < plan.rank; ++i) any_reduced |= plan.dims[i].reduced;
  if (!any_reduced) plan.dims[plan.rank++] = {1, 1, 0, true};
  set_strides(plan);

  const Dim& last = plan.dims[plan.rank - 1];
  if (last.reduced && plan.rank == 2 && last.size * element_size < kShortRowBytes) {
    plan.form = Form::kShortRows;
    plan.length = last.size;
    const int64_t fit = kShortTileBytes / (last.size * element_size);
    return tile_over(plan, 0, 1, min(kMaxTileOutputs, fit), 1);
  }
  if (last.reduced && (last.size >= kShortRow || plan.rank == 1)) return plan_rows(plan);
  if (!last.reduced && plan.rank == 3) {
    const int64_t rows = plan.dims[1].size;
    if (rows <= kSmallMatrixRows && rows * last.size <= kSmallMatrix) {
      plan.form = Form::kShortColumns;
      plan.length = rows;
      const int64_t fit = kShortTileBytes / (rows * last.size * element_size);
      return tile_over(plan, 0, 1, min(kMaxTileOutputs / last.size, fit), 1);
    }
  }
  plan_columns(plan, element_size);
}

int64_t inner_output(const Plan& plan, int64_t index, int32_t last) {
  int64_t output = 0;
  for (int32_t i = last - 1; i >= plan.inner; --i) {
    const Dim& d = plan.dims[i];
    output += index % d.size * d.out_stride;
    index /= d.size;
  }
  return output;
}

}  // namespace onnx_reduce
