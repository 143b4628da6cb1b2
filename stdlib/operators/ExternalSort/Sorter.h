//===- Sorter.h - sorts rows in memory of a fixed size ----------*- C++ -*-===//
//
// Rows fill one of two chunks while a thread sorts the other and writes it as a run. At the end all
// runs are merged, in several passes if that is quicker (runtime/external/SplitPlan.h) on the
// device of the scratch files, which is measured before the first merge.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/external/Bowtie.h"
#include "stdlib/operators/ExternalSort/Chunk.h"
#include "stdlib/operators/ExternalSort/Merge.h"

namespace sluice::external {

struct SorterOptions {
  uint64_t memory; // what it takes at most, in bytes
  ScratchPlace place;
  Device device = {}; // what is 0 is measured
};

class Sorter {
public:
  Sorter(const RowOrder &, SorterOptions);
  ~Sorter();

  /// Copies a row. False: problem() says why.
  bool add(const void *row) { return filling->add(row) || makeRoom(row); }
  /// The next row in order, after the last add(). Null: there are no more, and all begins anew; or
  /// problem() says why.
  const char *next();
  const Failure &problem() const { return failed; }

  /// How the rows that came last were merged.
  struct Report {
    uint64_t runs = 0;            // that were written; 0: all rows were in memory
    std::vector<uint64_t> widths; // how many runs each pass merged into one
    uint64_t stretch = 0;         // bytes that are read at once, at least
    double probeSeconds = 0;      // that the device was measured for; 0: it was not
  };
  const Report &report() const { return told; }
  const Device &device() const { return options.device; }

private:
  bool makeRoom(const void *row);
  bool awaitSpill();
  Failure write(Chunk &);
  void thinIndex();
  bool begin();
  bool mergeAll();
  bool mergeSome(uint64_t width);
  void measure();
  uint64_t widthOfPass(uint64_t memory) const;
  uint64_t mergeMemory(uint64_t runs, uint64_t others) const;
  uint64_t chunkBytes() const;
  void reset();

  const RowOrder &order;
  SorterOptions options;
  RunSizes sizes;
  std::unique_ptr<os::AsyncIo> io; // writes
  std::unique_ptr<Chunk> filling, other;
  std::unique_ptr<Scratch> file;
  std::unique_ptr<RunSet> set;
  os::Thread spiller; // sorts and writes `other`; set, io and file are its own meanwhile
  Failure spillProblem, failed;
  // While rows are given out.
  bool gives = false;
  uint64_t given = 0; // of a single chunk
  std::unique_ptr<Merge> merge;
  Report told;
};

/// The least memory that a sorter works with, in bytes.
constexpr uint64_t kLeastMemory = 1 << 20;

} // namespace sluice::external
