//===- BlockReader.h - reads the blocks of runs ahead -----------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/external/ReadPlan.h"
#include "stdlib/operators/ExternalSort/Run.h"
#include <deque>
#include <span>

namespace sluice::external {

/// Reads blocks in the order in which a merge uses them, by a thread of its own.
class BlockReader {
public:
  /// The runs are in one file. Blocks that are in memory take `memory` bytes at most, and one block
  /// more for each run. `blockBytes`: of all blocks but a few larger ones.
  BlockReader(const RowOrder &, const Scratch &, std::span<const Run> runs, uint64_t memory,
              uint64_t blockBytes);
  ~BlockReader();

  struct Loaded {
    char *bytes;
    uint64_t size;
  };
  /// The next block of a run; none: there are no more, or problem() says why. Waits. The block that
  /// this run had before is gone.
  std::optional<Loaded> next(uint32_t run);
  Failure problem() {
    os::Held held(lock);
    return failed;
  }

private:
  struct Source {
    std::deque<Loaded> ready; // guarded
    uint32_t left;            // blocks that next() will give
    uint32_t read = 0;        // blocks that the thread has read
    Loaded used = {};         // by the caller
  };
  std::vector<Use> uses(const RowOrder &) const;
  void run();
  Failure fetch(const Read &);
  Loaded take(uint64_t bytes);
  void give(Loaded);

  const Scratch &file;
  const std::span<const Run> runs;
  const uint64_t blockBytes;
  std::vector<Read> reads;
  std::vector<Source> sources; // by run

  os::Lock lock; // guards what is below, and the queues
  os::Condition changed;
  uint64_t room; // bytes that may still be read
  std::vector<char *> spares;
  bool stopped = false;
  Failure failed;
  os::Thread thread;
};

} // namespace sluice::external
