// Several threads on one reduction. The core starts none: a Crew lends them.
//
// Work is handed out in units by one atomic counter: whole tiles where there
// are many, else the pieces of one tile after the other, summed by each member
// apart and merged. Who takes which unit does not matter for the result, as it
// is the exact value rounded once.
#ifndef ONNX_REDUCE_TEAM_H_
#define ONNX_REDUCE_TEAM_H_

#include <atomic>
#include <cstdint>

#include "executor.h"
#include "reduce.h"

namespace onnx_reduce {

class Team {
 public:
  Team(const Request& request, const Plan& plan, const Kernels& kernels, int64_t element_size,
       const Crew& crew);

  // Carries the plan out. False when a member of the crew was lost on the way:
  // the result is then incomplete, and the team's memory must be left alone.
  bool run(const Crew& crew);

  int64_t undecided() const;

 private:
  static void work(void* team, int32_t member);
  void take_tiles(Executor& executor);
  void take_pieces(int32_t member);

  Request request_;  // copies: a lost member may come back to them
  Plan plan_;
  int32_t members_;
  int64_t tile_ = 0;  // where pieces are handed out, else -1
  int64_t units_ = 0;
  std::atomic<int64_t> next_{0};
  bool joined_[kMaxMembers];
  alignas(64) std::byte executors_[kMaxMembers][sizeof(Executor)];

  Executor& executor(int32_t member) {
    return *reinterpret_cast<Executor*>(executors_[member]);
  }
};

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_TEAM_H_
