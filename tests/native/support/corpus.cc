#include "support/corpus.h"

#include <algorithm>
#include <utility>

namespace onnx_reduce::testing {
namespace {

// Sign, biased exponent and a random fraction. 64-bit types draw two numbers,
// the others one.
uint64_t assemble(Random& random, const TypeInfo& t, uint32_t sign, uint32_t biased) {
  const int width = 8 * t.bytes;
  const uint64_t top = (static_cast<uint64_t>(sign) << (width - 1)) |
                       (static_cast<uint64_t>(biased) << (t.precision - 1));
  if (width == 64) {
    const uint64_t high = random.next() >> 12;
    return top | (high << 32) | random.next();
  }
  return top | (random.next() >> (33 - t.precision));
}

uint64_t any_bits(Random& random, const TypeInfo& t) {
  if (t.bytes == 8) return random.next64();
  return random.next() >> (32 - 8 * t.bytes);
}

// A small integer as a number of the type.
uint64_t small_float(const TypeInfo& t, int value) {
  if (value == 0) return 0;
  const uint64_t sign = value < 0 ? sign_of(t) : 0;
  const uint64_t magnitude = static_cast<uint64_t>(value < 0 ? -value : value);
  int log2 = 0;
  while (magnitude >> (log2 + 1)) ++log2;
  const uint64_t fraction = (magnitude << (t.precision - 1 - log2)) -
                            (uint64_t{1} << (t.precision - 1));
  return sign | (static_cast<uint64_t>(t.emax + log2) << (t.precision - 1)) | fraction;
}

uint64_t extreme(const TypeInfo& t, uint32_t which) {
  const uint64_t one = one_of(t), top = infinity_of(t);
  const uint64_t smallest_normal = uint64_t{1} << (t.precision - 1);
  const uint64_t list[] = {0, 1, smallest_normal - 1, smallest_normal, one - 1, one, one + 1,
                           top - 1};
  return list[which >> 1] | (which & 1 ? sign_of(t) : 0);
}

std::vector<uint64_t> float_values(Random& random, const TypeInfo& t, int kind, size_t n) {
  std::vector<uint64_t> out(n);
  const uint32_t top = static_cast<uint32_t>(2 * t.emax);
  const uint32_t one = static_cast<uint32_t>(t.emax);
  const uint32_t low = random.below(top + 1);
  const uint32_t width = random.below(std::min(24u, top - low) + 1);
  const uint64_t constant = assemble(random, t, random.below(2), low);
  const uint32_t precision = static_cast<uint32_t>(t.precision);
  const uint32_t high = precision + 2 > top - 1 ? top - 1 : precision + 2 + random.below(top - precision - 2);
  const uint32_t down = random.below(2) ? precision : precision / 2;
  for (size_t i = 0; i < n; ++i) {
    switch (kind) {
      case 0: out[i] = any_bits(random, t); break;
      case 1:
      case 3: {
        const uint32_t sign = random.below(2);
        const uint32_t biased = low + random.below(width + 1);
        out[i] = assemble(random, t, sign, biased);
        break;
      }
      case 2:
      case 6: out[i] = assemble(random, t, 0, one - 3 + random.below(4)); break;
      case 4: out[i] = constant; break;
      case 5: out[i] = extreme(t, random.below(16)); break;
      case 7: {
        const uint32_t sign = random.below(2);
        out[i] = assemble(random, t, sign, random.below(2));
        break;
      }
      case 8: out[i] = small_float(t, static_cast<int>(random.below(17)) - 8); break;
      case 9: {
        if (i == 0) {
          out[i] = static_cast<uint64_t>(high) << (t.precision - 1);
        } else {
          const uint32_t step = down + random.below(2);
          out[i] = static_cast<uint64_t>(high > step ? high - step : 1) << (t.precision - 1);
        }
        break;
      }
      default: {
        const uint32_t sign = random.below(2);
        const uint32_t biased = random.below(top + 1);
        out[i] = assemble(random, t, sign, biased);
      }
    }
  }
  if (kind == 3) {
    for (size_t i = 1; i < n; i += 2) out[i] = out[i - 1] ^ sign_of(t);
    if (n > 0) out[n - 1] &= ~sign_of(t);
    for (size_t i = n; i > 1; --i) {
      const size_t j = random.below(static_cast<uint32_t>(i));
      std::swap(out[i - 1], out[j]);
    }
  }
  if (kind == 6 && n > 0) {
    const uint64_t specials[] = {nan_of(t), infinity_of(t), infinity_of(t) | sign_of(t), sign_of(t)};
    const uint32_t count = 1 + random.below(3);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t at = random.below(static_cast<uint32_t>(n));
      out[at] = specials[random.below(4)];
    }
  }
  return out;
}

std::vector<uint64_t> integer_values(Random& random, const TypeInfo& t, int kind, size_t n) {
  std::vector<uint64_t> out(n);
  const uint64_t half = sign_of(t);
  const uint64_t list[] = {0, 1, 2, half - 1, half, half + 1, mask_of(t), mask_of(t) - 1};
  for (size_t i = 0; i < n; ++i) {
    switch (kind) {
      case 0: out[i] = any_bits(random, t); break;
      case 1: out[i] = (static_cast<uint64_t>(random.below(201)) - (t.is_signed ? 100 : 0)) & mask_of(t); break;
      case 2: out[i] = list[random.below(8)]; break;
      default: {
        const uint64_t value = any_bits(random, t);
        out[i] = value >> random.below(static_cast<uint32_t>(8 * t.bytes));
      }
    }
  }
  return out;
}

int64_t corpus_length(Random& random, uint32_t most_bits) {
  if (random.below(2) == 0) return 1 + random.below(40);
  const int64_t n = (int64_t{1} << random.below(most_bits + 1)) + random.below(3) - 1;
  return n < 1 ? 1 : n;
}

}  // namespace

std::vector<uint64_t> corpus_values(Random& random, const TypeInfo& t, int kind, size_t n) {
  return t.floating ? float_values(random, t, kind, n) : integer_values(random, t, kind, n);
}

CorpusCase corpus_case(uint32_t seed, uint32_t index) {
  Random random(seed, index);
  const TypeInfo& t = kTypes[random.below(kTypeCount)];
  CorpusCase out;
  out.op = kOperators[random.below(2)];
  out.tensor.type = t.type;
  std::vector<int64_t>& dims = out.tensor.dims;
  std::vector<uint8_t>& reduced = out.tensor.reduced;
  // Every 64th case is large enough for several threads.
  const bool large = index % 64 == 63;
  const uint32_t bits = large ? 20 : 13;
  const int64_t limit = int64_t{1} << (large ? 21 : 15);
  const uint32_t layout = random.below(8);
  switch (layout) {
    case 0: dims = {corpus_length(random, bits)}; reduced = {1}; break;
    case 1: dims = {0, corpus_length(random, bits)}; reduced = {0, 1}; break;
    case 2: dims = {corpus_length(random, bits), 0}; reduced = {1, 0}; break;
    case 3: dims = {1 + random.below(5), 0, corpus_length(random, 9)}; reduced = {0, 1, 0}; break;
    case 4: dims = {0, 1 + random.below(16)}; reduced = {0, 1}; break;
    case 5: dims = {0, 1 + random.below(16)}; reduced = {1, 0}; break;
    case 6: dims = {1 + random.below(5), 1 + random.below(9), 0, 1 + random.below(40)}; reduced = {1, 0, 1, 1}; break;
    default:
      for (int axis = 0; axis < 5; ++axis) {
        dims.push_back(1 + random.below(9));
        reduced.push_back(static_cast<uint8_t>(random.below(2)));
      }
  }
  // The dim left open takes up to what the limit leaves.
  int64_t total = 1;
  for (const int64_t dim : dims) total *= dim == 0 ? 1 : dim;
  for (int64_t& dim : dims) {
    if (dim != 0) continue;
    const int64_t most = limit / total < 1 ? 1 : limit / total;
    dim = large ? most : 1 + random.below(static_cast<uint32_t>(most));
    total *= dim;
  }
  const int kind = static_cast<int>(random.below(t.floating ? kFloatKinds : kIntegerKinds));
  out.tensor.bits = corpus_values(random, t, kind, static_cast<size_t>(total));
  return out;
}

}  // namespace onnx_reduce::testing
