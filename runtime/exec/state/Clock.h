//===- Clock.h - the time that a program sees --------------------*- C++ -*-===//
//
// Operators and library functions read time here and nowhere else (sl_clock, sl_now,
// sl_wall_clock), and waits are by this clock (Wait.cpp). What measures how fast the program is, or
// keeps it moving (metrics, pace, flight, the controller, the timer), is about the machine: it
// reads os::now().
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/exec/options/ClockKind.h"

namespace sluice {

/// Real: by any thread. Virtual: by the holder of the baton, or with its lock (Baton.h).
class Clock {
public:
  explicit Clock(ClockKind kind) : kind(kind) {}
  bool isVirtual() const { return kind != ClockKind::Real; }
  /// ns since a fixed moment, never less than before; virtual: since the start.
  int64_t now() const { return isVirtual() ? time : os::now() + shift; }
  /// Seconds and nanoseconds since 1970. It may jump: nothing waits by it.
  void wall(int64_t &seconds, uint32_t &nanos);
  /// Before threads run: it shows `to` now. So times that operators keep stay right in another
  /// process.
  void set(int64_t to);
  /// Virtual: moves time on. Earlier times change nothing.
  void advance(int64_t to);

  static constexpr int64_t kNever = INT64_MAX;
  /// `nanos` after `now`, before kNever.
  static int64_t later(int64_t now, int64_t nanos);
  /// What the wall clock shows when a virtual clock starts: 1 January 2000, 00:00 UTC, in s.
  static constexpr int64_t kEpoch = 946'684'800;

private:
  const ClockKind kind;
  int64_t time = 0;   // ns, virtual
  int64_t shift = 0;  // ns, real: what is added to os::now()
  uint32_t looks = 0; // at the wall clock
};

} // namespace sluice
