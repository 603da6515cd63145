// Random shapes against a plain loop (the fuzzer's check on seeded inputs), the
// digest of the shared corpus, and requests that must be refused.
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <vector>

#include "support/corpus.h"
#include "support/plan_check.h"
#include "support/run.h"

namespace onnx_reduce::testing {
namespace {

TEST(ReduceShapes, RandomShapesAgreeWithAPlainLoop) {
  for (uint32_t i = 0; i < 1500; ++i) {
    Random random(71, i);
    std::vector<uint8_t> data(5 + random.below(36));
    for (uint8_t& byte : data) byte = static_cast<uint8_t>(random.next() >> 24);
    ASSERT_EQ(check_plan(data.data(), data.size()), "") << "input " << i;
  }
}

// The recorded digest is the JavaScript oracle's; the package is held to it by
// tests/js/exact.test.mjs. So every build gives the same bits.
TEST(ReduceCorpus, DigestIsTheRecordedOne) {
  constexpr const char* kRecorded =
#include "../exact/corpus_digest.inc"
      ;
  constexpr uint32_t kCases = 640, kSeed = 1;
  Digest all, inputs;
  uint64_t results = 0;
  for (uint32_t i = 0; i < kCases; ++i) {
    const CorpusCase c = corpus_case(kSeed, i);
    const TypeInfo& t = info_of(c.tensor.type);
    Digest own, data;
    const Outcome outcome = run(c.op, c.tensor, i % 2 ? Way::kHost : Way::kMemory);
    for (const uint64_t bits : outcome.bits) own.add(t, bits);
    for (const uint64_t bits : c.tensor.bits) data.add(t, bits);
    all.word64(own.value());
    inputs.word64(data.value());
    results += outcome.bits.size();
  }
  char line[200];
  std::snprintf(line, sizeof line,
                "cases %u seed %u results %" PRIu64 " inputs %016" PRIx64 " digest %016" PRIx64, kCases,
                kSeed, results, inputs.value(), all.value());
  EXPECT_STREQ(line, kRecorded);
}

TEST(ReduceRequests, OutOfRangeFieldsAreRefused) {
  const int64_t dims[] = {2, 3};
  const int64_t negative[] = {2, -3};
  const int64_t huge[] = {int64_t{1} << 31, int64_t{1} << 31};
  const uint8_t reduced[] = {1, 0};
  const float input[6] = {};
  float output[6] = {};
  alignas(64) static std::byte memory[kWorkspaceSize];
  const Request good = {Operator::kReduceSumSquare, Type::k_float32, 2, dims, reduced, input, output, nullptr};
  const Workspace workspace = {memory, sizeof memory};
  EXPECT_EQ(reduce(good, workspace), Status::kOk);
  const auto refused = [&](auto change) {
    Request bad = good;
    change(bad);
    return reduce(bad, workspace) == Status::kBadRequest;
  };
  EXPECT_TRUE(refused([](Request& r) { r.op = static_cast<Operator>(-1); }));
  EXPECT_TRUE(refused([](Request& r) { r.op = static_cast<Operator>(2); }));
  EXPECT_TRUE(refused([](Request& r) { r.type = static_cast<Type>(-1); }));
  EXPECT_TRUE(refused([](Request& r) { r.type = static_cast<Type>(8); }));
  EXPECT_TRUE(refused([](Request& r) { r.rank = -1; }));
  EXPECT_TRUE(refused([](Request& r) { r.rank = kMaxRank + 1; }));
  EXPECT_TRUE(refused([&](Request& r) { r.dims = negative; }));
  EXPECT_TRUE(refused([&](Request& r) { r.dims = huge; }));
  EXPECT_TRUE(refused([](Request& r) { r.input = nullptr; }));   // and no host
  EXPECT_TRUE(refused([](Request& r) { r.output = nullptr; }));
  EXPECT_EQ(reduce(good, {memory, kWorkspaceSize - 1}), Status::kOutOfMemory);
  EXPECT_EQ(reduce(good, workspace), Status::kOk);
}

}  // namespace
}  // namespace onnx_reduce::testing
