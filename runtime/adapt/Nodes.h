//===- Nodes.h - a running program as policies see it -----------*- C++ -*-===//
#pragma once
#include "runtime/elastic/Policy.h"
#include "runtime/exec/program/Domains.h"

namespace sluice::adapt {

/// A pure function of tables, domains and the modes of ports: sources and input ports
/// that have a ring, in the order of operators and ports.
struct Nodes {
  /// `ordered`: by input port, no policy may make it a queue. `workers`: that there are.
  Nodes(const ProgramDesc &, const Domains &, const std::vector<bool> &ordered, uint32_t workers);

  elastic::Graph graph;
  /// By node: its port, null if it is a source; its operator.
  std::vector<InPort *> ports;
  std::vector<uint32_t> operators;

  /// An input port inside a domain that is handed batches by calls. Its time is its own on
  /// the counters, but belongs to the nodes that lead to it.
  struct Called {
    uint32_t inPort;
    std::vector<uint32_t> by; // nodes
  };
  std::vector<Called> called;

private:
  void addNodes(const ProgramDesc &, const Domains &, const std::vector<bool> &ordered,
                uint32_t workers);
  void follow(const ProgramDesc &, const std::vector<uint32_t> &nodeOfIn, uint32_t node,
              std::vector<uint32_t> &calledAt);
};

} // namespace sluice::adapt
