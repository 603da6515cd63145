// The one entry point of the core: a reduction described by plain values, its
// result written to memory or handed out piece by piece.
//
// The core knows no JavaScript, allocates nothing, keeps no state between calls
// other than what the caller's Workspace holds, and reports errors as values.
#ifndef ONNX_REDUCE_REDUCE_H_
#define ONNX_REDUCE_REDUCE_H_

#include <cstddef>
#include <cstdint>

namespace onnx_reduce {

enum class Operator : int32_t {
#define REDUCE_OPERATOR(name, js_name, map, combine, finalize) k##name,
#include "operators.def"
};

enum class Type : int32_t {
#define REDUCE_TYPE(name, bytes, kind, array, onnx_code) k_##name,
#include "types.def"
};

enum class Status : int32_t {
  kOk = 0,            // the result is complete
  kOutOfMemory = 1,   // the workspace is too small for this plan
  kBadRequest = 2,    // a field is out of its documented range
};

// Rank limit of a Request. Dims of 1 carry no information and a product below
// 2^53 leaves room for at most 53 others, so callers drop the ones and every
// tensor fits.
inline constexpr int kMaxRank = 64;

// Where data comes from and goes to when it does not lie in our memory.
// Offsets, strides and counts are in elements of the (C-contiguous) tensor.
struct Host {
  // Copies `rows` runs of `row_length` elements, the r-th beginning at element
  // offset + r * row_stride of the input, to `to`, one behind the other.
  void (*read)(void* context, void* to, int64_t offset, int32_t rows,
               int64_t row_stride, int32_t row_length);
  // Takes `count` results that belong at element `offset` of the output.
  void (*write)(void* context, const void* from, int64_t offset, int32_t count);
  void* context;
};

struct Request {
  Operator op;
  Type type;
  int32_t rank;             // 0..kMaxRank
  const int64_t* dims;      // rank values, each >= 0, product < 2^53
  const uint8_t* reduced;   // rank flags: 1 where the axis is reduced
  const void* input;        // C-contiguous, or null: host->read is asked
  void* output;             // C-contiguous, or null: host->write is given it
  const Host* host;         // may be null when input and output are not
};

// What one call may learn besides its result.
struct Statistics {
  int64_t results;    // how many outputs were computed
  int64_t undecided;  // how many of them the rounding test left to exact sums
};

// Scratch memory of one calling thread, reusable from call to call.
struct Workspace {
  std::byte* memory;  // aligned to 64 bytes
  size_t size;        // at least kWorkspaceSize
};
inline constexpr size_t kWorkspaceSize = size_t{1} << 20;

Status reduce(const Request& request, const Workspace& workspace,
              Statistics* statistics = nullptr);

// Threads that help with a call. The core starts none and knows none: it is
// lent them.
inline constexpr int32_t kMaxMembers = 32;
inline constexpr size_t kTeamBytes = 16384;
struct Crew {
  int32_t members;              // 1..kMaxMembers, the calling thread included
  const Workspace* workspaces;  // one for each member, the caller's first
  std::byte* team;              // kTeamBytes, aligned to 64: what the members share
  // Calls work(team, 0) on the calling thread, and work(team, m) on as many
  // others (each m once at most) as care to join meanwhile; returns when all of
  // them have returned, or false when one was lost. After that neither `team`
  // nor the other members' workspaces may be used again.
  bool (*run)(void* context, void (*work)(void* team, int32_t member), void* team);
  void* context;
};

// The same by a crew. A request without `input` (or, where many results are
// computed, without `output`) has its host functions called on the members'
// threads, too.
Status reduce(const Request& request, const Crew& crew, Statistics* statistics = nullptr);

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_REDUCE_H_
