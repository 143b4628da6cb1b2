//===- Policy.h - where queues are and how many threads run -----*- C++ -*-===//
//
// A policy sees a graph once and then samples of the running program, and says what
// to change. It is a pure function of what it was given: no clock, no thread, no
// random number that is not its own. So the same code runs in a program (adapt/),
// against a model of a machine (sim/), and over a recorded trace (`sluice trace
// replay`), and must decide the same every time.
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

/// What a batch runs when it arrives: a source with all that it calls without a
/// boundary, or a segment behind an input port that has a ring.
struct Node {
  std::string name;         // `Operator` or `Operator:port`, as in `sluice graph`
  uint32_t domain = 0;      // one thread at a time is inside of it (unless width > 1)
  bool source = false;      // has a thread of its own
  bool changeable = false;  // a boundary that may be a call or a queue
  bool queued = false;      // how it starts; for ever, if it is not changeable
  uint32_t maxWidth = 1;    // how many workers may run it at once
  std::vector<uint32_t> to; // nodes that its outputs lead to
  bool operator==(const Node &) const = default;
};

struct Graph {
  std::vector<Node> nodes;
  uint32_t domains = 0; // numbered from 0
  bool operator==(const Graph &) const = default;
};

/// What a policy may count on. Costs are estimates that a policy may correct by what
/// it measures.
struct Machine {
  uint32_t cpus = 1;        // hardware threads that may be used
  uint32_t maxThreads = 1;  // workers that exist
  double handOffNanos = 50; // a batch through a ring, both sides, beyond a direct call
  double rowNanos = 0;      // and for each of its rows
  double byteNanos = 0.01;  // and for each of its bytes (another core's cache)
  double wakeNanos = 17000; // waking a thread that sleeps
  double inFlight = 0; // batches that sources let be on their way, for each worker and source; 0:
                       // as many as queues take
  bool operator==(const Machine &) const = default;
};

//===--- what is set ------------------------------------------------------------===//

struct Configuration {
  std::vector<char> queued;    // by node; sources: 0
  std::vector<uint32_t> width; // by node; 1 unless it is a parallel port
  uint32_t threads = 1;        // workers that may run; source threads are not among them
  bool operator==(const Configuration &) const = default;
};
/// Nothing queued but what always is, one worker.
Configuration initialConfiguration(const Graph &);

//===--- what is measured --------------------------------------------------------===//

/// In one window. Times are seconds, sums over all threads.
struct NodeSample {
  double rows = 0; // that arrived; of a source: that it submitted
  double batches = 0;
  double bytes = 0;   // of its batches, where they were queued
  double queued = 0;  // batches among them that came through the ring
  double busy = 0;    // inside the node, without the nodes that it calls and without waiting
  double blocked = 0; // a source: it waited for space; a port: others waited for space in it
  double depth = 0;   // batches in the ring at the end
  bool operator==(const NodeSample &) const = default;
};

/// Always of a time in which nothing was changed.
struct Sample {
  double time = 0;   // seconds since the program began, at the end of the window
  double length = 0; // seconds
  std::vector<NodeSample> nodes;
  double busy = 0, idle = 0, parked = 0; // of the workers; helping is busy, too
  double cpu = 0;                        // seconds of processor time that the program used
  double others = 0;                     // that everybody else used (as far as it is known)
  double latency = -1; // seconds, the 99th percentile from source to sink; below 0: not measured
  bool operator==(const Sample &) const = default;

  /// What the sources submitted, rows per second: what a policy makes large.
  double throughput(const Graph &) const;
};

//===--- what is decided -----------------------------------------------------------===//

enum class Kind : uint8_t {
  Wait,       // nothing changes; measure again
  Try,        // the change is an experiment
  Accept,     // of the last experiment: it stays
  Undo,       // of the last experiment: back to what was better
  LoadChange, // what was learnt no longer holds
  Settled     // nothing more to try; only watching for a change of load
};
std::string_view toString(Kind);

struct Decision {
  Kind kind = Kind::Wait;
  std::vector<std::pair<uint32_t, bool>> queues;     // node, queued; ascending, real changes only
  std::vector<std::pair<uint32_t, uint32_t>> widths; // node, width
  std::optional<uint32_t> threads;
  std::string reason;                                  // one English sentence, for people
  std::vector<std::pair<std::string, double>> numbers; // that it rests on; names in camelBack
  double warmUp = 0; // seconds to let pass before the next window begins
  double window = 5; // seconds that the next window shall have
  bool changes() const { return !queues.empty() || !widths.empty() || threads.has_value(); }
  bool operator==(const Decision &) const = default;
};
/// The configuration once the decision is carried out.
void apply(const Decision &, Configuration &);

//===--- policies --------------------------------------------------------------------===//

/// A constant of a policy: `--elastic-option NAME=VALUE`.
struct Constant {
  std::string name;
  double value; // the default
  double least, most;
  std::string help; // with its unit and where it comes from
};
using Constants = std::vector<std::pair<std::string, double>>; // those that are not the default

class Policy {
public:
  virtual ~Policy() = default;
  /// Before the first sample: what to change at once, and the first window.
  virtual Decision begin() = 0;
  virtual Decision step(const Sample &) = 0;
};

/// `paper`, `model`; what each can do in one line, for --help.
std::vector<std::pair<std::string, std::string>> policyNames();
std::vector<Constant> constantsOf(std::string_view policy);
/// `start` is what is set when begin() is called. Null, and what is wrong in `error`: there is no
/// such policy or constant, or a value is out of bounds.
std::unique_ptr<Policy> makePolicy(std::string_view name, const Constants &, const Graph &,
                                   const Machine &, const Configuration &start, std::string &error);

} // namespace sluice::elastic
