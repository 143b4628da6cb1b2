//===- Baton.h - one source runs at a time ----------------------*- C++ -*-===//
//
// Source threads take turns: only the holder of the baton is inside the graph. A source that waits
// outside all segments releases it. A source that waits inside a segment S further down (in a
// Throttle, say) releases it as well, but then no other may enter S or what leads to S. All that is
// on its stack leads to S, so it is enough to keep out every source that reaches an operator of S.
//
// With a virtual clock the baton is what moves time: when no source can run, and none waits for
// input, the clock jumps to the earliest wake-up. Whom it wakes run in the order of their numbers.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/state/Clock.h"
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace sluice {

class Baton {
public:
  /// True if tuples of the source may get to an operator of the segment that the input port heads.
  using Reaches = std::function<bool(uint32_t source, uint32_t inPort)>;

  /// True if a source is not to wait any longer, whatever the time is.
  using IsToEnd = std::function<bool(uint32_t source)>;

  /// Of sources that wait for room (Holds.h).
  struct Room {
    std::function<bool(uint32_t source)> isHeldBack, isHopeless;
    std::function<void(uint32_t source)> ignore;
  };

  /// Makes all sources ready, in order; none runs before begin(). `inOrder`: they always follow
  /// each other in the order of their numbers. `clock`: a virtual one, or null.
  void setUp(uint32_t sources, bool inOrder, Reaches, Clock *clock = nullptr, IsToEnd = {},
             Room = {});
  void begin();
  /// While all sources stay: the source behind which the next turn begins; -1: the first is next.
  int32_t turn();
  /// Before begin(): goes on there.
  void setTurn(int32_t source) { last = source; }

  // By the thread of the source:
  /// Waits for the first turn, or for one after release().
  void acquire(uint32_t source);
  /// Gives the baton up. `inside`: the input port that heads the segment in which it waits, or -1
  /// outside all segments.
  /// `holdsTime`: the clock stands still until acquire().
  void release(uint32_t source, int32_t inside, bool holdsTime = false);
  /// Virtual clock: gives the baton up until it is `due`, or the source is to end.
  void sleep(uint32_t source, int32_t inside, int64_t due);
  /// Gives the baton up until nothing holds the source back, or nobody could change that.
  void awaitRoom(uint32_t source);
  /// By any thread: who may run may have changed.
  void look();
  /// Virtual clock: time passes while everybody waits for the holder of the baton.
  void advance(int64_t to);
  /// Gives the baton up until wake().
  void rest(uint32_t source);
  /// By any thread: the source is ready, if it rests.
  void wake(uint32_t source);
  /// Lets all others that are ready run first.
  void yield(uint32_t source);
  /// True if another source is ready. relaxed: a hint.
  bool contended() const { return ready.load(std::memory_order_relaxed) > 0; }

private:
  /// A source.
  struct Slot {
    bool ready = false;          // it is in `queue`
    int32_t inside = -1;         // the segment in which it waits without the baton, or -1
    int64_t due = Clock::kNever; // when it wakes, if it waits for a virtual clock
    bool holdsTime = false;      // it waits for something else, and time for it
    bool rests = false;          // until wake()
    bool forRoom = false;        // it is in `queue` and may be held back
    os::Condition granted;       // it may have the baton
  };
  void enqueue(uint32_t source);
  void leave(uint32_t source, int32_t inside);
  void wakeDue();
  bool jump();
  void grantNext();
  void awaitTurn(uint32_t source);
  bool mayRun(uint32_t source) const;
  int32_t choose() const;
  int32_t chooseHopeless();

  os::Lock lock;                            // protects what follows, after setUp()
  std::vector<std::unique_ptr<Slot>> slots; // by source
  std::deque<uint32_t> queue;               // sources that are ready, in order of arrival
  std::atomic<uint32_t> ready{0};           // the size of `queue`; read by contended()
  int32_t owner = -1, last = -1; // the source that has the baton, and had it last; -1: none
  bool inOrder = false, started = false;
  Reaches reaches;
  Clock *clock = nullptr;
  IsToEnd isToEnd;
  Room room;
};

} // namespace sluice
