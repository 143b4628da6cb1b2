//===- Buckets.cpp - text for many files in one memory --------------------===//
#include "stdlib/operators/Distribute/Buckets.h"
#include "runtime/external/Bowtie.h"
#include "runtime/memory/Memory.h"
#include <algorithm>
#include <cstring>

namespace sluice::external {

/// The last block of each bucket is half empty on average: blocks are so small that this is little
/// of the memory.
static uint64_t blockBytesOf(uint32_t buckets, uint64_t memory) {
  constexpr uint64_t kLeast = 128, kMost = 64 << 10, kBlocks = 64; // of a bucket
  return std::clamp(memory / buckets / kBlocks, kLeast, kMost);
}

Buckets::Buckets(uint32_t count, uint64_t memory, Write write)
    : blockBytes(blockBytesOf(count, memory)),
      game(count, memory, uint32_t(bestTurn({1, count}).emptied)), write(std::move(write)),
      buckets(count) {}

Buckets::~Buckets() {
  for (Bucket &bucket : buckets)
    spares.insert(spares.end(), bucket.blocks.begin(), bucket.blocks.end());
  for (char *block : spares)
    giveMemory(block);
}

std::string Buckets::empty(uint32_t number) {
  Bucket &bucket = buckets[number];
  parts.clear();
  for (char *block : bucket.blocks)
    parts.push_back({block, block == bucket.blocks.back() ? bucket.used : blockBytes});
  std::string problem = write(number, parts);
  spares.insert(spares.end(), bucket.blocks.begin(), bucket.blocks.end());
  bucket = {};
  game.empty(number);
  return problem;
}

std::string Buckets::makeRoom() {
  for (uint32_t bucket : game.fullest())
    if (std::string problem = empty(bucket); !problem.empty())
      return problem;
  return "";
}

std::string Buckets::add(uint32_t number, std::string_view text) {
  while (!text.empty()) {
    Bucket &bucket = buckets[number];
    if (bucket.blocks.empty() || bucket.used == blockBytes) {
      if (!game.fits(blockBytes) && game.held())
        if (std::string problem = makeRoom(); !problem.empty())
          return problem;
      if (spares.empty())
        spares.push_back(static_cast<char *>(takeMemory(blockBytes)));
      bucket.blocks.push_back(spares.back());
      bucket.used = 0;
      spares.pop_back();
      game.add(number, blockBytes);
    }
    size_t some = std::min<size_t>(text.size(), blockBytes - bucket.used);
    memcpy(bucket.blocks.back() + bucket.used, text.data(), some);
    bucket.used += some;
    text.remove_prefix(some);
  }
  return "";
}

std::string Buckets::writeAll() {
  for (uint32_t bucket = 0; bucket < buckets.size(); ++bucket)
    if (!buckets[bucket].blocks.empty())
      if (std::string problem = empty(bucket); !problem.empty())
        return problem;
  return "";
}

} // namespace sluice::external
