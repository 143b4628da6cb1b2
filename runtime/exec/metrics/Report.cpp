//===- Report.cpp - what --stats and --metrics-json ask for ---------------===//
#include "runtime/exec/metrics/Report.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/metrics/LeftOut.h"
#include "runtime/exec/metrics/Stats.h"
#include "runtime/exec/state/Program.h"

namespace sluice {

static int failed(Program &p, const std::string &why) {
  tell(p, std::string(p.desc.mainName) + ": error: --metrics-json: cannot write " +
              p.options.metricsFile + ": " + why + "\n");
  return 1;
}

int openMetrics(Program &p) {
  if (p.options.metricsFile.empty())
    return 0;
  if (!os::mayReplace(p.options.metricsFile.c_str(), "{\n  \"version\""))
    return failed(p, "it is there already, and holds no metrics");
  p.show.metrics = os::openFile(p.options.metricsFile.c_str(), os::Open::Truncate);
  return p.show.metrics < 0 ? failed(p, os::errorText(-p.show.metrics)) : 0;
}

int reportCounters(Program &p, int exitCode, const std::string &summary) {
  CounterSample sample = sampleOfRun(p);
  // What was left out until a checkpoint is told of at the end of a run that goes on from it.
  bool goesOn = p.end.atCheckpoint.load(std::memory_order_relaxed);
  if (!p.options.stats && p.options.traceLevel >= 1 && !p.end.unread && !goesOn)
    tellLeftOut(p, sample.leftOut);
  if (!p.options.stats && p.show.metrics < 0)
    return exitCode;
  bool whole = exitCode == 0 && !p.end.cutShort.load(std::memory_order_relaxed);
  Figures figures = figuresOf(p.desc, sample, whole);
  if (p.options.stats)
    tell(p, statsTable(p.desc, sample, figures) + summary);
  if (p.show.metrics < 0)
    return exitCode;
  std::string text = metricsJson(p.desc, sample, figures, exitCode);
  int error = os::writeFile(p.show.metrics, text.data(), text.size());
  int closed = os::closeFile(p.show.metrics);
  p.show.metrics = -1;
  if (int worst = error < 0 ? error : closed)
    return failed(p, os::errorText(-worst));
  return exitCode;
}

} // namespace sluice
