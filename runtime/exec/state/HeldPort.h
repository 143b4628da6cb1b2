//===- HeldPort.h - ports that hold sources back ----------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <atomic>
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
  /// Of a port that delays: nothing that has waited is under way. To a checkpoint it is as a
  /// source: seq_cst as SourceCut::stays, by the owner of its token. Where sources take turns it is
  /// so always: the Source of the port says it.
  std::atomic<bool> stays{true};
  bool delays = false;           // time alone lets its senders go on
  bool inLoop = false;           // what it submits may come back to another port
  std::vector<Source *> senders; // their tuples come to this port
  std::vector<Source *> others;  // they lead to another port of the operator

  /// True if senders are to wait.
  bool blocks() const { return !ignored && (held || underWay || waiting > most); }
};

/// The ports of a program that may be held. What is not atomic is set before threads run.
struct Holds {
  /// The port, or null if it is not one of those.
  HeldPort *at(uint32_t inPort) const { return ports.empty() ? nullptr : ports[inPort].get(); }

  std::vector<std::unique_ptr<HeldPort>> ports; // by id; empty if there is none
};

} // namespace sluice
