// Only in the build with shared memory.
#ifdef __wasm_atomics__

#include "pool.h"

#include <atomic>
#include <cstdlib>

extern "C" {
// JavaScript: may this thread block (not in a browser's main thread), and is it
// time to give a lost worker up? Asked now and then while waiting.
bool onnx_reduce_host_may_block();
bool onnx_reduce_host_give_up(uint32_t rounds);
}

namespace onnx_reduce {
namespace {

constexpr size_t kStackBytes = size_t{128} << 10;
constexpr uint32_t kOpen = uint32_t{1} << 31;
// Some microseconds: a worker about to leave is waited for without a system
// call.
constexpr int kSpins = 2000;
constexpr int64_t kMillisecond = 1000000;

struct Pool {
  // The gate to the work at hand: kOpen while members may enter, plus how many
  // are inside.
  std::atomic<uint32_t> gate{0};
  // Counts rounds of work and calls to the event loop; workers park on it.
  std::atomic<uint32_t> generation{0};
  std::atomic<uint32_t> called_out{0};
  void (*work)(void*, int32_t) = nullptr;
  void* team = nullptr;
  int32_t source = 0;
  int32_t admitted = 0;  // members that may enter

  int32_t members = 1;
  Workspace workspaces[kMaxMembers];
  std::byte* stacks[kMaxMembers];
  std::byte* team_memory = nullptr;
  bool may_block = false;
  Crew crew;
};

Pool pool;

int32_t* word(std::atomic<uint32_t>& a) { return reinterpret_cast<int32_t*>(&a); }

void leave() {
  if (pool.gate.fetch_sub(1) == 1) {  // closed, and the last one inside
    __builtin_wasm_memory_atomic_notify(word(pool.gate), 1);
  }
}

bool wait_until_empty() {
  for (uint32_t round = 0;; ++round) {
    uint32_t inside = 0;
    for (int i = 0; i < kSpins; ++i) {
      inside = pool.gate.load();
      if (inside == 0) return true;
    }
    if (pool.may_block) {
      __builtin_wasm_memory_atomic_wait32(word(pool.gate), static_cast<int32_t>(inside),
                                          kMillisecond);
    }
    if (onnx_reduce_host_give_up(round)) return false;
  }
}

bool run_round(void*, void (*work)(void*, int32_t), void* team) {
  pool.work = work;
  pool.team = team;
  pool.gate.store(kOpen);
  pool.generation.fetch_add(1);
  __builtin_wasm_memory_atomic_notify(word(pool.generation),
                                      static_cast<uint32_t>(pool.members - 1));
  work(team, 0);
  pool.gate.fetch_and(~kOpen);
  if (wait_until_empty()) return true;
  pool.members = 1;  // whoever was lost may still hold the rest of the memory
  return false;
}

std::byte* aligned(size_t bytes) {
  return static_cast<std::byte*>(std::aligned_alloc(64, (bytes + 63) & ~size_t{63}));
}

}  // namespace

int32_t pool_create(int32_t members) {
  if (members > kMaxMembers) members = kMaxMembers;
  pool.may_block = onnx_reduce_host_may_block();
  pool.team_memory = aligned(kTeamBytes);
  if (!pool.team_memory) return 1;
  int32_t m = 1;
  for (; m < members; ++m) {
    std::byte* memory = aligned(kWorkspaceSize);
    std::byte* stack = aligned(kStackBytes);
    if (!memory || !stack) {
      std::free(memory);
      std::free(stack);
      break;
    }
    pool.workspaces[m] = {memory, kWorkspaceSize};
    pool.stacks[m] = stack;
  }
  pool.members = m;
  return m;
}

uint32_t pool_stack(int32_t member) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pool.stacks[member] + kStackBytes));
}

const Crew& pool_crew(const Workspace& callers, int32_t members, int32_t source) {
  if (members > pool.members) members = pool.members;
  pool.workspaces[0] = callers;
  pool.source = source;
  pool.admitted = members;
  pool.crew = {members, pool.workspaces, pool.team_memory, run_round, nullptr};
  return pool.crew;
}

void pool_call_out() {
  pool.called_out.fetch_add(1);
  pool.generation.fetch_add(1);
  __builtin_wasm_memory_atomic_notify(word(pool.generation),
                                      static_cast<uint32_t>(kMaxMembers));
}

}  // namespace onnx_reduce

// What a worker runs: parks, joins rounds of work, and returns when it is
// called out to its event loop. `known` is the newest source of data that its
// hostRead can read.
extern "C" __attribute__((export_name("onnx_reduce_worker_main"))) void onnx_reduce_worker_main(
    int32_t member, int32_t known, uint32_t called_out) {
  using namespace onnx_reduce;
  uint32_t last = 0;
  bool ever = false;
  for (;;) {
    const uint32_t generation = pool.generation.load();
    if (pool.called_out.load() != called_out) return;
    uint32_t gate = pool.gate.load();
    if (!ever || generation != last) {
      while ((gate & kOpen) && !pool.gate.compare_exchange_weak(gate, gate + 1)) {
      }
      if (gate & kOpen) {
        // Read inside the gate only: outside they belong to the next call.
        if (member < pool.admitted && pool.source <= known) pool.work(pool.team, member);
        leave();
      }
      last = generation;
      ever = true;
    }
    __builtin_wasm_memory_atomic_wait32(word(pool.generation), static_cast<int32_t>(generation),
                                        -1);
  }
}

#endif  // __wasm_atomics__
