#include "kernels.h"

#include "float_results.h"
#include "float_sums.h"
#include "integer_results.h"
#include "integer_sums.h"
#include "kernel_templates.h"

namespace onnx_reduce {
namespace {

constexpr int64_t kVectorBytes = 16;

enum class Map { identity, square };
enum class Finalize { none, log };

// The square of an element in its own type is the result as it stands: exact
// modulo 2^N, or rounded once.
template <typename Vector, typename Element>
void square_singles(const std::byte* from, int64_t count, std::byte* to) {
  constexpr int64_t kBytes = sizeof(Element);
  const auto square = [](Vector x) {
    x *= x;
    if constexpr (std::is_floating_point_v<Element>) {
      // NaN without payload.
      using Mask = decltype(x == x);
      const Mask ordered = x == x;
      const Vector nan = Vector{} + static_cast<Element>(__builtin_nan(""));
      x = bits<Vector>((bits<Mask>(x) & ordered) | (bits<Mask>(nan) & ~ordered));
    }
    return x;
  };
  int64_t i = 0;
  for (; (i + kVectorBytes / kBytes) <= count; i += kVectorBytes / kBytes) {
    store(to + i * kBytes, square(load<Vector>(from + i * kBytes)));
  }
  for (; i < count; ++i) {
    const Vector one = square(load_partial<Vector>(from + i * kBytes, kBytes));
    std::memcpy(to + i * kBytes, &one, kBytes);
  }
}

// What a tensor type is summed with, for each map, and rounded to.
template <Type kType>
struct TypeKernels;

template <typename Sum, typename Square, typename Rounding>
struct FloatKernels {
  template <Map kMap, Finalize kFinalize>
  static constexpr Kernels make() {
    using Policy = std::conditional_t<kMap == Map::square, Square, Sum>;
    using Result = FloatResult<Policy, Rounding, kFinalize == Finalize::log>;
    Kernels k = KernelLoops<Policy, FloatMerge<typename Policy::Long, !Result::kNarrow, kMap != Map::square>>::table();
    Result::complete(k);
    if constexpr (kMap == Map::square && std::is_same_v<typename Policy::Element, float>) {
      k.singles = square_singles<f32x4, float>;
    }
    if constexpr (kMap == Map::square && std::is_same_v<typename Policy::Element, double>) {
      k.singles = square_singles<f64x2, double>;
    }
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
    if constexpr (kMap == Map::square) {
      k.singles = sizeof(Integer) == 4 ? square_singles<u32x4, uint32_t>
                                       : square_singles<u64x2, uint64_t>;
    }
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
