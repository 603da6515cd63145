// The crew of the multi-threaded build: workers that JavaScript starts, each
// an instance of this very module on the same memory, parked in worker_main.
#ifndef ONNX_REDUCE_POOL_H_
#define ONNX_REDUCE_POOL_H_

#include <cstdint>

#include "../src/reduce.h"

namespace onnx_reduce {

// Makes room for `members` threads, the caller included; how many there is room
// for. Once per instance.
int32_t pool_create(int32_t members);

// Where member's stack ends (it grows down from there), for JavaScript to set.
uint32_t pool_stack(int32_t member);

// Members that may take part in a call. What the host reads from (a shared
// buffer) is known by number: members who do not know `source` stay out.
const Crew& pool_crew(const Workspace& callers, int32_t members, int32_t source);

// Sends the parked workers back to their event loop, where messages wait.
void pool_call_out();

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_POOL_H_
