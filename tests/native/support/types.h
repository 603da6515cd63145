// What the tests know of the tensor types by themselves: storage sizes and the
// layout of the floating formats. Nothing here comes from the core but the
// names of types.def and operators.def.
#ifndef ONNX_REDUCE_TESTS_TYPES_H_
#define ONNX_REDUCE_TESTS_TYPES_H_

#include <cstdint>
#include <iterator>

#include "reduce.h"

namespace onnx_reduce::testing {

struct TypeInfo {
  Type type;
  const char* name;
  int bytes;
  bool floating;
  bool is_signed;
  int precision;  // of a floating format, the implicit bit included
  int emax;       // exponent of its largest numbers
};

inline constexpr TypeInfo kTypes[] = {
    {Type::k_float32, "float32", 4, true, true, 24, 127},
    {Type::k_float64, "float64", 8, true, true, 53, 1023},
    {Type::k_float16, "float16", 2, true, true, 11, 15},
    {Type::k_bfloat16, "bfloat16", 2, true, true, 8, 127},
    {Type::k_int32, "int32", 4, false, true, 0, 0},
    {Type::k_uint32, "uint32", 4, false, false, 0, 0},
    {Type::k_int64, "int64", 8, false, true, 0, 0},
    {Type::k_uint64, "uint64", 8, false, false, 0, 0},
};
inline constexpr int kTypeCount = static_cast<int>(std::size(kTypes));
inline constexpr int kFloatCount = 4;

inline constexpr Operator kOperators[] = {Operator::kReduceSumSquare,
                                          Operator::kReduceLogSum};
inline const char* name_of(Operator op) {
  return op == Operator::kReduceSumSquare ? "ReduceSumSquare" : "ReduceLogSum";
}

inline const TypeInfo& info_of(Type type) {
  return kTypes[static_cast<int>(type)];
}

inline uint64_t sign_of(const TypeInfo& t) { return uint64_t{1} << (8 * t.bytes - 1); }
inline uint64_t infinity_of(const TypeInfo& t) {
  return static_cast<uint64_t>(2 * t.emax + 1) << (t.precision - 1);
}
inline uint64_t nan_of(const TypeInfo& t) {
  return infinity_of(t) | (uint64_t{1} << (t.precision - 2));
}
inline uint64_t one_of(const TypeInfo& t) {
  return t.floating ? static_cast<uint64_t>(t.emax) << (t.precision - 1) : 1;
}
inline uint64_t mask_of(const TypeInfo& t) {
  return t.bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * t.bytes)) - 1;
}

}  // namespace onnx_reduce::testing

#endif  // ONNX_REDUCE_TESTS_TYPES_H_
