//===- Instances.h - the replicas of @parallel regions ----------*- C++ -*-===//
//
// The program table of the compiler has each parallel region once, as a template. Instances makes
// the tables of what runs from that and the widths: a pure function. The first replica of a region
// has the ids and the state of the template; those of the others follow behind all the rest. So the
// id of an instance is the id in the template plus a shift that its replica gives.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/counters/DealtCounts.h"
#include "sluice/abi.h"
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace sluice {

struct RunOptions;

/// How one region that a stream enters chooses the channel of a row.
struct Split {
  SplitKind kind;
  uint32_t width;       // channels of the region
  const uint32_t *keys; // columns; for SplitKind::ByKey
  uint32_t keyCount;
  std::vector<uint32_t> next; // round robin: the next channel, by channel of the region around it
};

/// A region dealt by turns, one of whose channels may run a batch for all (RegionDesc::
/// wholeBatches).
struct WholeBatches {
  /// To which channels rows go, by number within the region, beginning with one that goes to the
  /// first: so many that a batch may begin at any channel.
  std::vector<int32_t> channels;
  uint32_t next = 0; // the consumer that runs the next batch: each in turn
  /// Of the segments of the channels: those of one channel, in the order in which a batch comes to
  /// them, then those of the next.
  std::vector<uint32_t> inPorts;
  std::vector<DealtCounts> counts; // by segment of a channel
  uint32_t segments() const { return uint32_t(counts.size()); }
};

/// A stream into replicas: consumers [first, first + count) of its port share its rows. By who is
/// inside the domain of the port.
struct Partitioner {
  uint32_t first, count;
  bool dropsWindows;                       // window punctuation, as it comes from another region
  std::vector<Split> levels;               // the outermost region first
  std::vector<std::vector<uint32_t>> rows; // by consumer: rows of the batch that it gets
  std::unique_ptr<WholeBatches> whole;     // null: each consumer gets its rows
};

struct Instances {
  /// `widths`: by region, each at least 1.
  Instances(const ProgramDesc &templates, const std::vector<uint32_t> &widths);
  Instances(const Instances &) = delete;

  const Replica &outside() const { return replicas.front(); }
  const Replica &ofIn(uint32_t inPort) const { return *ofOperator[desc.inPorts[inPort].op]; }
  /// The replica of the same region that is this channel.
  const Replica &channelOf(const Replica &one, int32_t channel) const {
    return *ofRegion[uint32_t(one.region)][uint32_t(channel)];
  }
  /// In a PE: senders of links hear only of the producers that are there. `producers`: by input
  /// port.
  void setProducers(const std::vector<uint32_t> &producers);
  /// The largest number of instances of one operator: a batch may be partitioned to as many.
  int64_t most() const;

  ProgramDesc desc;             // of the instances
  std::deque<Replica> replicas; // the first stands for what is outside all regions
  std::vector<const Replica *> ofOperator;
  std::vector<const char *> templateNames;            // of operators, without channels
  std::vector<std::vector<Partitioner>> partitioners; // by output port; by first consumer

private:
  void place(uint32_t region, const Replica &outer, const std::vector<uint32_t> &widths);
  void makeOperators(const ProgramDesc &);
  void connect(const ProgramDesc &, uint32_t out, const Replica &);
  void findSegments(const Partitioner &, uint32_t out);
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

/// The widths of all regions. 0, or the exit code: a submission-time value is not a width, which
/// was reported.
int findWidths(const ProgramDesc &, const RunOptions &, std::vector<uint32_t> &widths);

} // namespace sluice
