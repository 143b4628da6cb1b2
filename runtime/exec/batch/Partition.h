//===- Partition.h - the rows of a stream go to channels ---------*- C++ -*-===//
//
// All functions are called by whoever is inside the domain of the output port, which the
// partitioner belongs to.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Sent.h"
#include <algorithm>

namespace sluice {

/// What the consumers of a port get of its batch, one after the other: the batch as it is, or each
/// consumer of a partitioner its part, in a batch of its own. After a failure those behind still
/// get the rows before the one that failed.
class Parcels {
public:
  Parcels(Thread &t, uint32_t port, Batch *b)
      : t(t), port(port), whole(b), desc(*t.program.out.ports[port].desc),
        partitioner(t.program.table.instances.partitioners[port].data()),
        partitioners(uint32_t(t.program.table.instances.partitioners[port].size())) {}

  /// Goes to the next one. False: there is none.
  bool next() { return partitioners || parted ? nextOfPartitioners() : nextWhole(); }
  uint32_t consumer() const { return to; }
  Batch *batch() const { return given; }
  bool isWhole() const { return given == whole; }

  /// What became of it.
  void note(Sent sent) {
    if (parted)
      notePart(sent);
    else if (!sent.isMine())
      sum = {std::min(sum.status, sent.status), sent.fate};
    else if (sent.status < 0)
      cutAtFailure();
  }
  /// What became of the whole batch. `held`: queues that share it; the consumers that are none
  /// release it together.
  Sent all(uint32_t held) const {
    if (!held)
      return sum; // a segment that forwards in place has it alone
    uint32_t done = desc.segmentCount - held;
    // acq_rel: as in releaseBatch().
    bool isShared = !done || __atomic_sub_fetch(&whole->refs, done, __ATOMIC_ACQ_REL);
    return {sum.status, isShared ? BatchFate::Queued : BatchFate::Mine};
  }

private:
  bool nextWhole() {
    to = at++;
    if (to >= desc.segmentCount)
      return false; // by now the batch may be in other hands
    given = whole;
    rows = whole->rows;
    return true;
  }
  bool nextOfPartitioners();
  bool nextPart();
  void notePart(Sent);
  void cutAtFailure();

  Thread &t;
  const uint32_t port;
  Batch *const whole;
  const OutPortDesc &desc;
  Partitioner *partitioner;      // the next one
  uint32_t partitioners;         // that are left
  Partitioner *parted = nullptr; // whose consumers get parts now
  uint32_t part = 0;             // of those, the next one
  uint32_t at = 0, to = 0;       // the next consumer; the one that gets `given`
  Batch *given = nullptr;
  uint32_t rows = 0; // of the whole batch, when it was given
  Sent sum;
};

} // namespace sluice
