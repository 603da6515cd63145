#include "kernels.h"

#include "float_results.h"
#include "float_sums.h"
#include "integer_results.h"
#include "integer_sums.h"
#include "kernel_templates.h"

namespace onnx_reduce {
namespace {

enum class Map { identity, square };
enum class Finalize { none, log };

// What a tensor type is summed with, for each map, and rounded to.
template <Type kType>
struct TypeKernels;

template <typename Sum, typename Square, typename Rounding>
struct FloatKernels {
  template <Map kMap, Finalize kFinalize>
  static constexpr Kernels make() {
    using Policy = std::conditional_t<kMap == Map::square, Square, Sum>;
    using Result = FloatResult<Policy, Rounding, kFinalize == Finalize::log>;
    Kernels k = KernelLoops<Policy, FloatMerge<typename Policy::Long, !Result::kNarrow>>::table();
    Result::complete(k);
    return k;
  }
};

template <typename Sum, typename Square, typename Integer>
struct IntegerKernels {
  template <Map kMap, Finalize kFinalize>
  static constexpr Kernels make() {
    using Policy = std::conditional_t<kMap == Map::square, Square, Sum>;
    Kernels k = KernelLoops<Policy, IntegerMerge<typename Policy::Long>>::table();
    IntegerResult<Integer, kFinalize == Finalize::log>::complete(k);
    return k;
  }
};

template <>
struct TypeKernels<Type::k_float32>
    : FloatKernels<Float32Sum<false>, Float32Sum<true>, NarrowRounding<kBinary32, uint32_t>> {};
template <>
struct TypeKernels<Type::k_float64>
    : FloatKernels<Float64Sum<false>, Float64Sum<true>, DoubleRounding> {};
template <>
struct TypeKernels<Type::k_float16>
    : FloatKernels<Float16Sum<Float16Format, false>, Float16Sum<Float16Format, true>,
                   NarrowRounding<kBinary16, uint16_t>> {};
template <>
struct TypeKernels<Type::k_bfloat16>
    : FloatKernels<Float16Sum<Bfloat16Format, false>, Float16Sum<Bfloat16Format, true>,
                   NarrowRounding<kBfloat16, uint16_t>> {};
template <>
struct TypeKernels<Type::k_int32> : IntegerKernels<Sum32<i32x2>, Square32, int32_t> {};
template <>
struct TypeKernels<Type::k_uint32> : IntegerKernels<Sum32<u32x2>, Square32, uint32_t> {};
template <>
struct TypeKernels<Type::k_int64> : IntegerKernels<Sum64<true>, Square64, int64_t> {};
template <>
struct TypeKernels<Type::k_uint64> : IntegerKernels<Sum64<false>, Square64, uint64_t> {};

constexpr int kTypes = 0
#define REDUCE_TYPE(name, bytes, kind, array, onnx_code) +1
#include "types.def"
    ;

template <Map kMap, Finalize kFinalize>
struct Row {
  static constexpr Kernels kOf[kTypes] = {
#define REDUCE_TYPE(name, bytes, kind, array, onnx_code) \
  TypeKernels<Type::k_##name>::make<kMap, kFinalize>(),
#include "types.def"
  };
};

constexpr const Kernels* kTable[] = {
#define REDUCE_OPERATOR(name, js_name, map, combine, finalize) \
  Row<Map::map, Finalize::finalize>::kOf,
#include "operators.def"
};

}  // namespace

const Kernels& kernels(Operator op, Type type) {
  return kTable[static_cast<int>(op)][static_cast<int>(type)];
}

}  // namespace onnx_reduce
