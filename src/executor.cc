#include "executor.h"

namespace onnx_reduce {
namespace {

// A piece of fetched data: fits the second-level cache beside the accumulators.
constexpr int64_t kStagingBytes = 128 << 10;
// A piece of data in place is as large as threads can share evenly: long
// enough for distant streams, short enough to be many.
constexpr int64_t kPieceBytes = 1 << 20;
// From here on splitting a row into distant streams pays for itself.
constexpr int64_t kSplitBytes = 4096;

// Results that are finished at a time where each has few elements: their sums
// stay in the first-level cache.
constexpr int64_t kShortChunk = 256;

constexpr int64_t kMaxColumnsPerGroup = kMaxTileColumns + 8;
// A group of columns may end behind the last partial.
constexpr int64_t kMaxPartials = kMaxTileColumns + 8;

int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t max(int64_t a, int64_t b) { return a > b ? a : b; }

}  // namespace

// Cuts the workspace up.
struct Executor::Layout {
  std::byte* next;
  template <typename T>
  T* take(int64_t bytes) {
    std::byte* const at = next;
    next += (bytes + 63) & ~int64_t{63};
    return reinterpret_cast<T*>(at);
  }
};

Executor::Executor(const Request& request, const Plan& plan, const Kernels& kernels,
                   int64_t element_size, const Workspace& workspace)
    : request_(request), plan_(plan), kernels_(kernels), size_(element_size) {
  Layout layout{workspace.memory};
  const int64_t groups = kMaxColumnsPerGroup / kernels.step + 1;
  staging_ = layout.take<std::byte>(kStagingBytes);
  exact_staging_ = layout.take<std::byte>(kExactStagingBytes);
  shorts_ = layout.take<std::byte>(groups * kernels.short_bytes);
  longs_ = layout.take<std::byte>(groups * kernels.long_bytes);
  partials_ = layout.take<double>(3 * 8 * kMaxPartials);
  results_ = layout.take<std::byte>(8 * kMaxTileColumns);
  undecided_ = layout.take<uint32_t>(4 * kMaxTileColumns);
  exact_ = layout.take<ExactLanes>(sizeof(ExactLanes));

  const int64_t budget = request.input ? kPieceBytes : kStagingBytes;
  if (plan.form == Form::kRows) {
    const int64_t row_bytes = plan.length * size_;
    if (row_bytes > budget) {
      // Parts of equal length, whole cache lines each.
      parts_per_row_ = (row_bytes + budget - 1) / budget;
      part_length_ = ((plan.length + parts_per_row_ - 1) / parts_per_row_ + 63) & ~int64_t{63};
      if (part_length_ * size_ > budget) part_length_ = budget / size_;
      parts_per_row_ = (plan.length + part_length_ - 1) / part_length_;
      rows_per_piece_ = 1;
    } else {
      part_length_ = plan.length;
      rows_per_piece_ = budget / row_bytes;
    }
  } else if (plan.form == Form::kColumns) {
    const int64_t run = min(plan.units, plan.tile) * plan.unit_in * plan.widen;
    // Eight rows at least (a pass); a run of the widest tile is 32 kB.
    rows_per_piece_ = max(budget / (run * size_), 1);
    if (rows_per_piece_ > 8) rows_per_piece_ &= ~int64_t{7};
  }
}

Partials Executor::partials() const {
  return {partials_, partials_ + kMaxPartials, partials_ + 2 * kMaxPartials};
}

const std::byte* Executor::fetch(int64_t offset, int64_t rows, int64_t* stride,
                                 int64_t length, std::byte* staging) {
  if (request_.input) {
    return static_cast<const std::byte*>(request_.input) + offset * size_;
  }
  const int64_t window_end = window_ + window_count_;
  const int64_t end = offset + (rows - 1) * *stride + length;
  if (staging != staging_ && offset >= window_ && end <= window_end) {
    return staging_ + (offset - window_) * size_;
  }
  request_.host->read(request_.host->context, staging, offset, static_cast<int32_t>(rows),
                      *stride, static_cast<int32_t>(length));
  if (staging == staging_) {
    window_ = offset;
    window_count_ = rows == 1 || *stride == length ? rows * length : 0;
  }
  *stride = length;
  return staging;
}

int64_t Executor::outer_offset(int64_t index) const {
  int64_t offset = 0;
  for (int32_t i = plan_.outer_count - 1; i >= 0; --i) {
    const Dim& d = plan_.dims[plan_.outer[i]];
    offset += index % d.size * d.stride;
    index /= d.size;
  }
  return offset;
}

void Executor::begin_tile(int64_t tile) {
  tile_ = tile;
  const int64_t ranges = plan_.tiles_per_range();
  const int64_t first = tile % ranges * plan_.tile;
  int64_t kept = tile / ranges;
  units_ = min(plan_.tile, plan_.units - first);
  outputs_ = units_ * plan_.unit_out;
  in_base_ = first * plan_.unit_in;
  out_base_ = first * plan_.unit_out;
  for (int32_t i = plan_.kept_count - 1; i >= 0; --i) {
    const Dim& d = plan_.dims[plan_.kept[i]];
    in_base_ += kept % d.size * d.stride;
    out_base_ += kept % d.size * d.out_stride;
    kept /= d.size;
  }
  rows_since_flush_ = 0;
  window_count_ = 0;
  if (plan_.form == Form::kRows || plan_.form == Form::kEmpty) clear_partials();
  if (plan_.form == Form::kColumns) {
    const size_t groups = static_cast<size_t>((matrix_columns() + kernels_.step - 1) / kernels_.step);
    std::memset(shorts_, 0, groups * static_cast<size_t>(kernels_.short_bytes));
    std::memset(longs_, 0, groups * static_cast<size_t>(kernels_.long_bytes));
  }
}

void Executor::clear_partials() {
  const size_t bytes = static_cast<size_t>(outputs_) * sizeof(double);
  std::memset(partials().hi, 0, bytes);
  std::memset(partials().lo, 0, bytes);
  std::memset(partials().magnitude, 0, bytes);
}

int64_t Executor::pieces(int64_t) const {
  switch (plan_.form) {
    case Form::kEmpty:
    case Form::kShortRows:
    case Form::kFewRows:
    case Form::kShortColumns: return 0;  // finish_tile does it all
    case Form::kRows: {
      const int64_t rows = units_ * (plan_.unit_in / plan_.length);
      return plan_.outer_total * parts_per_row_ * ((rows + rows_per_piece_ - 1) / rows_per_piece_);
    }
    case Form::kColumns: {
      const int64_t rows = (plan_.rows + plan_.widen - 1) / plan_.widen;
      return plan_.outer_total * ((rows + rows_per_piece_ - 1) / rows_per_piece_);
    }
  }
  return 0;
}

void Executor::run_piece(int64_t piece) {
  switch (plan_.form) {
    case Form::kRows: return run_rows_piece(piece);
    case Form::kColumns: return run_columns_piece(piece);
    default: return;  // no pieces
  }
}

void Executor::run_rows_piece(int64_t piece) {
  const int64_t rows_per_unit = plan_.unit_in / plan_.length;
  const int64_t total_rows = units_ * rows_per_unit;
  const int64_t groups = (total_rows + rows_per_piece_ - 1) / rows_per_piece_;
  const int64_t part = piece % parts_per_row_;
  piece /= parts_per_row_;
  const int64_t first = piece % groups * rows_per_piece_;
  const int64_t outer = piece / groups;
  const int64_t rows = min(rows_per_piece_, total_rows - first);
  const int64_t begin = part * part_length_;
  const int64_t length = min(part_length_, plan_.length - begin);
  const int64_t offset = in_base_ + outer_offset(outer) + first * plan_.length + begin;
  int64_t stride = rows * length;
  const std::byte* from = fetch(offset, 1, &stride, rows * length, staging_);

  const auto output_of = [&](int64_t row) {
    if (rows_per_unit == 1) return row;
    return row / rows_per_unit * plan_.unit_out +
           inner_output(plan_, row % rows_per_unit, plan_.inner_end);
  };
  const int64_t row_bytes = length * size_;
  // The streams are distant rows, so that each goes on where it was.
  const int streams = kernels_.streams;
  const int64_t rows_per_stream = rows / streams;
  for (int64_t r = 0; r < rows_per_stream; ++r) {
    const std::byte* runs[kMaxStreams];
    int64_t outputs[kMaxStreams];
    for (int s = 0; s < streams; ++s) {
      const int64_t row = s * rows_per_stream + r;
      runs[s] = from + row * row_bytes;
      outputs[s] = output_of(first + row);
    }
    kernels_.rows(runs, streams, length, partials(), outputs);
  }
  for (int64_t r = streams * rows_per_stream; r < rows; ++r) reduce_long_row(from + r * row_bytes, length, output_of(first + r));
}

// One row, cut into distant streams where it is long enough.
void Executor::reduce_long_row(const std::byte* from, int64_t length, int64_t output) {
  const int streams = kernels_.streams;
  const int64_t outputs[kMaxStreams] = {output, output, output, output};
  if (length * size_ >= kSplitBytes) {
    const int64_t part = length / streams & ~int64_t{15};
    const std::byte* runs[kMaxStreams];
    for (int s = 0; s < streams; ++s) runs[s] = from + s * part * size_;
    kernels_.rows(runs, streams, part, partials(), outputs);
    from += streams * part * size_;
    length -= streams * part;
    if (length == 0) return;
  }
  kernels_.rows(&from, 1, length, partials(), outputs);
}

void Executor::run_columns_piece(int64_t piece) {
  const int64_t total_rows = (plan_.rows + plan_.widen - 1) / plan_.widen;
  const int64_t groups = (total_rows + rows_per_piece_ - 1) / rows_per_piece_;
  const int64_t first = piece % groups * rows_per_piece_;
  const int64_t rows = min(rows_per_piece_, total_rows - first);
  const int64_t base = in_base_ + outer_offset(piece / groups);
  if (plan_.widen == 1) {
    int64_t stride = plan_.row_stride;
    const int64_t columns = units_ * plan_.unit_in;
    const std::byte* from = fetch(base + first * stride, rows, &stride, columns, staging_);
    return add_columns(from, rows, stride, columns);
  }
  // A widened matrix is contiguous; its last row may be short.
  const int64_t columns = plan_.row_stride * plan_.widen;
  const int64_t begin = first * columns;
  const int64_t count = min(rows * columns, plan_.rows * plan_.row_stride - begin);
  int64_t stride = count;
  const std::byte* from = fetch(base + begin, 1, &stride, count, staging_);
  const int64_t whole = count / columns;
  if (whole > 0) add_columns(from, whole, columns, columns);
  if (count % columns != 0) add_columns(from + whole * columns * size_, 1, columns, count % columns);
}

// The rows of a pass lie an eighth of the piece apart, so that each of the eight
// streams of loads goes on where it was in the next pass (with neighbouring rows
// every pass would begin eight new ones), and as no line is touched twice it does
// not matter that they compete for the same cache set.
void Executor::add_columns(const std::byte* from, int64_t rows, int64_t stride, int64_t columns) {
  const int64_t distance = rows / kRowsPerPass;
  for (int64_t r = 0; r < distance;) {
    const int64_t passes = min(distance - r, (kernels_.depth - rows_since_flush_) / kRowsPerPass);
    kernels_.columns(from + r * stride * size_, passes, stride, kRowsPerPass, distance * stride, columns, shorts_);
    r += passes;
    count_rows(passes * kRowsPerPass);
  }
  const int64_t left = rows - distance * kRowsPerPass;
  if (left == 0) return;
  from += distance * kRowsPerPass * stride * size_;
  kernels_.columns(from, 1, stride, left, stride, columns, shorts_);
  count_rows(left);
}

// Flushes when the short accumulators have no room for another pass.
void Executor::count_rows(int64_t rows) {
  rows_since_flush_ += rows;
  if (rows_since_flush_ + kRowsPerPass > kernels_.depth) flush_columns();
}

void Executor::flush_columns() {
  kernels_.flush(shorts_, longs_, matrix_columns());
  rows_since_flush_ = 0;
}

// Few elements a result: from the elements to the results while the sums are in
// the first-level cache. Returns how many are undecided.
int64_t Executor::run_short() {
  const bool few_rows = plan_.form == Form::kFewRows;
  const int64_t rows = few_rows ? plan_.rows : 1;
  int64_t stride = few_rows ? plan_.row_stride : units_ * plan_.unit_in;
  const std::byte* from = fetch(in_base_, rows, &stride, units_ * plan_.unit_in, staging_);
  const int64_t chunk = max(kShortChunk / plan_.unit_out, 1);
  int64_t left = 0;
  for (int64_t unit = 0; unit < units_; unit += chunk) {
    const int64_t units = min(chunk, units_ - unit);
    const std::byte* p = from + unit * plan_.unit_in * size_;
    if (few_rows) {
      kernels_.short_columns(p, 1, rows, stride, units, partials());
    } else if (plan_.form == Form::kShortRows) {
      kernels_.short_rows(p, units, plan_.length, partials());
    } else {
      kernels_.short_columns(p, units, plan_.length, plan_.unit_out, plan_.unit_out, partials());
    }
    left += kernels_.finalize(partials(), units * plan_.unit_out, plan_.terms, nullptr, results(),
                              unit * plan_.unit_out, undecided_ + left);
  }
  return left;
}

void Executor::gather() {
  if (plan_.form != Form::kColumns) return;
  const bool one_each = plan_.inner == plan_.inner_end;
  if (rows_since_flush_ > 0) flush_columns();
  const int64_t columns = units_ * plan_.unit_in;
  int64_t copies = plan_.widen;
  if (columns % kernels_.step == 0) {
    for (; copies % 2 == 0; copies /= 2) kernels_.halve(longs_, copies * columns);
  }
  if (one_each && copies == 1) return kernels_.unpack(longs_, units_, partials());
  clear_partials();
  fold_columns(copies);
}

// Columns lie as [copies][units][dims below the tiled one]; the last of those
// dims is a run of columns with one output each, or all with the same one.
void Executor::fold_columns(int64_t copies) {
  const int64_t per_copy = units_ * plan_.unit_in;
  for (int64_t copy = 0; copy < copies; ++copy) {
    int64_t column = copy * per_copy;
    if (plan_.inner == plan_.inner_end) {
      kernels_.fold(longs_, column, units_, partials(), 0, 1);
      continue;
    }
    const Dim& last = plan_.dims[plan_.inner_end - 1];
    const int64_t runs = plan_.unit_in / last.size;
    for (int64_t unit = 0; unit < units_; ++unit) {
      for (int64_t run = 0; run < runs; ++run, column += last.size) {
        const int64_t output =
            unit * plan_.unit_out + inner_output(plan_, run, plan_.inner_end - 1);
        kernels_.fold(longs_, column, last.size, partials(), output, last.reduced ? 0 : 1);
      }
    }
  }
}

void Executor::merge(const Executor& other) {
  kernels_.merge(other.partials(), outputs_, partials());
}

// Where the tile's results are made.
std::byte* Executor::results() const {
  if (!request_.output) return results_;
  return static_cast<std::byte*>(request_.output) + out_base_ * size_;
}

int64_t Executor::finalize() {
  if (kernels_.round_sums) kernels_.round_sums(partials(), outputs_);
  return kernels_.finalize(partials(), outputs_, plan_.terms, nullptr, results(), 0, undecided_);
}

void Executor::finish_tile() {
  if (plan_.terms == 1 && kernels_.singles) return run_singles();
  const int64_t left = is_short() ? run_short() : finalize();
  undecided_total_ += left;
  if (left > 0) decide_exactly(left);
  deliver();
}

void Executor::deliver() const {
  if (!request_.output) {
    request_.host->write(request_.host->context, results_, out_base_,
                         static_cast<int32_t>(outputs_));
  }
}

// A tile of elements that are results once mapped.
void Executor::run_singles() {
  int64_t stride = outputs_;
  const std::byte* from = fetch(in_base_, 1, &stride, outputs_, staging_);
  kernels_.singles(from, outputs_, results());
  deliver();
}

void Executor::run_tile(int64_t tile) {
  begin_tile(tile);
  const int64_t n = pieces(tile);
  for (int64_t i = 0; i < n; ++i) run_piece(i);
  gather();
  finish_tile();
}

}  // namespace onnx_reduce
