//===- Run.h - sorted rows in a scratch file --------------------*- C++ -*-===//
//
// A run is a sequence of blocks, one behind the other. A block holds whole rows: as they lie in
// memory if they are plain, else a length (uint32) and the saved bytes (saved/SavedValue.h) of
// each.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/memory/Arena.h"
#include "stdlib/operators/ExternalSort/RowOrder.h"
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::external {

/// What went wrong, for a person; empty: nothing.
using Failure = std::string;

/// A file without a name in a directory.
class Scratch {
public:
  explicit Scratch(std::string directory) : directory(std::move(directory)) {}
  ~Scratch();
  Scratch(const Scratch &) = delete;

  Failure open();
  Failure append(const char *bytes, uint64_t size);
  uint64_t size() const { return end; }
  int descriptor() const { return fd; }
  Failure cannotRead(uint64_t offset, const std::string &why) const;

private:
  std::string directory;
  int fd = -1;
  uint64_t end = 0;
};

struct RunBlock {
  uint64_t offset, bytes, checksum;
  // Of the row that ends it. Nobody asks for those of the last block of a run.
  uint64_t lastWord = 0;
  uint32_t lastRow = 0; // number among Run::lastRows, if the word does not decide: its keys alone
};

/// XXH3 of bytes.
uint64_t checksumOf(const char *bytes, uint64_t size);

struct Run {
  explicit Run(const RowOrder &order) : order(&order) {}
  Run(Run &&other) noexcept
      : order(other.order), blocks(std::move(other.blocks)), lastRows(std::move(other.lastRows)),
        payload(std::exchange(other.payload, {})) {}
  Run &operator=(Run &&) = delete;
  ~Run() { arenaFree(&payload); }

  /// Adds a block that ends with a row.
  void add(RunBlock, const char *row, uint64_t word);
  const char *lastRow(const RunBlock &block) const {
    return lastRows.data() + uint64_t(block.lastRow) * order->rowBytes();
  }

  const RowOrder *order;
  std::vector<RunBlock> blocks;
  std::vector<char> lastRows;
  Arena payload = {}; // of these
};

/// Appends a run to a file.
class RunWriter {
public:
  /// `blockBytes`: of a block, if no row is larger. `writeBytes`: written at once, about.
  RunWriter(const RowOrder &, Scratch &, uint64_t blockBytes, uint64_t writeBytes);
  /// Rows come in order.
  Failure add(const char *row, uint64_t word);
  /// The run is whole.
  Failure end();
  Run run;

private:
  void append(const char *row);
  RunBlock takeBlock();
  Failure write();

  const RowOrder &order;
  Scratch &file;
  const uint64_t writeBytes, fullBytes; // a block that has so many ends
  std::vector<char> buffer;             // what is not written yet
  uint64_t blockBegin = 0;              // in the buffer
};

} // namespace sluice::external
