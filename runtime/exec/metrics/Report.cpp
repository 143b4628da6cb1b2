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
  p.metrics = os::openFile(p.options.metricsFile.c_str(), os::Open::Truncate);
  return p.metrics < 0 ? failed(p, os::errorText(-p.metrics)) : 0;
}

int reportCounters(Program &p, int exitCode, const std::string &summary) {
  CounterSample sample = sampleOfRun(p);
  if (!p.options.stats && p.options.traceLevel >= 1 && !p.unread)
    tellLeftOut(p, sample.leftOut);
  if (!p.options.stats && p.metrics < 0)
    return exitCode;
  bool whole = exitCode == 0 && !p.cutShort.load(std::memory_order_relaxed);
  Figures figures = figuresOf(p.desc, sample, whole);
  if (p.options.stats)
    tell(p, statsTable(p.desc, sample, figures) + summary);
  if (p.metrics < 0)
    return exitCode;
  std::string text = metricsJson(p.desc, sample, figures, exitCode);
  int error = os::writeFile(p.metrics, text.data(), text.size());
  int closed = os::closeFile(p.metrics);
  p.metrics = -1;
  if (int worst = error < 0 ? error : closed)
    return failed(p, os::errorText(-worst));
  return exitCode;
}

} // namespace sluice
