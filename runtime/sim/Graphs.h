//===- Graphs.h - the applications that are simulated -----------*- C++ -*-===//
#pragma once
#include "runtime/elastic/Policy.h"
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::sim {

/// A stream from an operator to another.
struct Edge {
  uint32_t to;
  double rows; // for each row that the operator processes (a source: that it makes)
};

/// An operator of an application.
struct Operator {
  std::string name;
  double flops = 0; // for a row
  double later = 0; // for a row after the change of load
  double sleep = 0; // nanoseconds for a row: it waits for a device, one row at a time
  bool source = false;
  std::vector<Edge> to;
};

/// A program. Its operators are in topological order: edges lead to higher numbers.
struct Application {
  std::string name;
  std::vector<Operator> operators;
  double payload = 8;         // bytes of a tuple
  bool changes = false;       // `later` differs from `flops`
  std::vector<uint32_t> hand; // the operators to which a person would give a queue and a thread

  /// The graph for policies: each operator is a node and a domain, and each input port changeable.
  elastic::Graph graph() const;
  /// How many operators sleep. Each may have a worker more than there are processors.
  uint32_t sleepers() const;
  /// By operator: the rows that reach it when every source makes one.
  std::vector<double> visits() const;
};

/// Parses `SHAPE:SIZES,COST,PAYLOAD[,sources=N]`, for instance `pipeline:500,skew,1024`.
/// graphHelp() lists the shapes. Returns an application without operators, and a message in
/// `error`, if the text is not of that form.
Application parseGraph(std::string_view text, std::string &error);
std::string graphHelp();

} // namespace sluice::sim
