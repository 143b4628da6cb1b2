//===- Cut.h - all sources stay where they are -------------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include <atomic>

namespace sluice {

/// A checkpoint is made of what a program remembers while nothing is under way: all sources stay at
/// a save point, and what they had submitted has been run. Who makes it asks for that.
struct Cut {
  bool makes = false;             // checkpoints are made. Before threads run
  std::atomic<int64_t> left{0};   // save points until it is told to end (for tests); 0: it is not.
                                  // relaxed: only counted
  std::atomic<bool> asked{false}; // seq_cst: pairs with SourceCut::stays
  std::atomic<bool> ends{false};  // the program ends with the checkpoint. Set before `asked` falls
  os::Event stop;                 // a signal has asked the program to end
  os::Lock lock;
  os::Condition over; // with `lock`: `asked` has become false
};

/// The part of a source.
struct SourceCut {
  /// It does nothing, and its state says where it is: it has not begun, has ended, waits or stays
  /// at a save point. seq_cst: a source that goes on says so and then looks whether to stay; who
  /// asks for a cut says so and then looks who stays. One of them sees the other.
  std::atomic<bool> stays{true};
  // By the source; while it stays by who makes or restores a checkpoint:
  bool atPoint = false;  // generated code: its state variables say where it is
  bool topIsDue = false; // what a source does between two forwards (atTop) waits for a save point
  bool isLink = false;   // it receives from another PE: it may go on while the others stay, as long
                         // as these have sent something. It stays while it sleeps
  bool wasEnded = false; // at the checkpoint from which the program goes on
  int64_t due = 0;       // ns, when its wait is over (Clock); 0: it does not wait
  int64_t resumes = 0;   // ns, when the wait is over that it was in at that checkpoint; or 0
};

} // namespace sluice
