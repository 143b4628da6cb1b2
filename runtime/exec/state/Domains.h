//===- Domains.h - the domains and boundaries of a program ------*- C++ -*-===//
#pragma once
#include "runtime/exec/state/FeedbackLoop.h"
#include "runtime/exec/state/InPort.h"
#include <memory>
#include <vector>

namespace sluice {

/// The domains of a program and the boundaries between them. See makeDomains().
struct Domains {
  Domains() = default;
  Domains(Domains &&) = default;
  ~Domains();

  /// False: two sources share a domain, or a queue leads into one. Then sources take turns (Baton).
  bool valid = true;
  uint32_t tokens = 0;     // domains with a token
  uint32_t ownThreads = 0; // domains that bring a worker
  uint32_t waiting = 0;    // others with a token whose operators may sleep as part of their work
  std::vector<std::unique_ptr<Domain>> list;
  std::vector<Domain *> ofOperator;             // by id of the operator
  std::vector<std::unique_ptr<InPort>> inPorts; // by id; null: the port has no boundary
  std::vector<std::unique_ptr<FeedbackLoop>> loops;
  std::vector<std::vector<bool>> inLoop; // by output port and consumer: the edge is in a loop
};

} // namespace sluice
