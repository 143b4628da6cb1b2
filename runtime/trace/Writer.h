//===- Writer.h - writes a trace while a program runs -----------*- C++ -*-===//
//
// Each call writes whole lines at once, so that a trace can be followed and one that
// ends early is cut at most in its last line. What cannot be written never stops the
// program: one warning, and there is no more trace.
//
// One thread at a time. Who samples and decides calls, in this order:
//
//   begin(header); decision(policy.begin());
//   then again and again: sample(s); decision(policy.step(s)); and, when it is carried
//   out, switched() and threads();
//   end(final).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/trace/Lines.h"
#include <memory>

namespace sluice::trace {

class Writer {
public:
  /// Makes or empties the file. Null, and why in `error`: it cannot be written. Warnings start with
  /// `program`.
  static std::unique_ptr<Writer> create(const std::string &program, const std::string &path,
                                        std::string &error);
  /// Takes a descriptor over.
  Writer(std::string program, std::string path, int fd)
      : program(std::move(program)), path(std::move(path)), fd(fd) {}
  ~Writer();
  Writer(const Writer &) = delete;

  /// Constants of the policy that are not given are written with their defaults.
  void begin(Header);
  /// `used`: the policy sees it. Not while adaptation is paused, without a policy, or after a stop.
  void sample(const elastic::Sample &, bool used = true);
  /// The answer to the last sample, or of Policy::begin(). Writes `load-change` and `settled`, too,
  /// where the kind says so: `settled` once, until the policy tries something again.
  void decision(const elastic::Decision &);
  /// What was carried out, and when. Nothing is written if nothing changed.
  void switched(double time, const Queues &, const Widths &);
  void threads(double time, uint32_t to);
  /// Adaptation is switched off, and on. With `start` the policy is made anew and its begin() is
  /// the next decision.
  void pause(double time);
  void resume(double time, std::optional<elastic::Configuration> start);
  /// Lines that the caller had to drop.
  void lost(double time, uint64_t lines, const std::string &reason);
  /// Counts of lines are filled in. Nothing is written afterwards.
  void end(Final);

  bool working() const { return fd >= 0; }
  /// What is set, as far as the trace knows.
  const elastic::Configuration &configuration() const { return now; }

private:
  void put(const std::string &line);
  void close();
  void startSettling(double time, const char *since);

  std::string program, path;
  int fd;
  elastic::Graph graph;
  elastic::Configuration now;
  double time = 0, throughput = 0; // of the last sample
  double settlingFrom = 0;
  const char *settlingSince = "start";
  bool settled = false;
  uint64_t samples = 0, decisions = 0, lostLines = 0;
};

} // namespace sluice::trace
