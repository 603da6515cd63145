// Carries out a plan: walks tiles and pieces, fetches data, calls the kernels
// of one (operator, type), and settles what their error bounds leave open.
//
// Everything here is per call and per thread; several executors with a
// workspace each may work on one request.
#ifndef ONNX_REDUCE_EXECUTOR_H_
#define ONNX_REDUCE_EXECUTOR_H_

#include "kernels.h"
#include "plan.h"
#include "reduce.h"

namespace onnx_reduce {

class Executor {
 public:
  // The workspace must hold at least kWorkspaceSize bytes.
  Executor(const Request& request, const Plan& plan, const Kernels& kernels,
           int64_t element_size, const Workspace& workspace);

  // Whole tiles.
  void run_tile(int64_t tile);

  // A tile in parts: begin, any of its pieces by any executors, then the
  // executors' sums merged into one, which finishes.
  int64_t pieces(int64_t tile) const;
  void begin_tile(int64_t tile);
  void run_piece(int64_t piece);
  void gather();  // makes partials() hold what was summed
  void merge(const Executor& other);
  void finish_tile();

  int64_t undecided() const { return undecided_total_; }

 private:
  struct Layout;

  Partials partials() const;
  // Columns side by side: those of a matrix, times plan.widen.
  int64_t matrix_columns() const { return units_ * plan_.unit_in * plan_.widen; }

  // Where `rows` runs of `length` elements, `stride` apart, can be read: in
  // place, or copied to `staging`, then `stride` is set to `length`.
  const std::byte* fetch(int64_t offset, int64_t rows, int64_t* stride, int64_t length,
                         std::byte* staging);
  int64_t outer_offset(int64_t index) const;

  void clear_partials();
  void run_rows_piece(int64_t piece);
  void reduce_long_row(const std::byte* from, int64_t length, int64_t output);
  void run_columns_piece(int64_t piece);
  bool is_short() const {
    return plan_.form == Form::kShortRows || plan_.form == Form::kShortColumns ||
           plan_.form == Form::kFewRows;
  }
  int64_t run_short();
  int64_t finalize();
  void run_singles();
  void add_columns(const std::byte* from, int64_t rows, int64_t stride, int64_t columns);
  void count_rows(int64_t rows);
  void flush_columns();
  void fold_columns(int64_t copies);

  std::byte* results() const;
  void deliver() const;
  void decide_exactly(int64_t count);
  void finish_exactly(const uint32_t* outputs, int32_t count);
  void sum_exactly(const int64_t* bases, int32_t lanes, int32_t innermost);

  const Request& request_;
  const Plan& plan_;
  const Kernels& kernels_;
  const int64_t size_;  // bytes of an element
  static constexpr int64_t kExactStagingBytes = 32 << 10;

  // Parts of the workspace.
  std::byte* staging_;
  std::byte* exact_staging_;
  std::byte* shorts_;
  std::byte* longs_;
  double* partials_;
  std::byte* results_;
  uint32_t* undecided_;
  ExactLanes* exact_;

  // The tile at hand.
  int64_t tile_ = 0;
  int64_t units_ = 0;
  int64_t outputs_ = 0;
  int64_t in_base_ = 0;
  int64_t out_base_ = 0;
  int64_t rows_since_flush_ = 0;
  // What the staging area holds: `window_count_` elements from `window_`.
  int64_t window_ = 0;
  int64_t window_count_ = 0;

  // Pieces of the plan.
  int64_t rows_per_piece_ = 0;
  int64_t parts_per_row_ = 1;
  int64_t part_length_ = 0;

  int64_t undecided_total_ = 0;
};

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_EXECUTOR_H_
