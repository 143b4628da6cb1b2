//===- BlockReader.h - reads the blocks of runs ahead -----------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/external/ReadPlan.h"
#include "stdlib/operators/ExternalSort/Run.h"
#include <deque>
#include <optional>
#include <span>

namespace sluice::external {

/// Reads stretches in the order in which a merge uses them, by a thread of its own.
class BlockReader {
public:
  /// The runs are in one file. Stretches that are in memory take `memory` bytes at most, and one
  /// more for each run. `stretchBytes`: of all but a few larger ones.
  BlockReader(const RowOrder &, const Scratch &, std::span<const Run> runs, uint64_t memory,
              uint64_t stretchBytes);
  ~BlockReader();

  struct Loaded {
    char *bytes;
    uint64_t size;
  };
  /// The next stretch of a run; none: there are no more, or problem() says why. Waits. The stretch
  /// that this run had before is gone.
  std::optional<Loaded> next(uint32_t run);
  Failure problem() {
    os::Held held(lock);
    return failed;
  }

private:
  struct Source {
    std::deque<Loaded> ready; // guarded
    uint32_t left;            // stretches that next() will give
    uint32_t read = 0;        // stretches that the thread has begun to read
    Loaded used = {};         // by the caller
  };
  std::vector<Use> uses(const RowOrder &) const;
  void run();
  bool awaitRoom(uint64_t bytes);
  void begin(const Read &);
  Failure check(const os::AsyncIo::Result &) const;
  bool finish();

  const Scratch &file;
  const std::span<const Run> runs;
  std::unique_ptr<os::AsyncIo> io; // of the thread
  std::vector<Read> reads;
  std::vector<Source> sources;   // by run
  std::deque<uint32_t> underWay; // the runs of the reads that were begun

  os::Lock lock; // guards what is below, and the queues
  os::Condition changed;
  uint64_t room; // bytes that may still be read
  BlockPool pool;
  bool stopped = false;
  Failure failed;
  os::Thread thread;
};

} // namespace sluice::external
