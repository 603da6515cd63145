#include "reduce.h"

#include <new>

#include "executor.h"
#include "team.h"

namespace onnx_reduce {
namespace {

constexpr int64_t kElementSize[] = {
#define REDUCE_TYPE(name, bytes, kind, array, onnx_code) bytes,
#include "types.def"
};
constexpr int32_t kTypes = sizeof kElementSize / sizeof *kElementSize;

constexpr int32_t kOperators = 0
#define REDUCE_OPERATOR(name, js_name, map, combine, finalize) +1
#include "operators.def"
    ;

// Waking a parked thread takes some 20 to 50 us, in which one alone reads this
// much.
constexpr int64_t kTeamWorthBytes = 512 << 10;

constexpr int64_t kMaxElements = int64_t{1} << 53;

bool valid(const Request& request) {
  const int32_t op = static_cast<int32_t>(request.op);
  const int32_t type = static_cast<int32_t>(request.type);
  if (op < 0 || op >= kOperators || type < 0 || type >= kTypes) return false;
  if (request.rank < 0 || request.rank > kMaxRank) return false;
  if ((!request.input || !request.output) && !request.host) return false;
  bool empty = false;
  for (int32_t i = 0; i < request.rank; ++i) {
    if (request.dims[i] < 0 || request.dims[i] >= kMaxElements) return false;
    empty |= request.dims[i] == 0;
  }
  // The elements of the input, and of an empty input's result, can be counted.
  int64_t elements = 1;
  for (int32_t i = 0; i < request.rank; ++i) {
    if (empty && (request.reduced[i] || request.dims[i] == 0)) continue;
    if (request.dims[i] != 0 && elements > (kMaxElements - 1) / request.dims[i]) return false;
    elements *= request.dims[i];
  }
  return true;
}

}  // namespace

Status reduce(const Request& request, const Workspace& workspace, Statistics* statistics) {
  const Crew alone = {1, &workspace, nullptr, nullptr, nullptr};
  return reduce(request, alone, statistics);
}

Status reduce(const Request& request, const Crew& crew, Statistics* statistics) {
  if (!valid(request)) return Status::kBadRequest;
  if (crew.workspaces[0].size < kWorkspaceSize) return Status::kOutOfMemory;
  const int64_t size = kElementSize[static_cast<int32_t>(request.type)];
  const Kernels& row = kernels(request.op, request.type);
  Plan plan;
  make_plan(request, size, plan);
  if (crew.members > 1 && plan.outputs * plan.terms * size >= kTeamWorthBytes) {
    Team* team = new (crew.team) Team(request, plan, row, size, crew);
    if (team->run(crew)) {
      if (statistics) *statistics = {plan.outputs, team->undecided()};
      return Status::kOk;
    }
    // A member was lost: the caller does all of it again, alone.
  }
  Executor executor(request, plan, row, size, crew.workspaces[0]);
  const int64_t tiles = plan.tiles();
  for (int64_t tile = 0; tile < tiles; ++tile) executor.run_tile(tile);
  if (statistics) *statistics = {plan.outputs, executor.undecided()};
  return Status::kOk;
}

}  // namespace onnx_reduce
