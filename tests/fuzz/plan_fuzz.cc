// libFuzzer over shapes: see tests/native/support/plan_check.h. A test of the
// native suite runs the same check on a fixed number of seeded inputs.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "support/plan_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string wrong = onnx_reduce::testing::check_plan(data, size);
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "%s\n", wrong.c_str());
  std::abort();
}
