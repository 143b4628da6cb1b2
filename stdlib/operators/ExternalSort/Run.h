//===- Run.h - sorted rows in a scratch file --------------------*- C++ -*-===//
//
// A run is a sequence of blocks (Scratch.h), one behind the other. A block holds whole rows: as
// they lie in memory if they are plain, else a length (uint32) and the saved bytes
// (saved/SavedValue.h) of each. The index of a run has the keys of the last row of each stretch.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/memory/Arena.h"
#include "stdlib/operators/ExternalSort/RowOrder.h"
#include "stdlib/operators/ExternalSort/Scratch.h"
#include <deque>
#include <vector>

namespace sluice::external {

/// Blocks that a merge reads at once.
struct Stretch {
  uint64_t offset, bytes;
  // Of the row that ends it. Nobody asks for those of the last stretch of a run.
  uint64_t lastWord = 0;
  uint32_t lastRow = 0; // number among Run::lastRows, if the word does not decide: its keys alone
};

struct Run {
  std::vector<Stretch> stretches;
  std::vector<char> lastRows;

  /// Adds a stretch that ends with a row, of which it keeps the keys.
  void add(const RowOrder &, Arena *keys, Stretch, const char *row, uint64_t word);
  const char *lastRow(const RowOrder &order, const Stretch &stretch) const {
    return lastRows.data() + uint64_t(stretch.lastRow) * order.rowBytes();
  }
};

/// Runs of one file, with their index.
class RunSet {
public:
  explicit RunSet(const RowOrder &order) : order(order) {}
  ~RunSet() { arenaFree(&keys); }
  RunSet(const RunSet &) = delete;

  /// Bytes of the index, and of the plan by which a merge reads.
  uint64_t bytes() const;
  /// Two stretches become one: half of the index is left.
  void halve();

  std::vector<Run> runs;
  Arena keys = {}; // what the last rows point to

private:
  Run halfOf(const Run &, Arena *keys) const;

  const RowOrder &order;
};

/// Sizes in bytes of what runs are written in.
struct RunSizes {
  uint64_t block; // if no row is larger
  uint64_t piece; // of a write, about
  uint64_t blocksOfStretch = 1;

  uint64_t stretch() const { return block * blocksOfStretch; }
  /// How much a writer takes.
  uint64_t writing() const { return (kWrites + 1) * piece; }
  // On their way at once. More of them would be shorter, and what reads elsewhere on the device
  // would come between them more often; a long one keeps it as busy.
  static constexpr size_t kWrites = 1;
};

/// Appends a run to a file.
class RunWriter {
public:
  RunWriter(const RowOrder &, Scratch &, os::AsyncIo &, RunSet &, const RunSizes &);
  ~RunWriter(); // waits for the writes
  /// Rows come in order.
  Failure add(const char *row, uint64_t word);
  /// The run is whole, and part of the set.
  Failure end();

private:
  void append(const char *row);
  char *room(uint64_t bytes);
  void endBlock();
  Failure write();
  Failure finish(size_t mayStay);

  const RowOrder &order;
  Scratch &file;
  os::AsyncIo &io;
  RunSet &set;
  const RunSizes sizes;
  const uint64_t fullBytes; // a block that has so many ends
  BlockPool pool;
  Run run;
  std::vector<char> saved;      // a row that is not plain
  char *block = nullptr;        // that is being filled
  uint64_t used = 0, held = 0;  // bytes of its data, and of its memory
  std::vector<os::Part> blocks; // whole ones, not written yet
  uint64_t blocksBytes = 0;
  Stretch stretch = {}; // that is being written
  uint64_t blocksOfIt = 0;
};

} // namespace sluice::external
