//===- KeyShards.h - tickets whose parts are run by key -------------*- C++ -*-===//
//
// Behind a word whose code keeps state by key a ticket has a part for each lane, and a
// lane runs its parts in the order of tickets, one thread at a time. Who has dealt a
// ticket runs what it finds, lane by lane; what others are at is left to them. Nobody
// waits. Who runs the last part of a ticket ends it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/Turn.h"
#include <memory>

namespace sluice::queue {

template <class Sys> class Lanes {
  template <class T> using Atomic = typename Sys::template Atomic<T>;
  template <class T> using Plain = typename Sys::template Plain<T>;

public:
  /// `tickets`: as many as there can be at a time, a power of two.
  Lanes(uint32_t lanes, uint32_t tickets)
      : lanes(lanes), mask(tickets - 1), list(new Lane[lanes]), slots(new Slot[tickets]) {}

  uint32_t count() const { return lanes; }

  /// By who has taken the ticket; run.outputs is what its parts are run with.
  void deal(const Run<Sys> &run) {
    Slot &slot = slots[run.ticket & mask];
    slot.port = run.port;
    slot.work = run.outputs;
    slot.left.store(lanes, std::memory_order_relaxed);
    // release: pairs with runNext().
    slot.dealt.store(run.ticket + 1, Sys::mutant(Mutant::DealtRelaxed) ? std::memory_order_relaxed
                                                                       : std::memory_order_release);
  }

  /// By the same, afterwards: part(run, lane) for what is dealt, and, behind no lane,
  /// done(run) for a ticket whose last part that was.
  template <class Part, class Done> void work(uint32_t me, uint64_t ticket, Part part, Done done) {
    for (uint32_t i = 0; i < lanes; ++i) {
      uint32_t number = uint32_t((ticket + i) % lanes); // not all where the others are
      Run<Sys> run{};
      while (runLane(me, number, part, run)) {
        done(run);
        if (Sys::mutant(Mutant::LaneNotBack))
          break;
      }
    }
  }

private:
  struct Slot {
    Atomic<uint64_t> dealt{0}; // ticket + 1 of what it holds or held last
    Atomic<uint32_t> left{0};  // parts that have not run
    Plain<Port<Sys> *> port{};
    Plain<void *> work{};
  };
  struct alignas(64) Lane {
    Turn<Sys> turn;
    Plain<uint64_t> next{}; // the ticket whose part comes next; who has the turn's
  };

  /// True: `run` is a ticket whose last part this was; there may be more to run.
  template <class Part> bool runLane(uint32_t me, uint32_t number, Part &part, Run<Sys> &run) {
    Lane &lane = list[number];
    if (!lane.turn.win(me))
      return false; // who has it has been told
    bool ended = false;
    do
      while (!ended && runNext(lane, number, part, run, ended)) {
      }
    while (!lane.turn.letGo(me)); // told meanwhile: looks again, here or when it comes back
    return ended;
  }

  template <class Part>
  bool runNext(Lane &lane, uint32_t number, Part &part, Run<Sys> &run, bool &ended) {
    uint64_t ticket = lane.next;
    Slot &slot = slots[ticket & mask];
    // acquire: pairs with deal().
    if (slot.dealt.load(std::memory_order_acquire) != ticket + 1)
      return false;
    run = {slot.port, ticket};
    run.outputs = slot.work;
    if (Sys::mutant(Mutant::LaneNextFirst))
      leavePart(slot, ended);
    part(run, number);
    lane.next = ticket + 1;
    if (!Sys::mutant(Mutant::LaneNextFirst))
      leavePart(slot, ended);
    return true;
  }
  /// The slot may be used again afterwards. acq_rel: the last one has seen what all others did.
  void leavePart(Slot &slot, bool &ended) {
    ended =
        slot.left.fetch_sub(1, Sys::mutant(Mutant::LeftRelaxed) ? std::memory_order_relaxed
                                                                : std::memory_order_acq_rel) == 1;
  }

  const uint32_t lanes;
  const uint64_t mask;
  std::unique_ptr<Lane[]> list;
  std::unique_ptr<Slot[]> slots;
};

} // namespace sluice::queue
