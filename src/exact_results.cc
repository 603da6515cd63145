// The executor's way back to the elements of the results that are undecided.
#include "executor.h"

namespace onnx_reduce {
namespace {

constexpr int32_t kLanes = ExactLanes::kLanes;
// Columns are copied with those between them, so these must not be many.
constexpr int64_t kSpan = 4 * kLanes;

int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }

// The low `size` bytes.
void put(std::byte* to, uint64_t bits, int64_t size) {
  if (size == 8) {
    store(to, bits);
  } else if (size == 4) {
    store(to, static_cast<uint32_t>(bits));
  } else {
    store(to, static_cast<uint16_t>(bits));
  }
}

}  // namespace

void Executor::decide_exactly(int64_t count) {
  int32_t innermost = plan_.rank - 1;  // of the reduced dims
  while (!plan_.dims[innermost].reduced) --innermost;
  int32_t kept = plan_.rank - 1;  // the innermost of those
  while (kept >= 0 && plan_.dims[kept].reduced) --kept;
  const Dim along = kept < 0 ? Dim{1, 0, 0, false} : plan_.dims[kept];

  // Outputs [run, run + along.size) lie along the innermost kept dim.
  int64_t run = -along.size;
  int64_t run_base = 0;
  for (int64_t i = 0; i < count;) {
    int64_t bases[kLanes];
    int32_t lanes = 0;
    for (; lanes < kLanes && i + lanes < count; ++lanes) {
      const int64_t output = out_base_ + undecided_[i + lanes];
      if (output < run || output >= run + along.size) {
        int64_t index = output / along.size;
        run = index * along.size;
        run_base = 0;
        for (int32_t d = kept - 1; d >= 0 && index > 0; --d) {
          const Dim& dim = plan_.dims[d];
          if (dim.reduced) continue;
          const int64_t next = index / dim.size;
          run_base += (index - next * dim.size) * dim.stride;
          index = next;
        }
      }
      bases[lanes] = run_base + (output - run) * along.stride;
      if (bases[lanes] - bases[0] >= kSpan && innermost < kept) break;
    }
    exact_->begin(lanes, size_ < 8);
    sum_exactly(bases, lanes, innermost);
    exact_->finish(kernels_.log);
    finish_exactly(undecided_ + i, lanes);
    i += lanes;
  }
}

// Rounds exact sums to the results at `outputs` of the tile.
void Executor::finish_exactly(const uint32_t* outputs, int32_t count) {
  ExactLanes& lanes = *exact_;
  alignas(8) std::byte rounded[8 * kLanes + 8];
  uint32_t undecided[kLanes];
  const Partials sums = {lanes.value[0], lanes.value[1], lanes.value[0]};
  const double* rest = !kernels_.log ? nullptr : size_ < 8 ? lanes.value[1] : lanes.value[2];
  const int64_t left = kernels_.finalize(sums, count, 0, rest, rounded, 0, undecided);
  for (int64_t i = 0; i < left; ++i) {
    const auto k = static_cast<int>(undecided[i]);
    const uint64_t bits = lanes.round(k, kernels_.log, *kernels_.format);
    put(rounded + k * size_, bits, size_);
  }
  for (int32_t k = 0; k < count; ++k) {
    put(results() + outputs[k] * size_, load<uint64_t>(rounded + k * size_), size_);
  }
}

// Adds the elements of outputs that begin at `bases`.
void Executor::sum_exactly(const int64_t* bases, int32_t lanes, int32_t innermost) {
  const Dim& inner = plan_.dims[innermost];
  const int64_t span = inner.stride == 1 ? lanes : bases[lanes - 1] - bases[0] + 1;
  const int64_t most = min(inner.size, kExactStagingBytes / (size_ * span));
  for (int64_t outer = 0; outer < plan_.terms / inner.size; ++outer) {
    int64_t offset = 0;  // over the reduced dims but the innermost one
    int64_t rest = outer;
    for (int32_t d = innermost - 1; d >= 0 && rest > 0; --d) {
      const Dim& dim = plan_.dims[d];
      if (!dim.reduced) continue;
      offset += rest % dim.size * dim.stride;
      rest /= dim.size;
    }
    for (int64_t first = 0; first < inner.size; first += most) {
      int64_t left = min(most, inner.size - first);
      const std::byte* from[kLanes];
      int64_t stride = inner.stride;
      for (int32_t k = 0; k < lanes; ++k) {
        if (k > 0 && inner.stride != 1) {
          from[k] = from[0] + (bases[k] - bases[0]) * size_;
          continue;
        }
        const int64_t rows = inner.stride == 1 ? 1 : left;
        from[k] = fetch(bases[k] + offset + first * inner.stride, rows, &stride,
                        inner.stride == 1 ? left : span, exact_staging_ + k * most * size_);
      }
      if (inner.stride == 1) stride = 1;
      for (;;) {
        const auto now = static_cast<int32_t>(min(left, ExactLanes::kElements));
        kernels_.exact_terms(from, lanes, now, stride, exact_->terms);
        exact_->add(kernels_.split_squares ? 2 * now : now, kernels_.split_squares);
        left -= now;
        if (left == 0) break;
        for (int32_t k = 0; k < lanes; ++k) from[k] += now * stride * size_;
      }
    }
  }
}

}  // namespace onnx_reduce
