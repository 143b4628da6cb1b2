//===- Retained.h - frames that were sent and not acknowledged --*- C++ -*-===//
//
// A copy of each, to be sent again to a PE that was started again. One thread adds frames and sends
// them again, another one (the Acknowledger) says which are acknowledged.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/exec/state/Receipt.h"
#include "runtime/remote/Piece.h"
#include <memory>
#include <span>
#include <vector>

namespace sluice {

class Retained {
public:
  /// `most`: frames. `bytes`: of all but one of them together.
  Retained(uint32_t most, size_t bytes);
  ~Retained();
  Retained(const Retained &) = delete;

  // By the thread that sends.
  /// Whether there is room for one more frame, of any size.
  bool hasRoom();
  /// Adds a frame, which holds the receipt (null: none) until it is acknowledged. There is room.
  void add(std::span<const remote::Piece> frame, uint32_t rows, Receipt *);
  /// The frames that are to be sent again after restart(): from 0 on, in their order.
  uint64_t count() const { return added - base; }
  struct Frame {
    std::span<char> bytes;
    uint32_t rows;
  };
  Frame frame(uint64_t number) const;

  // Any thread.
  bool isEmpty() const { return acknowledged.load(std::memory_order_seq_cst) == added; }

  /// By the acknowledger: so many frames since restart() are acknowledged. False: there are not
  /// that many.
  bool acknowledge(uint64_t frames);
  /// By the acknowledger: no acknowledgements come any more.
  void lose();
  /// By the acknowledger, while the other thread waits: they come of another link, and count from
  /// the oldest frame on.
  void restart();
  /// By the acknowledger: what is there is not needed any more.
  void giveUp() { acknowledge(added.load(std::memory_order_acquire) - base); }

  /// By the thread that sends: nothing more comes, see lose().
  bool isLost() const { return lost.load(std::memory_order_seq_cst); }
  /// Between the last look and a sleep on `moved`: acknowledge() and lose() raise it.
  void beginWait();
  void endWait() { waits.store(false, std::memory_order_relaxed); }
  os::Event moved;
  os::Event gone; // raised by lose(), for who does not add frames

private:
  struct Slot {
    char *at = nullptr;
    size_t bytes = 0;
    uint32_t rows = 0;
    Receipt *receipt = nullptr;
  };
  Slot &slot(uint64_t number) { return slots[number % slots.size()]; }
  const Slot &slot(uint64_t number) const { return slots[number % slots.size()]; }
  bool isInside(const char *at) const { return at >= memory && at < memory + size; }
  char *place(size_t bytes);
  void reclaim();

  const size_t size;
  char *memory = nullptr; // a ring of bytes; a frame that does not fit has memory of its own
  size_t next = 0;        // where in it the next frame may be
  size_t kept = 0;        // bytes of all frames that are not reclaimed
  std::vector<Slot> slots;
  uint64_t base = 0, reclaimed = 0;
  // By the thread that sends; the acknowledger reads it. It is written behind the slot.
  std::atomic<uint64_t> added{0};
  std::atomic<uint64_t> acknowledged{0};
  std::atomic<bool> lost{false}, waits{false};
};

} // namespace sluice
