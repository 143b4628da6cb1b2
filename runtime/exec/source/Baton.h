//===- Baton.h - one source runs at a time ----------------------*- C++ -*-===//
//
// Source threads take turns: only the holder of the baton is inside the graph.
// A source that waits at its own top lets go of it. One that waits inside an
// operator T further down (a Throttle, say) may let go as well, but then nobody
// may enter T or what leads to T; since all that is on its stack leads to T,
// it is enough to keep out every source that reaches T.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace sluice {

class Baton {
public:
  /// reaches(source, op): may tuples of the source get to the operator?
  using Reaches = std::function<bool(uint32_t source, int32_t op)>;

  /// All sources are ready, in order, and nobody runs before begin().
  void setUp(uint32_t sources, bool inOrder, Reaches);
  void begin();

  /// Waits for the first turn, or for one after release().
  void acquire(uint32_t source);
  /// Lets go; inside: the operator in which it waits, or -1 at the top.
  void release(uint32_t source, int32_t inside);
  /// Lets all others that are ready go first.
  void yield(uint32_t source);
  /// Is anybody ready? (a hint, without a lock)
  bool contended() const { return ready.load(std::memory_order_relaxed) > 0; }

private:
  struct Slot {
    bool ready = false;
    int32_t inside = -1;
    os::Condition granted;
  };
  void enqueue(uint32_t source);
  void grantNext();
  void awaitTurn(uint32_t source);
  bool mayRun(uint32_t source) const;
  int32_t choose() const;

  os::Lock lock;
  std::vector<std::unique_ptr<Slot>> slots;
  std::deque<uint32_t> queue; // who is ready, in order of arrival
  std::atomic<uint32_t> ready{0};
  int32_t owner = -1, last = -1;
  bool inOrder = false, started = false;
  Reaches reaches;
};

} // namespace sluice
