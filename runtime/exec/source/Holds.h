//===- Holds.h - sources that wait for held ports ----------------*- C++ -*-===//
//
// An operator that wants no more tuples at an input port for now **holds** it (sl_hold). What still
// arrives it keeps itself, so no thread waits inside an operator, and other ports of the operator
// are served as ever. The sources whose tuples come to the port wait, outside all segments, at
// their next forward.
//
// A source does not wait where nobody could let it go on: no other source that leads to another
// port of the operator runs, and no batch is in flight. Such a port holds nobody back any more.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/abi.h"
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace sluice {

struct Source;

/// An input port that its operator may hold (InPortDesc::holds). Its flags and counts are
/// sequentially consistent: who changes one looks for waiting sources afterwards, and a source says
/// that it waits before it looks at them (Source::waits).
struct HeldPort {
  std::atomic<bool> held{false};     // by the owner of the domain, or the holder of the baton
  std::atomic<bool> ignored{false};  // it holds nobody back any more; by a source
  std::atomic<uint32_t> underWay{0}; // batches that were pushed and have not run, if all its
                                     // streams are forwarded at each submit: who sends a tuple
                                     // waits until the operator has seen it
  std::atomic<uint64_t> waiting{0};  // tuples that wait here for their time, if it delays
  uint64_t most = ~uint64_t(0);      // of those, before senders wait
  bool delays = false;               // time alone lets its senders go on
  bool inLoop = false;               // what it submits may come back to another port
  std::vector<Source *> senders;     // their tuples come to this port
  std::vector<Source *> others;      // they lead to another port of the operator

  /// True if senders are to wait.
  bool blocks() const { return !ignored && (held || underWay || waiting > most); }
};

/// The ports of a program that may be held. What is not atomic is set before threads run.
struct Holds {
  /// The port, or null if it is not one of those.
  HeldPort *at(uint32_t inPort) const { return ports.empty() ? nullptr : ports[inPort].get(); }

  std::vector<std::unique_ptr<HeldPort>> ports; // by id; empty if there is none
};

/// True if tuples of the source may come to the operator.
using Reaches = std::function<bool(const Source &, uint32_t op)>;
/// Whether tuples that an operator submits may come to another, by ids.
using Leads = std::function<bool(uint32_t from, uint32_t to)>;
/// Makes the ports that may be held, before operators are opened.
void makeHeldPorts(Program &);
/// Finds who sends to them, once there are sources.
void connectHolds(Program &, const Reaches &, const Leads &);

/// True if the source is to wait. By any thread.
bool holdsBack(const Source &);
/// True if nobody could let a waiting source go on; `quiet` says whether no batch is in flight.
bool isHopeless(const Source &, const std::function<bool()> &quiet);
/// What blocks the source holds nobody back any more.
void ignoreHolds(const Source &);

} // namespace sluice
