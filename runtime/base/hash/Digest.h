//===- Digest.h - a number that stands for much data ------------*- C++ -*-===//
//
// XXH3. For what two ends compare: not for keys (Value.h, HashKey.h), nor against attackers.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice {

uint64_t digestOf(const void *bytes, size_t size);

/// The digest of numbers and texts, in their order.
class Digest {
public:
  void add(uint64_t number) {
    bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
  }
  /// Two texts are not the same as one that is made of both.
  void add(std::string_view text) {
    add(uint64_t(text.size()));
    bytes += text;
  }
  uint64_t value() const { return digestOf(bytes.data(), bytes.size()); }

private:
  std::string bytes;
};

} // namespace sluice
