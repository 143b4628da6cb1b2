//===- Sorter.h - sorts rows in memory of a fixed size ----------*- C++ -*-===//
//
// Rows fill one of two chunks while a thread sorts the other and writes it as a run. At the end all
// runs are merged, in several passes if that is quicker (runtime/external/SplitPlan.h).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/operators/ExternalSort/Chunk.h"
#include "stdlib/operators/ExternalSort/Merge.h"

namespace sluice::external {

class Sorter {
public:
  /// `memory`: what it takes at most, in bytes. `directory`: for scratch files.
  Sorter(const RowOrder &, uint64_t memory, std::string directory);
  ~Sorter();

  /// Copies a row. False: problem() says why.
  bool add(const void *row) { return filling->add(row) || makeRoom(row); }
  /// The next row in order, after the last add(). Null: there are no more, and all begins anew; or
  /// problem() says why.
  const char *next();
  const Failure &problem() const { return failed; }
  /// How many runs were written for the rows that came last.
  size_t runCount() const { return written; }

private:
  bool makeRoom(const void *row);
  bool awaitSpill();
  Failure write(Chunk &);
  bool begin();
  bool mergeSome(size_t width);
  size_t widthOfPass() const;
  void reset();

  const RowOrder &order;
  const uint64_t memory, blockBytes, writeBytes;
  const std::string directory;
  std::unique_ptr<Chunk> filling, other;
  std::unique_ptr<Scratch> file;
  std::vector<Run> runs;
  os::Thread spiller; // sorts and writes `other`, runs and file are its own meanwhile
  Failure spillProblem, failed;
  // While rows are given out.
  bool gives = false;
  uint64_t given = 0; // of a single chunk
  std::unique_ptr<Merge> merge;
  size_t written = 0;
};

/// The least memory that a sorter works with, in bytes.
constexpr uint64_t kLeastMemory = 1 << 20;

} // namespace sluice::external
