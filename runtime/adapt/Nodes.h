//===- Nodes.h - a running program as policies see it -----------*- C++ -*-===//
#pragma once
#include "runtime/elastic/Policy.h"
#include "runtime/exec/state/Domains.h"

namespace sluice::adapt {

/// The nodes of the graph that policies see: sources that are not daemons, and input ports with a
/// boundary, in the order of operators and ports. A pure function of tables, domains and the modes
/// of ports.
struct Nodes {
  /// `workers`: how many there are. `here`: by operator, whether this process runs it; empty: all.
  Nodes(const ProgramDesc &, const Domains &, uint32_t workers, const std::vector<bool> &here);

  elastic::Graph graph;
  std::vector<InPort *> ports; // by node; null: it is a source
  /// By node: the operators that it runs, first the one that heads it.
  std::vector<std::vector<uint32_t>> operators;

  /// An input port inside a domain that gets batches by calls. It has counters of its own, but its
  /// time belongs to the nodes that lead to it.
  struct Called {
    uint32_t inPort;
    std::vector<uint32_t> by; // nodes that lead to it
  };
  std::vector<Called> called;

private:
  void addNodes(const ProgramDesc &, const Domains &, uint32_t workers,
                const std::vector<bool> &here);
  void follow(const ProgramDesc &, const std::vector<uint32_t> &nodeOfIn, uint32_t node,
              std::vector<uint32_t> &calledAt);
};

} // namespace sluice::adapt
