// Prints a digest of the result bits of the shared corpus, as
// tests/exact/corpus_hash.mjs does for the package: equal digests mean equal
// bits of every result in both builds.
//
//   corpus_hash [cases [seed [each]]]    with `each`: a line per case
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "support/corpus.h"
#include "support/run.h"

int main(int argc, char** argv) {
  using namespace onnx_reduce::testing;
  const uint32_t cases = argc > 1 ? static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 2000;
  const uint32_t seed = argc > 2 ? static_cast<uint32_t>(std::strtoul(argv[2], nullptr, 10)) : 1;
  Digest all, inputs;
  uint64_t results = 0;
  for (uint32_t i = 0; i < cases; ++i) {
    const CorpusCase c = corpus_case(seed, i);
    const TypeInfo& t = info_of(c.tensor.type);
    const Outcome outcome = run(c.op, c.tensor, i % 2 ? Way::kHost : Way::kMemory);
    if (outcome.status != onnx_reduce::Status::kOk || !outcome.complaint.empty()) {
      std::fprintf(stderr, "case %u: %s\n", i, outcome.complaint.c_str());
      return 1;
    }
    Digest own, data;
    for (const uint64_t bits : outcome.bits) own.add(t, bits);
    for (const uint64_t bits : c.tensor.bits) data.add(t, bits);
    all.word64(own.value());
    inputs.word64(data.value());
    results += outcome.bits.size();
    if (argc > 3) {
      std::printf("%u %s %s %016" PRIx64 " %016" PRIx64 "\n", i, name_of(c.op), t.name, data.value(),
                  own.value());
    }
  }
  std::printf("cases %u seed %u results %" PRIu64 " inputs %016" PRIx64 " digest %016" PRIx64 "\n", cases,
              seed, results, inputs.value(), all.value());
  return 0;
}
