//===- Log.h - the log of a source in the directory of checkpoints -*- C++ -*-===//
//
// What a source brings that cannot bring it again is written here, frame by frame, before it goes
// on (LogReader.h). A checkpoint has the number of the frame behind which it was made.
//
// A frame that was written outlives the process. It outlives a loss of power once sync() has
// returned, which comes before a checkpoint behind it is complete.
//
// Functions return what went wrong, as a sentence for people; empty: nothing.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/remote/Piece.h"
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace sluice::checkpoint {

/// By the thread of the source, but for what is said to be by who makes checkpoints.
class Log {
public:
  explicit Log(std::string path) : path(std::move(path)) {}
  ~Log();
  Log(const Log &) = delete;

  /// For a run that begins anew: removes what an earlier one has left.
  std::string clear() const;
  /// For one that goes on behind frame `from`: compares all checksums from there on. What a crash
  /// has left of a frame is cut off; `note` says so. `lostPower`: the system may have lost power
  /// since frame `from` was synced; then whole frames behind one that is not are cut off, too.
  std::string open(uint64_t from, bool lostPower, std::string &note);
  /// The number of the next frame that is written.
  uint64_t end() const { return next; }
  const std::string &name() const { return path; }

  /// Writes the next frame. Where that fails nothing of it stays.
  std::string append(std::span<const remote::Piece> frame);

  //===--- by who makes checkpoints -------------------------------------------===//

  /// While the source stays: the checkpoint that is being made is behind frame `position`.
  void cut(uint64_t position);
  /// While the source goes on: what was written until then outlives a loss of power.
  std::string sync();
  /// The system has failed to sync a file. It would not say so again: what was not written counts
  /// as written. So no later sync() succeeds.
  bool isBroken() const { return !broken.empty(); }
  /// The checkpoint is complete. Removes files that none of the last `keep` ones needs.
  void committed(uint64_t keep);

private:
  struct Segment {
    uint64_t first;
    uint64_t end; // of one that is not written any more: the number behind its last frame
  };
  /// A file whose frames may not outlive a loss of power.
  struct Unsynced {
    int fd;
    std::string file;
  };
  std::string begin();
  std::string lastFile();

  const std::string path;
  uint64_t next = 0;
  int fd = -1; // of the last segment; below 0: the next frame begins another one
  uint64_t bytes = 0;
  std::string buffer;
  os::Lock lock;
  std::deque<Segment> segments; // guarded by the lock
  // By who makes checkpoints:
  std::vector<Unsynced> unsynced;
  bool isPending = false;    // the last file is among them
  int failed = 0;            // a negative errno of cut()
  std::string broken;        // what isBroken() tells; empty: nothing
  uint64_t position = 0;     // of the checkpoint that is being made
  std::deque<uint64_t> kept; // where the last checkpoints are
};

} // namespace sluice::checkpoint
