//===- Lines.h - what a trace says ------------------------------*- C++ -*-===//
//
// A trace is a file of lines. Each line is a JSON object whose member `line` names its
// kind. This file says what each kind holds; docs/traces.md describes the format for
// readers. What is written reads back as the same values (tools/driver/trace), so that
// a policy can be replayed to the byte.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/Policy.h"
#include <string>
#include <string_view>
#include <variant>

namespace sluice::trace {

/// The version of the format. It rises when a member is removed or changes its meaning, and when a
/// `decision` line changes at all, as replay compares those.
constexpr uint32_t kVersion = 3;

using Queues = std::vector<std::pair<uint32_t, bool>>;     // node, queued; ascending
using Widths = std::vector<std::pair<uint32_t, uint32_t>>; // node, width; ascending

/// An operator as the source has it.
struct Operator {
  std::string name, kind, position; // the last as `file:line:column`; empty: not known
  bool operator==(const Operator &) const = default;
};

/// An operator that runs. Their numbers are the same in all PEs of a job.
struct FlowOperator {
  Operator what;
  std::string part;      // which part of the operator of that name it is; empty: all of it
  std::string group;     // the name that all channels of a region share; empty: in no region
  uint32_t segment = 0;  // the operator that heads its segment
  bool isSource = false; // it makes tuples of its own
  bool isDaemon = false; // it ticks for others
  bool isHere = true;    // this process runs it
  bool operator==(const FlowOperator &) const = default;
};

/// A stream from one operator to an input port of another.
struct FlowStream {
  uint32_t from = 0, to = 0; // operators
  uint32_t in = 0;           // the id of the input port
  std::string boundary;      // as --metrics-json has it
  std::string why;           // it is that, as `sluice explain` says; empty: not known
  bool operator==(const FlowStream &) const = default;
};

/// The operators as they run, and what leads from one to another.
struct Flow {
  std::vector<FlowOperator> operators;
  std::vector<FlowStream> streams;
  bool operator==(const Flow &) const = default;
};

/// The first line: all that a policy is given before the first sample.
struct Header {
  static constexpr std::string_view kName = "header";
  std::string program;   // its name, as the user calls it
  std::string composite; // the qualified name of the main composite
  std::string source;    // the file of the main composite; empty: not known
  std::string host;      // the machine in words
  int64_t started = 0;   // seconds since 1970; 0: simulated
  elastic::Graph graph;
  /// By node: those that it runs, first the one that heads it. Empty: not known.
  std::vector<std::vector<Operator>> operators;
  elastic::Machine machine;
  std::string policy;               // `off`: there is none
  elastic::Constants constants;     // all constants of the policy; the writer adds defaults
  std::vector<std::string> options; // of the command line
  elastic::Configuration start;
  int32_t pe = -1;      // which PE of a job; -1: one process runs all
  uint32_t process = 0; // its number; 0: simulated
  Flow flow;            // empty: not known
  bool operator==(const Header &) const = default;
};

/// The sample of an interval. Times of all lines are seconds since the program began.
struct SampleLine {
  static constexpr std::string_view kName = "sample";
  elastic::Sample sample;
  bool used = true; // the policy was given it
  bool operator==(const SampleLine &) const = default;
};

/// What the policy answered to the last sample (or at first).
struct Decision {
  static constexpr std::string_view kName = "decision";
  double time = 0; // of that sample
  elastic::Decision decision;
  bool operator==(const Decision &) const = default;
};

/// Boundaries and parallel ports that were changed.
struct Switch {
  static constexpr std::string_view kName = "switch";
  double time = 0;
  Queues queues;
  Widths widths;
  bool operator==(const Switch &) const = default;
};

/// The level was changed.
struct Threads {
  static constexpr std::string_view kName = "threads";
  double time = 0;
  uint32_t from = 0, to = 0;
  bool operator==(const Threads &) const = default;
};

/// The policy found that the load has changed.
struct LoadChange {
  static constexpr std::string_view kName = "load-change";
  double time = 0;
  std::string reason;
  bool operator==(const LoadChange &) const = default;
};

/// The policy has settled.
struct Settled {
  static constexpr std::string_view kName = "settled";
  double time = 0;
  std::string since;     // `start`, `load-change` or `resume`
  double seconds = 0;    // since then
  double throughput = 0; // rows a second in the last interval
  uint32_t threads = 0, queues = 0;
  bool operator==(const Settled &) const = default;
};

/// The controller was paused.
struct Pause {
  static constexpr std::string_view kName = "pause";
  double time = 0;
  bool operator==(const Pause &) const = default;
};

/// The controller was resumed.
struct Resume {
  static constexpr std::string_view kName = "resume";
  double time = 0;
  std::optional<elastic::Configuration>
      start; // the policy was made anew, from this; else it goes on
  bool operator==(const Resume &) const = default;
};

/// Lines are missing here.
struct Lost {
  static constexpr std::string_view kName = "lost";
  double time = 0;
  uint64_t lines = 0;
  std::string reason;
  bool operator==(const Lost &) const = default;
};

/// What limits the program (runtime/watch/Cause.h).
struct Limit {
  std::string kind; // empty: not known
  int32_t op = -1;  // the operator; -1: none
  std::string text; // in words
  bool operator==(const Limit &) const = default;
};

/// An operator until now. Below 0: not known.
struct OperatorFigures {
  double in = -1, out = -1;   // tuples
  double cpu = 0, waited = 0; // seconds of its own; those that it slept as part of its work
  bool isEstimate = false;    // of `cpu`
  bool operator==(const OperatorFigures &) const = default;
};

/// A boundary until now.
struct BoundaryFigures {
  uint32_t in = 0;            // the id of its input port
  bool isQueue = false;       // at the moment
  uint32_t width = 1;         // workers that may run it at once
  double depth = 0, room = 0; // batches in the queue, and how many it takes
  double blocked = 0;         // seconds that producers waited for space in it
  bool operator==(const BoundaryFigures &) const = default;
};

/// What a thread does at a moment.
struct ThreadFigures {
  std::string thread; // in words
  std::string state;  // `runs`, `space`, `work`, `waits` or `idle`
  int32_t op = -1;    // where; -1: nowhere
  double since = -1;  // the time at which it began to wait; below 0: it does not
  bool operator==(const ThreadFigures &) const = default;
};

/// What an operator counts beside tuples: what it leaves out, and what the program makes.
struct CountFigures {
  uint32_t op = 0;
  std::string name;
  double count = 0;
  bool operator==(const CountFigures &) const = default;
};

/// One end of a link.
struct LinkFigures {
  uint32_t op = 0, pe = 0; // its operator; the PE at the other end
  bool sends = false;
  double tuples = 0, bytes = 0, waited = 0; // seconds for credits
  bool operator==(const LinkFigures &) const = default;
};

/// The counters at a moment. Numbers are since the program began, but for those that say otherwise.
struct Figures {
  static constexpr std::string_view kName = "figures";
  double time = 0;
  std::vector<OperatorFigures> operators;
  std::vector<BoundaryFigures> boundaries;
  std::vector<ThreadFigures> threads;
  std::vector<CountFigures> leftOut, metrics;
  std::vector<LinkFigures> links;
  double latencyHalf = -1, latencyMost = -1; // seconds, since the last line: 50 and 99 %
  double cpu = 0, others = -1;               // seconds of processor time: own, and of all others
  double memory = 0, memoryLimit = 0;        // bytes; 0: not known
  uint32_t cpus = 0;                         // hardware threads
  uint32_t workers = 0, mostWorkers = 0;     // that run at the moment, and that exist
  double busy = 0;                           // seconds of workers
  Limit limit;
  bool operator==(const Figures &) const = default;
};

/// The last line.
struct Final {
  static constexpr std::string_view kName = "final";
  double time = 0;
  int exitCode = 0;
  double rows = 0;                               // that the sources submitted
  double cpu = 0;                                // seconds of processor time that the program used
  uint64_t samples = 0, decisions = 0, lost = 0; // numbers of lines
  double controller = 0; // seconds of `cpu` that the controller's thread used
  bool operator==(const Final &) const = default;
};

using Line = std::variant<Header, SampleLine, Decision, Switch, Threads, LoadChange, Settled, Pause,
                          Resume, Lost, Figures, Final>;

/// The line with its line end. It is valid UTF-8, whatever the strings hold.
std::string format(const Header &);
std::string format(const SampleLine &);
std::string format(const Decision &);
std::string format(const Switch &);
std::string format(const Threads &);
std::string format(const LoadChange &);
std::string format(const Settled &);
std::string format(const Pause &);
std::string format(const Resume &);
std::string format(const Lost &);
std::string format(const Figures &);
std::string format(const Final &);
inline std::string format(const Line &line) {
  return std::visit([](const auto &l) { return format(l); }, line);
}

/// The members of a node in a `sample` line, for the writer and the reader.
struct NodeMember {
  const char *name;
  double elastic::NodeSample::*member;
};
inline constexpr NodeMember kNodeMembers[] = {
    {"rows", &elastic::NodeSample::rows},   {"batches", &elastic::NodeSample::batches},
    {"bytes", &elastic::NodeSample::bytes}, {"queued", &elastic::NodeSample::queued},
    {"busy", &elastic::NodeSample::busy},   {"blocked", &elastic::NodeSample::blocked},
    {"depth", &elastic::NodeSample::depth}, {"waited", &elastic::NodeSample::waited},
};

} // namespace sluice::trace
