//===- Cut.h - all sources stay where they are -------------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include <atomic>
#include <vector>

namespace sluice {

/// What @consistent says of a region, in this run. In seconds.
struct ConsistentRegion {
  double period = 0, drainTimeout = 0, resetTimeout = 0;
  uint32_t resetAttempts = 0;
  bool isOperatorDriven = false;
};

/// A checkpoint is made of what a program remembers while nothing is under way: all sources stay at
/// a save point, and what they had submitted has been run. Who makes it asks for that.
struct Cut {
  bool makes = false;             // checkpoints are made. Before threads run
  std::atomic<int64_t> left{0};   // save points until it is told to end (for tests); 0: it is not.
                                  // relaxed: only counted
  std::atomic<bool> asked{false}; // seq_cst: pairs with SourceCut::stays
  std::atomic<bool> ends{false};  // the program ends with the checkpoint. Set before `asked` falls
  os::Event stop;                 // a signal has asked the program to end
  os::Event wanted;               // a source has asked for a checkpoint (SourceCut::asks)
  std::vector<ConsistentRegion> regions; // by ConsistentDesc. Before threads run
  uint32_t relaunches = 0;               // how often the run was resumed. Before threads run
  std::atomic<uint32_t> attempts{0};     // the same, since the last checkpoint. relaxed: only shown
  std::atomic<uint64_t> number{0}; // of the checkpoint that was begun last. relaxed: only shown
  os::Lock lock;
  os::Condition over;  // with `lock`: `asked`, or `asks` of a source, has become false
  bool isOver = false; // with `lock`: no more checkpoints are made while sources run
};

/// The part of a source.
struct SourceCut {
  /// It does nothing, and its state says where it is: it has not begun, has ended, waits or stays
  /// at a save point. seq_cst: a source that goes on says so and then looks whether to stay; who
  /// asks for a cut says so and then looks who stays. One of them sees the other.
  std::atomic<bool> stays{true};
  // By the source; while it stays by who makes or restores a checkpoint:
  std::atomic<bool> asks{false}; // it stays at its next save point until a checkpoint is made or
                                 // given up. seq_cst: set by the source, cleared with Cut::lock
  bool atPoint = false;          // generated code: its state variables say where it is
  bool topIsDue = false; // what a source does between two forwards (atTop) waits for a save point
  bool waits = false;    // at the checkpoint from which the program goes on it waited for room
  bool isLink = false;   // it receives from another PE: it may go on while the others stay, as long
                         // as these have sent something. It stays while it sleeps
  bool wasEnded = false; // at the checkpoint from which the program goes on
  int64_t due = 0;       // ns, when its wait is over (Clock); 0: it does not wait
  int64_t resumes = 0;   // ns, when the wait is over that it was in at that checkpoint; or 0
};

} // namespace sluice
