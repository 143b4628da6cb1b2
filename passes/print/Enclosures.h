//===- Enclosures.h - what is drawn around operators ------------*- C++ -*-===//
#pragma once
#include "passes/analyze/Graph.h"

namespace sluice {

/// A PE or a @parallel region.
struct Enclosure {
  enum class Kind { Pe, Region } kind;
  unsigned index; // of the graph's PEs or regions
  int parent;     // the enclosure around it, or -1
};

/// They are a tree. A region that several PEs have a part of is in each of them; a PE that there is
/// for each channel of a region is inside that region.
class Enclosures {
public:
  Enclosures(stream::GraphOp, const Graph &);
  /// Outer ones first.
  llvm::ArrayRef<Enclosure> all() const { return list; }
  /// The innermost one of an operator, or -1.
  int around(unsigned op) const { return innermost[op]; }
  /// What people call it: `PE 1`, or `@parallel Path, width 4`.
  std::string title(const Enclosure &) const;

private:
  int find(Enclosure);

  stream::GraphOp op;
  std::vector<Enclosure> list;
  std::vector<int> innermost; // by operator
};

/// `PE 1`; `PEs 1 to 4`, if there is one for each channel of a region. Where the number of channels
/// is a submission-time value the name has that of the value.
std::string peName(stream::GraphOp, unsigned index);

} // namespace sluice
