//===- Writer.h - writes a trace while a program runs -----------*- C++ -*-===//
//
// Each call writes whole lines at once. So a trace can be followed, and one that ends
// early is cut in its last line at most. A failure to write does not stop the program:
// it is warned once, and the trace ends.
//
// Two threads call a writer: the watcher calls figures() only, and the controller all others, in
// this order:
//
//   begin(header); decision(policy.begin());
//   for each interval: sample(s); decision(policy.step(s)); and once that is carried
//   out: switched(), threads();
//   end(final).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/trace/Events.h"
#include "runtime/trace/Lines.h"
#include <functional>
#include <memory>
#include <string_view>

namespace sluice::trace {

/// Takes a line for standard error.
using Tell = std::function<void(std::string_view)>;
void tellDirectly(std::string_view);

/// Writes the lines of one trace.
class Writer {
public:
  /// Creates or truncates the file. Null, and a message in `error`, if that fails. Warnings start
  /// with `program`.
  static std::unique_ptr<Writer> create(const std::string &program, const std::string &path,
                                        std::string &error, Tell = tellDirectly);
  /// Takes the descriptor over.
  Writer(std::string program, std::string path, int fd, Tell tell)
      : program(std::move(program)), path(std::move(path)), fd(fd), tell(std::move(tell)) {}
  /// Writes no file: what happens is only in events().
  Writer() = default;
  ~Writer();
  Writer(const Writer &) = delete;

  /// Writes the header. Constants that are not given are written with their defaults.
  void begin(Header);
  /// Writes a sample. `used`: the policy is given it. It is not while the controller is paused,
  /// without a policy, and if the program was stopped in the interval.
  void sample(const elastic::Sample &, bool used = true);
  /// Writes the answer to the last sample, or that of Policy::begin(). By its kind, writes
  /// `load-change` or `settled` as well; `settled` once, until the policy tries something again.
  void decision(const elastic::Decision &);
  /// Write what was carried out, and when. Nothing is written if nothing changed.
  void switched(double time, const Queues &, const Widths &);
  void threads(double time, uint32_t to);
  /// Write that the controller was paused and resumed. `start`: the policy is made anew, and its
  /// begin() is the next decision.
  void pause(double time);
  void resume(double time, std::optional<elastic::Configuration> start);
  /// Writes that the caller had to drop lines.
  void lost(double time, uint64_t lines, const std::string &reason);
  /// Writes the last line with the numbers of lines. Nothing is written afterwards.
  void end(Final);
  /// Writes the counters. Also while another thread writes something else.
  void figures(const Figures &);
  /// What has happened: all lines but the header, samples, figures and decisions to wait.
  Events &events() { return happened; }
  /// How many decisions of a kind there were. Any thread.
  uint64_t decisionsOf(elastic::Kind kind) const {
    return byKind[size_t(kind)].load(std::memory_order_relaxed);
  }
  /// Whether the policy has settled and the load not changed since. Any thread.
  bool isSettled() const { return settled.load(std::memory_order_relaxed); }

  /// Whether lines are still written.
  bool working() const;
  /// What is set, by the lines so far.
  const elastic::Configuration &configuration() const { return now; }

private:
  void put(const std::string &line);
  void tellOf(const std::string &line);
  void close();
  void warn(int error);
  void startSettling(double time, const char *since);

  std::string program, path;
  mutable os::Lock lock; // guards `fd`
  int fd = -1;           // below 0: there is no file, or no longer
  Tell tell;
  Events happened;
  elastic::Graph graph;
  elastic::Configuration now;
  double time = 0, throughput = 0;     // of the last sample
  double settlingFrom = 0;             // seconds: when the search began
  const char *settlingSince = "start"; // and with what
  // relaxed, both: for people, who need no order between them.
  std::atomic<bool> settled{false};
  std::atomic<uint64_t> byKind[size_t(elastic::Kind::Settled) + 1] = {};
  uint64_t samples = 0, decisions = 0, lostLines = 0;
};

} // namespace sluice::trace
