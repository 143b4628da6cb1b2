//===- Pes.h - which PE runs which operators --------------------*- C++ -*-===//
//
// A job runs in one or several processes, called PEs. The program table says which PE each operator
// is in (OperatorDesc::pe); a PE of the table may stand for one PE of each channel of a @parallel
// region. Pes makes the PEs that run from the instances: a pure function, so every PE of a job
// finds the same.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/table/Instances.h"
#include <cstdint>
#include <vector>

namespace sluice {

class Pes {
public:
  explicit Pes(const Instances &);

  /// How many processes the job has.
  uint32_t count() const { return number; }
  /// Whether PE `pe` runs the operator. The sender of a link runs in each PE that has a producer of
  /// its stream.
  bool runs(uint32_t pe, uint32_t op) const;
  /// The PE of an operator that is no sender.
  uint32_t of(uint32_t op) const { return pes[op]; }
  /// Where a sender sends to: the receiver of its link.
  uint32_t receiver(uint32_t sender) const { return receivers[sender]; }
  /// The PEs in which the sender of a receiver's link runs, in ascending order.
  const std::vector<uint32_t> &sendersTo(uint32_t receiver) const { return senders[receiver]; }
  /// By input port: how many of its producers run in the PE.
  std::vector<uint32_t> producersIn(uint32_t pe) const;

private:
  void place();
  void connect();

  const Instances &instances;
  uint32_t number = 1;
  std::vector<uint32_t> pes;                  // by operator
  std::vector<uint32_t> receivers;            // by operator: of a sender
  std::vector<std::vector<uint32_t>> senders; // by operator: of a receiver
};

} // namespace sluice
