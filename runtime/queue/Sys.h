//===- Sys.h - what the protocol needs of the machine -----------*- C++ -*-===//
//
// Each template of this folder takes a `Sys`: RealSys, or that of the tests. The latter runs the
// same code under a scheduler of its own, explores interleavings and stale reads, and switches
// single lines to known mistakes (`mutant`): if no test notices a mistake a test is missing.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include <atomic>
#include <cassert>
#include <cstdint>

namespace sluice::queue {

/// Mistakes that the tests put in on purpose. `None` is last.
enum class Mutant : uint32_t {
  PublishRelaxed,       // a slot is published without release
  PopRelaxed,           // head moves without release: the slot is reused too early
  WinRelaxed,           // winning does not acquire
  TakeRelaxed,          // taking does not acquire
  ReleaseRelaxed,       // letting go does not release
  ReleaseNotSeqCst,     // letting go is not ordered before the look for waiters
  NotifyRelaxed,        // a notification does not release
  NotifyOnlyIfEmpty,    // notify only what was empty
  NotifyNotDirty,       // an owned token is not marked
  NotifyAlwaysAdds,     // an entry although there is one
  WinClearsQueued,      // a direct push forgets the entry
  TakeKeepsQueued,      // Q stays although its entry is gone
  TakeNotDirty,         // a worker drops the entry of an owned token
  ReleaseIgnoresDirty,  // D is not looked at
  ReleaseCleansLate,    // pub is read before D is cleared
  ReleaseAlwaysAdds,    // an entry although there is one
  ReleaseForgetsOthers, // pub of the first port only
  AloneIgnoresOwner,    // the one producer does not look whether its last item still runs
  AloneOwnerFirst,      // or before it looks whether that was popped
  AloneHeadRelaxed,     // that look does not acquire
  AloneOwnerRelaxed,    // nor does the one at the owner
  AloneAmongTickets,    // or it does not ask for tickets
  AloneWithOthers,      // a port counts as having one producer that has two
  CallGoesOnQueueing,   // the one producer goes on pushing where it is to call
  InlineIfNotPublished, // inline when nothing is published, not when all has run
  WakeOnlyWithSpace,    // a release wakes only when the ring has space
  ParkUnannounced,      // no second look after announcing
  ParkWithoutOwner,     // wait though nobody owns the token
  KeyAfterLook,         // the key is read after the second look
  FullIgnoresBytes,     // bytes do not count
  OverflowFirst,        // what is past the bound overtakes the ring
  LoopWaits,            // an edge inside a loop waits for space
  IdleNoLook,           // a worker sleeps without a second look
  IdleTrustsTake,       // a worker sleeps while an entry is being added
  AddNoFence,           // no fence between the entry and the look for sleepers
  NewestIsPrivate,      // what a worker added last is its own, even above the level
  LingerNoWake,         // a thread that lingers wakes nobody for what it leaves
  SurrenderNoWake,      // a worker above the level keeps the wake-up that it used up
  HandOverNoWake,       // a helper wakes nobody for what it leaves
  WaitNoWake,           // a worker that waits wakes no spare one
  LevelNoWake,          // a raised level wakes nobody
  FinishWakesOne,       // the end wakes one sleeper
  DoneRelaxed,          // a ticket is done before its outputs can be seen
  ReleasedRelaxed,      // released moves on without release
  ReleasedFirst,        // released moves on before the outputs are pushed
  ReleaseOwnOnly,       // later tickets that are done are left
  InlineAmongTickets,   // inline although a ticket is not released
  WidthIgnored,         // a ticket is taken whatever the width is
  AdmitNoLook,          // a worker lets go of a full window without a second look
  ReleasedNoNotify,     // released moves on and tells no worker
  ReleasedNoFence,      // no fence between moving on and the look at the rings
  ReleasedNoWake,       // who waits for space is not told
  WidthNoNotify,        // a raised width tells no worker
  TurnWinRelaxed,       // winning the turn does not acquire
  TurnLetGoRelaxed,     // letting go of it does not release
  TurnNotDirty,         // who loses the turn does not leave D
  TurnIgnoresDirty,     // D is not looked at
  TurnCleansLate,       // done is read before D is cleared
  TurnNoWake,           // who waits for the turn is not told
  TurnNoLook,           // no second look after announcing
  TurnWaitsForBytes,    // the one whose turn has come waits, too
  TicketAfterRelease,   // the batch is popped after the token is let go
  PartitionedRelaxed,   // a ticket is partitioned before its parts can be seen
  LeftRelaxed,          // who runs the last part has not seen the others
  ShardNextFirst,       // a part counts as run before it has
  ShardNotBack,         // who has ended a ticket does not come back to the shard
  AloneWithTickets,     // what is to run alone does not wait for tickets
  InlineAmongShards,    // inline although state is shards'
  UnitesWithTickets,    // shards are put together although a ticket is out
  None
};

struct RealSys {
  template <class T> using Atomic = std::atomic<T>;
  /// Shared data that is not atomic. The tests check that it is guarded.
  template <class T> using Plain = T;

  static void fence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
  static void park(const Atomic<uint32_t> &token, uint32_t expected) { os::park(token, expected); }
  static void wake(const Atomic<uint32_t> &token, bool all) { os::wake(token, all); }
  static void pause() { os::spinPause(); }
  /// Lets a thread run that will be done in a few instructions.
  static void yield() { os::yieldThread(); }
  static int64_t now() { return os::now(); }
  static constexpr bool mutant(Mutant) { return false; }
  /// Checks an invariant, in builds with assertions.
  static void check([[maybe_unused]] bool holds, [[maybe_unused]] const char *what) {
#ifndef NDEBUG
    if (!holds)
      broken(what);
#endif
  }
  /// Reports a broken invariant and ends the program.
  [[noreturn]] static void broken(const char *what);
};

} // namespace sluice::queue
