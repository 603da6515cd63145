// Constants that are loaded rather than built from immediates; see log.h and
// simd.h. Nothing here may be visible to the kernels' compilation.
#include "log.h"
#include "simd.h"

namespace onnx_reduce {

const Masks kMasks = {0x7fffffffffffffffull, 0x7fffffffu, 0xfffffffff8000000ull};

const LogConstants kLogConstants = {
    {2.0 / 3, 2.0 / 7, 2.0 / 11},
    {2.0 / 5, 2.0 / 9, 2.0 / 13},
    kLn2High,
    kLn2Low,
    0x1p52,
    0x1p52 + 1024,
    (uint64_t{1024} << 52) - kSqrtHalfBits,
    uint64_t{1024} << 52,
};

}  // namespace onnx_reduce
