#include "support/run.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>

namespace onnx_reduce::testing {
namespace {

constexpr size_t kGuard = 64;
constexpr uint8_t kGuardByte = 0xa5;

struct HostState {
  const uint8_t* input;
  int64_t input_count;
  uint8_t* output;
  int64_t output_count;
  size_t bytes;
  std::vector<uint8_t> written;  // how often each output was written
  std::string complaint;
};

void host_read(void* context, void* to, int64_t offset, int32_t rows, int64_t row_stride,
               int32_t row_length) {
  auto& host = *static_cast<HostState*>(context);
  auto* out = static_cast<uint8_t*>(to);
  for (int32_t row = 0; row < rows; ++row) {
    const int64_t from = offset + row * row_stride;
    if (from < 0 || row_length < 0 || from + row_length > host.input_count) {
      host.complaint = "read outside of the input";
      return;
    }
    std::memcpy(out, host.input + static_cast<size_t>(from) * host.bytes,
                static_cast<size_t>(row_length) * host.bytes);
    out += static_cast<size_t>(row_length) * host.bytes;
  }
}

void host_write(void* context, const void* from, int64_t offset, int32_t count) {
  auto& host = *static_cast<HostState*>(context);
  if (offset < 0 || count < 0 || offset + count > host.output_count) {
    host.complaint = "write outside of the output";
    return;
  }
  for (int32_t i = 0; i < count; ++i) ++host.written[static_cast<size_t>(offset + i)];
  std::memcpy(host.output + static_cast<size_t>(offset) * host.bytes, from,
              static_cast<size_t>(count) * host.bytes);
}

Workspace workspace() {
  static std::byte* memory =
      static_cast<std::byte*>(std::aligned_alloc(64, kWorkspaceSize));
  // Whatever an earlier call left there must not matter. (Filling 2 MB takes
  // longer than most calls, so not before each.)
  static uint32_t calls = 0;
  if (calls++ % 64 == 0) std::memset(memory, static_cast<int>(calls / 64 % 256), kWorkspaceSize);
  return {memory, kWorkspaceSize};
}

}  // namespace

std::vector<uint8_t> to_bytes(const Tensor& tensor) {
  const size_t bytes = static_cast<size_t>(info_of(tensor.type).bytes);
  std::vector<uint8_t> out(tensor.bits.size() * bytes);
  for (size_t i = 0; i < tensor.bits.size(); ++i) {
    std::memcpy(out.data() + i * bytes, &tensor.bits[i], bytes);  // little-endian
  }
  return out;
}

std::vector<uint64_t> from_bytes(Type type, const uint8_t* from, size_t count) {
  const size_t bytes = static_cast<size_t>(info_of(type).bytes);
  std::vector<uint64_t> out(count, 0);
  for (size_t i = 0; i < count; ++i) std::memcpy(&out[i], from + i * bytes, bytes);
  return out;
}

Outcome run(Operator op, const Tensor& tensor, Way way, int misalign) {
  const size_t bytes = static_cast<size_t>(info_of(tensor.type).bytes);
  const size_t skipped = static_cast<size_t>(misalign) * bytes;
  const std::vector<uint8_t> data = to_bytes(tensor);
  // malloc, not a vector: the end of the input is the end of the allocation.
  std::unique_ptr<uint8_t, void (*)(void*)> input(
      static_cast<uint8_t*>(std::malloc(data.size() + skipped + (data.empty() ? 1 : 0))), std::free);
  if (!data.empty()) std::memcpy(input.get() + skipped, data.data(), data.size());

  const size_t outputs = static_cast<size_t>(output_count(tensor));
  std::vector<uint8_t> output(outputs * bytes + 2 * kGuard, kGuardByte);
  HostState state{input.get() + skipped, static_cast<int64_t>(tensor.bits.size()),
                  output.data() + kGuard, static_cast<int64_t>(outputs), bytes,
                  std::vector<uint8_t>(outputs, 0), {}};
  const Host host{host_read, host_write, &state};
  const bool host_input = way == Way::kHost || way == Way::kHostInput;
  const bool host_output = way == Way::kHost || way == Way::kHostOutput;

  Request request{};
  request.op = op;
  request.type = tensor.type;
  request.rank = static_cast<int32_t>(tensor.dims.size());
  request.dims = tensor.dims.data();
  request.reduced = tensor.reduced.data();
  request.input = host_input ? nullptr : input.get() + skipped;
  request.output = host_output ? nullptr : output.data() + kGuard;
  request.host = host_input || host_output ? &host : nullptr;

  Outcome outcome;
  outcome.status = reduce(request, workspace(), &outcome.statistics);
  outcome.bits = from_bytes(tensor.type, output.data() + kGuard, outputs);
  outcome.complaint = state.complaint;
  for (size_t i = 0; i < kGuard; ++i) {
    if (output[i] != kGuardByte || output[output.size() - 1 - i] != kGuardByte) {
      outcome.complaint = "a guard word beside the output was overwritten";
    }
  }
  if (host_output && outcome.complaint.empty()) {
    for (size_t i = 0; i < outputs; ++i) {
      if (state.written[i] != 1) {
        outcome.complaint = "output " + std::to_string(i) + " was written " +
                            std::to_string(state.written[i]) + " times";
        break;
      }
    }
  }
  if (!data.empty() && std::memcmp(input.get() + skipped, data.data(), data.size()) != 0) {
    outcome.complaint = "the input was changed";
  }
  return outcome;
}

std::string describe(Operator op, const Tensor& tensor) {
  std::ostringstream out;
  out << name_of(op) << ' ' << info_of(tensor.type).name << " dims [";
  for (size_t i = 0; i < tensor.dims.size(); ++i) {
    out << (i ? "," : "") << tensor.dims[i] << (tensor.reduced[i] ? "r" : "");
  }
  out << "]" << std::hex;
  if (tensor.bits.size() <= 64) {
    out << " data";
    for (const uint64_t bits : tensor.bits) out << " 0x" << bits;
  }
  return out.str();
}

std::string verify(Operator op, const Tensor& tensor, const std::vector<uint64_t>& expected) {
  static int turn = 0;
  for (const Way way : kWays) {
    const Outcome outcome = run(op, tensor, way, ++turn % 5);
    const std::string where =
        describe(op, tensor) + " (way " + std::to_string(static_cast<int>(way)) + "): ";
    if (outcome.status != Status::kOk) {
      return where + "status " + std::to_string(static_cast<int>(outcome.status));
    }
    if (!outcome.complaint.empty()) return where + outcome.complaint;
    for (size_t i = 0; i < expected.size(); ++i) {
      if (outcome.bits[i] == expected[i]) continue;
      std::ostringstream out;
      out << where << "output " << i << std::hex << " is 0x" << outcome.bits[i]
          << ", expected 0x" << expected[i];
      return out.str();
    }
  }
  return {};
}

std::string verify(Operator op, const Tensor& tensor) {
  return verify(op, tensor, expected_of(op, tensor));
}

}  // namespace onnx_reduce::testing
