#include "team.h"

#include <new>

namespace onnx_reduce {

static_assert(sizeof(Team) <= kTeamBytes);

Team::Team(const Request& request, const Plan& plan, const Kernels& kernels,
           int64_t element_size, const Crew& crew)
    : request_(request), plan_(plan), members_(crew.members) {
  for (int32_t m = 0; m < members_; ++m) {
    new (executors_[m]) Executor(request_, plan_, kernels, element_size, crew.workspaces[m]);
  }
}

void Team::take_tiles(Executor& executor) {
  for (;;) {
    const int64_t unit = next_.fetch_add(1, std::memory_order_relaxed);
    if (unit >= units_) return;
    executor.run_tile(unit);
  }
}

void Team::take_pieces(int32_t member) {
  Executor& own = executor(member);
  for (;;) {
    const int64_t unit = next_.fetch_add(1, std::memory_order_relaxed);
    if (unit >= units_) break;
    if (!joined_[member]) own.begin_tile(tile_);
    joined_[member] = true;
    own.run_piece(unit);
  }
  if (joined_[member]) own.gather();
}

void Team::work(void* team, int32_t member) {
  Team& self = *static_cast<Team*>(team);
  if (self.tile_ < 0) {
    self.take_tiles(self.executor(member));
  } else {
    self.take_pieces(member);
  }
}

bool Team::run(const Crew& crew) {
  const int64_t tiles = plan_.tiles();
  // Two tiles a member even out what they differ in. Results of whole tiles are
  // written by whoever has the tile, so they need a place in memory.
  if (tiles >= 2 * members_ && request_.output) {
    tile_ = -1;
    units_ = tiles;
    next_.store(0, std::memory_order_relaxed);
    return crew.run(crew.context, work, this);
  }
  for (int64_t tile = 0; tile < tiles; ++tile) {
    Executor& own = executor(0);
    own.begin_tile(tile);
    for (int32_t m = 0; m < members_; ++m) joined_[m] = m == 0;
    tile_ = tile;
    units_ = own.pieces(tile);
    next_.store(0, std::memory_order_relaxed);
    if (units_ <= 1) {  // nothing to share, nobody to wake
      take_pieces(0);
    } else if (!crew.run(crew.context, work, this)) {
      return false;
    }
    for (int32_t m = 1; m < members_; ++m) {
      if (joined_[m]) own.merge(executor(m));
    }
    own.finish_tile();
  }
  return true;
}

int64_t Team::undecided() const {
  int64_t total = 0;
  for (int32_t m = 0; m < members_; ++m) {
    total += reinterpret_cast<const Executor*>(executors_[m])->undecided();
  }
  return total;
}

}  // namespace onnx_reduce
