// The one Embind block: what ties the core to JavaScript. It computes nothing;
// arguments and results travel through the control block.

#include <emscripten/bind.h>

#include <cstdint>
#include <cstdlib>

#include "../src/reduce.h"
#include "control_block.h"
#ifdef __wasm_atomics__
#include "pool.h"
#endif

extern "C" {
// Implemented by the JavaScript wrapper (host_library.js). The doubles are
// integers below 2^53.
void onnx_reduce_host_read(uint32_t to, double offset, uint32_t rows, double row_stride,
                           uint32_t row_length);
void onnx_reduce_host_write(uint32_t from, double offset, uint32_t count);
}

// Embind would print an address for a type that it has no name for. That never
// happens here (see EMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES in cmake/wasm.cmake), and
// the C library's formatting would be 2 kB more to download.
extern "C" int siprintf(char* to, const char*, ...) {
  *to = 0;
  return 0;
}

namespace onnx_reduce {
namespace {

ControlBlock block;
alignas(64) std::byte workspace[kWorkspaceSize];

uint32_t address(const volatile void* p) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(p));
}

void read_from_host(void*, void* to, int64_t offset, int32_t rows, int64_t row_stride,
                    int32_t row_length) {
  onnx_reduce_host_read(address(to), static_cast<double>(offset), static_cast<uint32_t>(rows),
                        static_cast<double>(row_stride), static_cast<uint32_t>(row_length));
}

void write_to_host(void*, const void* from, int64_t offset, int32_t count) {
  onnx_reduce_host_write(address(from), static_cast<double>(offset),
                         static_cast<uint32_t>(count));
}

constexpr Host kHost = {read_from_host, write_to_host, nullptr};

uint32_t control_block() { return address(&block); }

int32_t run() {
  if (block.rank < 0 || block.rank > kMaxRank) return static_cast<int32_t>(Status::kBadRequest);
  int64_t dims[kMaxRank];
  for (int32_t i = 0; i < block.rank; ++i) dims[i] = static_cast<int64_t>(block.dims[i]);
  const Request request = {
      static_cast<Operator>(block.op),
      static_cast<Type>(block.type),
      block.rank,
      dims,
      block.reduced,
      reinterpret_cast<const void*>(static_cast<uintptr_t>(block.input)),
      reinterpret_cast<void*>(static_cast<uintptr_t>(block.output)),
      &kHost,
  };
  Statistics statistics = {};
  const Workspace own = {workspace, sizeof workspace};
#ifdef __wasm_atomics__
  const Status status = block.threads > 1
                            ? reduce(request, pool_crew(own, block.threads, block.source), &statistics)
                            : reduce(request, own, &statistics);
#else
  const Status status = reduce(request, own, &statistics);
#endif
  block.results = static_cast<double>(statistics.results);
  block.undecided = static_cast<double>(statistics.undecided);
  return static_cast<int32_t>(status);
}

// Aligned to whole vectors, which malloc doesn't promise here. An empty tensor
// still has an address.
uint32_t allocate(double bytes) {
  if (!(bytes >= 0 && bytes < 0x1p32 - 0x1p16)) return 0;
  const size_t vectors = (static_cast<size_t>(bytes) + 15) / 16;
  return address(std::aligned_alloc(16, vectors == 0 ? 16 : vectors * 16));
}

void release(uint32_t at) { std::free(reinterpret_cast<void*>(static_cast<uintptr_t>(at))); }

}  // namespace

EMSCRIPTEN_BINDINGS(onnx_reduce) {
  emscripten::function("controlBlock", &control_block);
  emscripten::function("run", &run);
  emscripten::function("allocate", &allocate);
  emscripten::function("release", &release);
#ifdef __wasm_atomics__
  emscripten::function("poolCreate", &pool_create);
  emscripten::function("poolStack", &pool_stack);
  emscripten::function("poolCallOut", &pool_call_out);
#endif
}

}  // namespace onnx_reduce
