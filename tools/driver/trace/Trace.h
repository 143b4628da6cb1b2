//===- Trace.h - sluice trace -----------------------------------*- C++ -*-===//
//
// What the commands of `sluice trace` share: a trace in memory, and how its numbers
// are put to people.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "tools/driver/DriverOptions.h"
#include "tools/driver/trace/TraceReader.h"
#include "llvm/ADT/ArrayRef.h"

namespace sluice::driver {

int traceShowCommand(const DriverOptions &);
int tracePlotCommand(const DriverOptions &);
int traceReplayCommand(const DriverOptions &);
int traceDiffCommand(const DriverOptions &);
int tracePerfettoCommand(const DriverOptions &);

//===--- a whole trace, without the numbers of its nodes --------------------------------===//

struct TraceMoment {
  trace::Line line;      // of a sample: without its nodes
  double throughput = 0; // of a sample: rows a second
};
TraceMoment toMoment(trace::Line line, const elastic::Graph &);

struct TraceHistory {
  trace::Header header;
  std::vector<TraceMoment> moments;
  std::vector<std::string> missing;
};
/// `visit` sees the lines with the numbers of the nodes.
llvm::Expected<TraceHistory> readHistory(const std::string &path,
                                         llvm::function_ref<void(const trace::Line &)> visit);

double timeOf(const trace::Line &);
/// What happened and why, in some sentences.
std::string summaryOf(const TraceHistory &);

/// What is set at a moment: what it started with, and what was carried out since.
class TraceState {
public:
  explicit TraceState(const trace::Header &header) : now(header.start) {}
  void apply(const trace::Line &);
  const elastic::Configuration &configuration() const { return now; }
  uint32_t threads() const { return now.threads; }
  uint32_t queues() const;

private:
  elastic::Configuration now;
};

struct ReplayResult {
  size_t same = 0; // decisions
  bool stopped =
      false; // where lines were lost: what the policy knew from there on is not in the trace
};
/// An error if a decision is not the same again, byte for byte.
llvm::Expected<ReplayResult> replayTrace(TraceReader &);

//===--- in words and pictures ---------------------------------------------------------------===//

/// `1.23 M`, `456`, `0.0021`.
std::string inUnits(double);
/// `12.34 s`.
std::string inSeconds(double);
/// `1 queue`, `2 queues`.
std::string inNumber(uint64_t, const char *what, const char *many = nullptr);
/// As many characters as `width`, an average each; the highest bar is `most`.
std::string sparkline(llvm::ArrayRef<double> values, unsigned width, double most);
/// A bar of `share` (0 to 1) of `width` characters, filled with blanks.
std::string bar(double share, unsigned width);
/// `threads 1 -> 2; queues: A, B; calls: C; ...`, not longer than some 100 characters.
std::string describeChange(const trace::Header &, const elastic::Configuration &before,
                           const elastic::Decision &);
/// Breaks at blanks, in lines of `width` columns. The first begins at column `begin`.
std::string wrap(llvm::StringRef text, unsigned width, unsigned indent, unsigned begin = 0);
/// How many characters it takes in a terminal, if none of them is wide.
unsigned columnsOf(llvm::StringRef utf8);
/// Right or left in `width` columns.
std::string padLeft(llvm::StringRef text, unsigned width);
std::string padRight(llvm::StringRef text, unsigned width);

int traceFailure(llvm::Error);
/// A warning for each sentence.
void warnOfMissing(const std::string &path, const std::vector<std::string> &missing);
/// Writes to DriverOptions::written().
int writeConverted(const DriverOptions &, llvm::function_ref<void(llvm::raw_ostream &)> print);

} // namespace sluice::driver
