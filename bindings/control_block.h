// The control block as a struct; see control_block.def.
#ifndef ONNX_REDUCE_CONTROL_BLOCK_H_
#define ONNX_REDUCE_CONTROL_BLOCK_H_

#include <cstddef>
#include <cstdint>

namespace onnx_reduce {

struct ControlBlock {
  int32_t op;
  int32_t type;
  int32_t rank;
  int32_t threads;
  uint32_t input;
  uint32_t output;
  double results;
  double undecided;
  int32_t source;
  int32_t reserved;
  double source_offset;
  int32_t reserved1[2];
  double dims[64];
  uint8_t reduced[64];
  uint8_t reserved2[384];
  alignas(64) uint8_t small_input[4096];
  alignas(64) uint8_t small_output[4096];
};

#define CONTROL_FIELD(name, type, at, count)                                \
  static_assert(offsetof(ControlBlock, name) == at, #name " is elsewhere"); \
  static_assert(sizeof(ControlBlock::name) == sizeof(type) * count, #name " has another size");
#include "control_block.def"

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_CONTROL_BLOCK_H_
