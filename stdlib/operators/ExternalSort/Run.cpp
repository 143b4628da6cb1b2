//===- Run.cpp - sorted rows in a scratch file ----------------------------===//
#include "stdlib/operators/ExternalSort/Run.h"
#include "runtime/base/os.h"
#include "runtime/base/scratch.h"
#include "runtime/exec/saved/SavedValue.h"
#include "runtime/remote/frame/Frame.h"
#include <algorithm>
#include <cerrno>

namespace sluice::external {

Scratch::~Scratch() {
  if (fd >= 0)
    os::closeFile(fd);
}

Failure Scratch::open() {
  fd = os::openScratch(directory.c_str());
  return fd >= 0 ? "" : "cannot make a scratch file in " + directory + ": " + os::errorText(-fd);
}

Failure Scratch::append(const char *bytes, uint64_t size) {
  size_t written = 0;
  int failed = os::writeAt(fd, bytes, size, end, written);
  end += written;
  if (!failed)
    return "";
  std::string text = "cannot write to a scratch file in " + directory + " at " +
                     std::to_string(end) + ": " + os::errorText(-failed);
  if (failed == -ENOSPC || failed == -EDQUOT)
    text += ": at least " + std::to_string(size - written) + " bytes more are needed; " +
            std::to_string(end) + " are used. Name a directory with more room by `scratch`";
  return text;
}

Failure Scratch::cannotRead(uint64_t offset, const std::string &why) const {
  return "cannot read a scratch file in " + directory + " at " + std::to_string(offset) + ": " +
         why;
}

uint64_t checksumOf(const char *bytes, uint64_t size) {
  remote::Piece piece = {bytes, size};
  return remote::checksumOf({&piece, 1});
}

void Run::add(RunBlock block, const char *row, uint64_t word) {
  block.lastWord = word;
  if (order->goesOn()) {
    uint64_t bytes = order->rowBytes(), at = lastRows.size();
    block.lastRow = uint32_t(at / bytes);
    lastRows.resize(at + bytes);
    order->copyKeys(&payload, &lastRows[at], row);
  }
  blocks.push_back(block);
}

/// Rows of different sizes: blocks end early, so that few are larger than `blockBytes`.
RunWriter::RunWriter(const RowOrder &order, Scratch &file, uint64_t blockBytes, uint64_t writeBytes)
    : run(order), order(order), file(file), writeBytes(writeBytes),
      fullBytes(order.isPlain() ? blockBytes - std::min<uint64_t>(blockBytes, order.rowBytes()) + 1
                                : blockBytes / 4 * 3) {
  buffer.reserve(writeBytes + blockBytes);
}

void RunWriter::append(const char *row) {
  if (order.isPlain()) {
    buffer.insert(buffer.end(), row, row + order.rowBytes());
    return;
  }
  uint64_t begin = buffer.size();
  buffer.resize(begin + sizeof(uint32_t));
  saveValue(buffer, order.type, row);
  auto size = uint32_t(buffer.size() - begin - sizeof(uint32_t));
  memcpy(&buffer[begin], &size, sizeof size);
}

RunBlock RunWriter::takeBlock() {
  uint64_t size = buffer.size() - blockBegin;
  RunBlock block = {file.size() + blockBegin, size, checksumOf(&buffer[blockBegin], size)};
  blockBegin = buffer.size();
  return block;
}

Failure RunWriter::add(const char *row, uint64_t word) {
  append(row);
  if (buffer.size() - blockBegin < fullBytes)
    return "";
  run.add(takeBlock(), row, word);
  return buffer.size() >= writeBytes ? write() : "";
}

Failure RunWriter::write() {
  Failure problem = file.append(buffer.data(), buffer.size());
  buffer.clear();
  blockBegin = 0;
  return problem;
}

Failure RunWriter::end() {
  if (buffer.size() > blockBegin)
    run.blocks.push_back(takeBlock());
  return write();
}

} // namespace sluice::external
