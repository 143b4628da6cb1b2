//===- Paper.cpp - --elastic=paper and --elastic=threads -------------------===//
#include "runtime/elastic/paper/Paper.h"
#include "runtime/elastic/paper/Coordinator.h"
#include <algorithm>

namespace sluice::elastic {

/// The options that both policies have.
static paper::PaperOptions optionsOf(const Values &values, const Machine &machine) {
  paper::PaperOptions options;
  options.period = values["period"];
  options.skip = values["skip"];
  options.cpuLimit = values["cpuLimit"];
  options.sumOfNodes = values.on("metric");
  options.loadChange = values["loadChange"];
  options.loadPeriods = uint32_t(values["loadPeriods"]);
  options.levels.most = std::max(machine.maxThreads, 1u);
  options.levels.least = std::min(uint32_t(values["minThreads"]), options.levels.most);
  options.levels.sens = options.queues.sens = options.sf.sens = values["sens"];
  options.levels.between = values.on("levels");
  options.levels.visits = uint32_t(values["visits"]);
  return options;
}

std::unique_ptr<Policy> makePaper(const Values &values, const Graph &graph, const Machine &machine,
                                  const Configuration &start) {
  paper::PaperOptions options = optionsOf(values, machine);
  options.history = values.on("history");
  options.satisfaction = values.on("satisfaction");
  options.sf.sf = values["sf"];
  options.sf.asCode = values.on("sfCode");
  options.queues.groups.harmonic = values.on("groups");
  options.queues.groups.bins = uint32_t(values["bins"]);
  options.queues.groups.mixed = values.on("order");
  options.queues.smallGroup = values["smallGroup"];
  options.queues.step = uint32_t(values["step"]);
  options.queues.regroup = values.on("regroup");
  return std::make_unique<paper::Coordinator>(options, graph, machine, start);
}

std::unique_ptr<Policy> makeThreads(const Values &values, const Graph &graph,
                                    const Machine &machine, const Configuration &start) {
  paper::PaperOptions options = optionsOf(values, machine);
  options.placement = false;
  return std::make_unique<paper::Coordinator>(options, graph, machine, start);
}

} // namespace sluice::elastic
