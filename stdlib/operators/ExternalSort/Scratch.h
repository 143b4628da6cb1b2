//===- Scratch.h - a scratch file in blocks ---------------------*- C++ -*-===//
//
// A block is a head, data, and zeros up to a multiple of os::kDirect. So all that is read and
// written begins and ends where it may without the page cache, and so does the memory for it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/AsyncIo.h"
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::external {

/// What went wrong, for a person; empty: nothing.
using Failure = std::string;

struct BlockHead {
  uint64_t checksum; // of the data
  uint64_t bytes;    // of the data
};
/// Of a block with so much data, on the device.
inline uint64_t blockBytesFor(uint64_t data) {
  return (sizeof(BlockHead) + data + os::kDirect - 1) / os::kDirect * os::kDirect;
}
/// Writes the head and the zeros of a block.
void sealBlock(char *block, uint64_t data);
/// Whether these bytes are whole blocks, as they were sealed.
bool areBlocks(const char *bytes, uint64_t size);

/// Where scratch files are, and how they are read and written.
struct ScratchPlace {
  std::string directory;
  bool direct = false; // without the page cache
};

/// A file without a name in a directory.
class Scratch {
public:
  explicit Scratch(const ScratchPlace &place) : place(place) {}
  ~Scratch();
  Scratch(const Scratch &) = delete;

  Failure open();
  /// Makes it longer; where that begins.
  uint64_t grow(uint64_t bytes) { return (end += bytes) - bytes; }
  uint64_t size() const { return end; }
  int descriptor() const { return fd; }
  Failure cannotWrite(const os::AsyncIo::Result &) const;
  Failure cannotRead(uint64_t offset, const std::string &why) const;

private:
  const ScratchPlace &place;
  int fd = -1;
  uint64_t end = 0;
};

/// Memory for blocks, which is used again. It is taken in slabs, as each aligned piece of the heap
/// wastes some. One thread at a time uses it.
class BlockPool {
public:
  /// `bytes`: of all but a few larger ones.
  explicit BlockPool(uint64_t bytes) : bytes(bytes) {}
  ~BlockPool();
  BlockPool(const BlockPool &) = delete;

  /// How much take() gives for so many bytes.
  uint64_t sizeFor(uint64_t needed) const { return needed > bytes ? needed : bytes; }
  char *take(uint64_t needed);
  void give(char *block, uint64_t needed);

private:
  const uint64_t bytes;
  std::vector<char *> slabs, spares;
};

} // namespace sluice::external
