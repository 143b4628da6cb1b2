//===- Instances.h - the replicas of @parallel regions ----------*- C++ -*-===//
//
// The compiler's tables have each region once: a template. From them and the
// widths follow the tables of what runs: a pure function. Replica 0 has the
// template's own ids and state, the others copies behind all the rest; so the id
// of an instance is that of its template plus a shift of its replica.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/abi.h"
#include <deque>
#include <string>
#include <vector>

namespace sluice {

struct Options;

/// One region that a stream enters: which channel a row goes to.
struct Split {
  SplitKind kind;
  uint32_t width;
  const uint32_t *keys;
  uint32_t keyCount;
  std::vector<uint32_t> next; // round robin: the next channel, by channel of the region around it
};

/// A stream into replicas: consumers [first, first + count) of its port share its
/// rows. Belongs to the domain of the port.
struct Partitioner {
  uint32_t first, count;
  bool dropsWindows;                       // it comes from another region
  std::vector<Split> levels;               // the outermost first
  std::vector<std::vector<uint32_t>> rows; // of the batch at hand, by consumer
};

struct Instances {
  /// `widths`: by region, each at least 1.
  Instances(const ProgramDesc &templates, const std::vector<uint32_t> &widths);
  Instances(const Instances &) = delete;

  const Replica &outside() const { return replicas.front(); }
  const Replica &ofIn(uint32_t inPort) const { return *ofOperator[desc.inPorts[inPort].op]; }
  /// How many instances the operator with the most has: rows are partitioned to them, however many
  /// regions are around it.
  int64_t most() const;

  ProgramDesc desc;             // of the instances
  std::deque<Replica> replicas; // the first is what is outside all regions
  std::vector<const Replica *> ofOperator;
  std::vector<const char *> templateNames;            // of operators, without channels
  std::vector<std::vector<Partitioner>> partitioners; // by output port, by first consumer

private:
  void place(uint32_t region, const Replica &outer, const std::vector<uint32_t> &widths);
  void makeOperators(const ProgramDesc &);
  void connect(const ProgramDesc &, uint32_t out, const Replica &);
  const Replica *const *channels(uint32_t region, const Replica &outer) const;
  const char *nameOf(const char *name, const Replica &);

  std::vector<OperatorDesc> operators;
  std::vector<InPortDesc> inPorts;
  std::vector<OutPortDesc> outPorts;
  std::vector<int32_t> regionOf;                      // by operator of the template: the innermost
  std::vector<std::vector<const Replica *>> ofRegion; // by channel
  std::deque<std::vector<uint32_t>> consumers;
  std::deque<std::vector<SegmentFn>> segments;
  std::deque<std::string> names;
};

/// The widths of all regions. 0, or the exit code: a value that was given is no width.
int findWidths(const ProgramDesc &, const Options &, std::vector<uint32_t> &widths);

} // namespace sluice
