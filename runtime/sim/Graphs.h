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
  double rows; // for each row that the operator processes (a source: makes)
};

struct Operator {
  std::string name;
  double flops = 0; // for a row
  double later = 0; // and after the change of load
  bool source = false;
  std::vector<Edge> to;
};

/// Operators stand in topological order: edges lead to higher numbers.
struct Application {
  std::string name;
  std::vector<Operator> operators;
  double payload = 8;         // bytes of a tuple
  bool changes = false;       // `later` differs from `flops`
  std::vector<uint32_t> hand; // where a person would put queues with a thread each

  /// As policies see it: each operator a node and a domain of its own, each input port changeable.
  elastic::Graph graph() const;
  /// Rows that reach each operator when every source makes one.
  std::vector<double> visits() const;
};

/// `SHAPE:SIZES,COST,PAYLOAD[,sources=N]`, for instance `pipeline:500,skew,1024`; graphHelp() has
/// the list. An empty application, and what is wrong in `error`, if the text is not of that form.
Application parseGraph(std::string_view text, std::string &error);
std::string graphHelp();

} // namespace sluice::sim
