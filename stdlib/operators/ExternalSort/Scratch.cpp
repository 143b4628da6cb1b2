//===- Scratch.cpp - a scratch file in blocks -----------------------------===//
#include "stdlib/operators/ExternalSort/Scratch.h"
#include "runtime/base/os.h"
#include "runtime/memory/Memory.h"
#include "runtime/remote/frame/Frame.h"
#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sluice::external {

static constexpr uint64_t kSlabBytes = 512 << 10;

/// XXH3.
static uint64_t checksumOf(const char *bytes, uint64_t size) {
  remote::Piece piece = {bytes, size};
  return remote::checksumOf({&piece, 1});
}

void sealBlock(char *block, uint64_t data) {
  char *rows = block + sizeof(BlockHead);
  BlockHead head = {checksumOf(rows, data), data};
  memcpy(block, &head, sizeof head);
  memset(rows + data, 0, blockBytesFor(data) - sizeof head - data);
}

bool areBlocks(const char *bytes, uint64_t size) {
  while (size >= sizeof(BlockHead)) {
    BlockHead head;
    memcpy(&head, bytes, sizeof head);
    if (head.bytes > size - sizeof head ||
        checksumOf(bytes + sizeof head, head.bytes) != head.checksum)
      return false;
    uint64_t all = blockBytesFor(head.bytes);
    if (all > size)
      return false;
    bytes += all;
    size -= all;
  }
  return size == 0;
}

Scratch::~Scratch() {
  if (fd >= 0)
    os::closeFile(fd);
}

Failure Scratch::open() {
  fd = os::openScratch(place.directory.c_str(), place.direct);
  if (fd >= 0)
    return "";
  Failure text = "cannot make a scratch file in " + place.directory + ": " + os::errorText(-fd);
  if (place.direct && fd == -EINVAL)
    text += ": its file system always uses the page cache; leave `direct` out";
  return text;
}

Failure Scratch::cannotWrite(const os::AsyncIo::Result &result) const {
  uint64_t used = result.request.offset + result.bytes;
  Failure text = "cannot write to a scratch file in " + place.directory + " at " +
                 std::to_string(used) + ": " + os::errorText(-result.error);
  if (result.error == -ENOSPC || result.error == -EDQUOT)
    text += ": at least " + std::to_string(end - used) + " bytes more are needed; " +
            std::to_string(used) + " are used. Name a directory with more room by `scratch`";
  return text;
}

Failure Scratch::cannotRead(uint64_t offset, const std::string &why) const {
  return "cannot read a scratch file in " + place.directory + " at " + std::to_string(offset) +
         ": " + why;
}

BlockPool::~BlockPool() {
  for (char *slab : slabs)
    giveMemory(slab);
}

char *BlockPool::take(uint64_t needed) {
  if (needed > bytes)
    return static_cast<char *>(takeMemory(needed, os::kDirect));
  if (spares.empty()) {
    uint64_t count = std::max<uint64_t>(kSlabBytes / bytes, 1);
    slabs.push_back(static_cast<char *>(takeMemory(count * bytes, os::kDirect)));
    for (uint64_t i = count; i-- > 0;)
      spares.push_back(slabs.back() + i * bytes);
  }
  char *spare = spares.back();
  spares.pop_back();
  return spare;
}

void BlockPool::give(char *block, uint64_t needed) {
  if (needed > bytes)
    giveMemory(block);
  else if (block)
    spares.push_back(block);
}

} // namespace sluice::external
