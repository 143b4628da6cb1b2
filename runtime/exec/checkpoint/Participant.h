//===- Participant.h - what a process does for a checkpoint -------*- C++ -*-===//
#pragma once
#include "runtime/exec/files/Manifest.h"
#include <cstdint>
#include <string>

namespace sluice::checkpoint {

/// What the coordinator says to each participant. They are carried out in this order, but for Go,
/// Drop, Settle, Stop and End.
enum class Step : uint32_t {
  Look,   // answer how things stand
  Ask,    // sources stay at their save points
  Why,    // answer what still moves
  Take,   // nothing is under way in the whole job: copy what the process remembers
  Go,     // sources go on
  Write,  // write what was taken to the file of this process, and sync it and files of sinks
  Commit, // the checkpoint is complete
  Drop,   // it could not be made: what was taken goes
  Settle, // it is, or was given up: sources that have asked for it go on
  End,    // the program ends with it
  Stop,   // the program is told to end, as without checkpoints
  Over    // all processes have run to their ends: nothing more is asked
};

struct Order {
  Step step = Step::Look;
  uint64_t number = 0; // of Ask, Take and Write
};

struct Answer {
  bool failed = false;   // the program has failed in this process
  bool isStill = false;  // sources stay, and all that is in the process was run
  bool isOver = false;   // the process has run to its end
  uint64_t received = 0; // frames of links that it has taken. Counted before isStill was found
  uint64_t sent = 0;     // frames that it has sent. Counted after that
  uint64_t digest = 0;   // of Take: of what was taken, but for the time
  bool isEnd = false;    // of Take: all its sources had ended
  int64_t stopped = 0;   // of Go: ns for which its sources stood still
  int64_t cost = 0;      // of Write: ns by which the program came less far, beside that
  std::vector<Manifest::File> files; // of Write
  std::string text; // of Why: what moves, as a sentence. Of Write: what went wrong, if it did
};

/// A process that takes part in checkpoints, as the coordinator sees it. Orders are answered in
/// their order.
class Participant {
public:
  virtual ~Participant() = default;
  virtual void order(const Order &) = 0;
  /// Waits for the answer to an order. False: the process has gone, or will soon.
  virtual bool answer(Answer &) = 0;
  /// Whether it was told, alone, to end with a checkpoint. Without an order.
  virtual bool wantsEnd() { return false; }
  /// Whether one of its sources has asked for a checkpoint since the last call. Without an order.
  virtual bool wantsCheckpoint() { return false; }
  /// Can be read when it may have something to say; -1: never.
  virtual int descriptor() const { return -1; }
};

} // namespace sluice::checkpoint
