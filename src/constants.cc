// Constants that are loaded rather than built from immediates; see log.h and
// simd.h. Nothing here may be visible to the kernels' compilation.
#include "log.h"
#include "simd.h"

namespace onnx_reduce {

namespace {
constexpr f64x2 both(double x) { return f64x2{x, x}; }
constexpr u64x2 both(uint64_t x) { return u64x2{x, x}; }
}  // namespace

const Masks kMasks = {0x7fffffffffffffffull, 0x7fffffffu, 0xfffffffff8000000ull};

const LogConstants kLogConstants = {
    {both(2.0 / 3), both(2.0 / 7), both(2.0 / 11)},
    {both(2.0 / 5), both(2.0 / 9), both(2.0 / 13)},
    both(kLn2.hi),
    both(0x1p52),
    both(0x1p52 + 1024),
    both((uint64_t{1024} << 52) - kSqrtHalfBits),
    both(uint64_t{1024} << 52),
};

}  // namespace onnx_reduce
