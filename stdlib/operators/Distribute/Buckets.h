//===- Buckets.h - text for many files in one memory ------------*- C++ -*-===//
#pragma once
#include "runtime/base/scratch.h"
#include "runtime/external/BucketGame.h"
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::external {

/// Keeps text by bucket, in blocks of one memory. When that is full some buckets are written.
class Buckets {
public:
  /// Writes what a bucket holds. What went wrong; empty: nothing.
  using Write = std::function<std::string(uint32_t bucket, std::span<const os::Part>)>;
  Buckets(uint32_t buckets, uint64_t memory, Write);
  ~Buckets();
  Buckets(const Buckets &) = delete;

  /// Both say what went wrong; empty: nothing.
  std::string add(uint32_t bucket, std::string_view text);
  std::string writeAll();

private:
  struct Bucket {
    std::vector<char *> blocks;
    uint64_t used = 0; // bytes of the last one
  };
  std::string empty(uint32_t bucket);
  std::string makeRoom();

  const uint64_t blockBytes;
  BucketGame game; // counts whole blocks
  Write write;
  std::vector<Bucket> buckets;
  std::vector<char *> spares;
  std::vector<os::Part> parts;
};

} // namespace sluice::external
