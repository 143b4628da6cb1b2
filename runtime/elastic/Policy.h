//===- Policy.h - where queues are and how many threads run -----*- C++ -*-===//
//
// The types that policies share. A policy is given a graph once and then samples of
// the running program, and answers with decisions. It is a pure function of what it
// was given: it reads no clock, uses no thread and draws no random number that is not
// its own. So the same code runs in a program (adapt/), in the simulator (sim/) and
// over a recorded trace (`sluice trace replay`), and decides the same every time.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::elastic {

//===--- what does not change -------------------------------------------------===//

/// What runs when a batch arrives: a source with all that it calls without a boundary, or a segment
/// behind a boundary.
struct Node {
  std::string name;        // `Operator` or `Operator:port`, as in `sluice graph`
  uint32_t domain = 0;     // one thread at a time is inside the domain, unless the width is above 1
  bool source = false;     // it has a thread of its own
  bool changeable = false; // a boundary whose mode may change
  bool queued = false;     // its mode at the start; for ever, if it is not changeable
  uint32_t maxWidth = 1;   // how many workers may run it at the same time
  std::vector<uint32_t> to; // the nodes that its outputs lead to
  bool operator==(const Node &) const = default;
};

struct Graph {
  std::vector<Node> nodes;
  uint32_t domains = 0; // their number; they are numbered from 0
  bool operator==(const Graph &) const = default;
};

/// What a policy may count on. The costs are estimates, which a policy may correct by what it
/// measures.
struct Machine {
  uint32_t cpus = 1;        // hardware threads that the program may use
  uint32_t maxThreads = 1;  // workers that exist
  double handOffNanos = 50; // of a batch through a ring, both sides, beyond a direct call
  double rowNanos = 0;      // more for each row of the batch
  double byteNanos = 0.01;  // more for each byte of the batch, which is in another core's cache
  double wakeNanos = 17000; // of waking a thread; for readers of traces, no policy uses it
  double inFlight = 0; // batches in flight that sources allow, for each worker and source; 0: as
                       // many as queues take
  bool operator==(const Machine &) const = default;
};

//===--- what is set ------------------------------------------------------------===//

struct Configuration {
  std::vector<char> queued;    // by node; 0 for sources
  std::vector<uint32_t> width; // by node; 1 unless it is a parallel port
  uint32_t threads = 1;        // the level: workers that may run; threads of sources do not count
  bool operator==(const Configuration &) const = default;
};
/// Only the boundaries that cannot be direct are queued, and the level is one.
Configuration initialConfiguration(const Graph &);

//===--- what is measured --------------------------------------------------------===//

/// What a node did in one interval. Times are seconds, sums over all threads.
struct NodeSample {
  double rows = 0; // that arrived; of a source: that it submitted
  double batches = 0;
  double bytes = 0;   // of the batches that were queued
  double queued = 0;  // batches that came through the ring
  double busy = 0;    // inside the node, without the nodes that it calls and without waiting
  double waited = 0;  // inside the node, asleep as part of the work; no processor is taken
  double blocked = 0; // of a source: it waited for space; of a port: others waited for space in it
  double depth = 0;   // batches in the ring at the end
  /// Seconds that threads were inside.
  double inside() const { return busy + waited; }
  bool operator==(const NodeSample &) const = default;
};

/// What was counted in one interval, in which nothing was changed.
struct Sample {
  double time = 0;   // the end of the interval, in seconds since the program began
  double length = 0; // of the interval, in seconds
  std::vector<NodeSample> nodes;
  double busy = 0;     // seconds that workers were inside batches, helping included
  double idle = 0;     // seconds that workers within the level did not
  double parked = 0;   // seconds that workers slept, as the level is below their number
  double cpu = 0;      // seconds of processor time that the program used
  double others = 0;   // seconds of processor time that other programs used, as far as it is known
  double latency = -1; // seconds: the 99th percentile of the latency path; below 0: not measured
  bool operator==(const Sample &) const = default;

  /// Rows a second that the sources submitted. A policy makes this large.
  double throughput(const Graph &) const;
};

//===--- what is decided -----------------------------------------------------------===//

enum class Kind : uint8_t {
  Wait,       // nothing changes; measure again
  Try,        // the change is an experiment
  Accept,     // the last experiment stays
  Undo,       // the last experiment goes: back to what was better
  LoadChange, // what was learnt no longer holds
  Settled     // nothing is left to try; the policy only watches for a change of load
};
std::string_view toString(Kind);

struct Decision {
  Kind kind = Kind::Wait;
  std::vector<std::pair<uint32_t, bool>> queues; // node and queued; ascending, real changes only
  std::vector<std::pair<uint32_t, uint32_t>> widths; // node and width; the same
  std::optional<uint32_t> threads;
  std::string reason;                                  // an English sentence for people
  std::vector<std::pair<std::string, double>> numbers; // that it rests on; names in camelBack
  double warmUp = 0;   // seconds that pass before the next interval begins
  double interval = 5; // seconds that the next interval takes
  bool changes() const { return !queues.empty() || !widths.empty() || threads.has_value(); }
  bool operator==(const Decision &) const = default;
};
/// Changes the configuration as the decision says.
void apply(const Decision &, Configuration &);

//===--- policies --------------------------------------------------------------------===//

/// A constant of a policy, which `--elastic-option NAME=VALUE` sets.
struct Constant {
  std::string name;
  double value; // the default
  double least, most;
  std::string help; // with its unit and where it comes from
};
/// Names and values of the constants that do not have their default.
using Constants = std::vector<std::pair<std::string, double>>;

class Policy {
public:
  virtual ~Policy() = default;
  /// What to change before the first sample, and the length of the first interval.
  virtual Decision begin() = 0;
  /// What to change after a sample of what was set last.
  virtual Decision step(const Sample &) = 0;
};

/// The name of each policy and what it does, in one line for --help.
std::vector<std::pair<std::string, std::string>> policyNames();
/// The constants of a policy; none if there is no such policy.
std::vector<Constant> constantsOf(std::string_view policy);
/// Makes a policy. `start`: what is set when begin() is called. Null, and a message in `error`, if
/// there is no such policy or constant, or a value is out of bounds.
std::unique_ptr<Policy> makePolicy(std::string_view name, const Constants &, const Graph &,
                                   const Machine &, const Configuration &start, std::string &error);

} // namespace sluice::elastic
