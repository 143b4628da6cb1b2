//===- Setup.cpp - from options to a controller ---------------------------===//
#include "runtime/adapt/Controller.h"
#include "runtime/base/process.h"
#include "runtime/base/text/Words.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/options/PolicyHelp.h"
#include "runtime/exec/run/Adapter.h"
#include "runtime/exec/run/Queues.h"
#include "runtime/exec/source/Flight.h"
#include "runtime/exec/watch/Describe.h"
#include <algorithm>
#include <cstdio>

namespace sluice::adapt {

static const char *const kArchitecture =
#if defined(__x86_64__)
    "x86_64";
#elif defined(__powerpc64__)
    "ppc64le";
#else
    "unknown processor";
#endif

/// Workers that a policy may have. Those that ports bring always run and are not among them.
static uint32_t workersOf(const Program &p) {
  return p.queues.scheduler ? p.queues.scheduler->options.workers - p.queues.domains.ownThreads : 1;
}

Controller::Controller(Program &p)
    : p(p), nodes(p.desc, p.queues.domains, workersOf(p), p.table.here) {
  set = elastic::initialConfiguration(nodes.graph);
  for (uint32_t node = 0; node < nodes.ports.size(); ++node)
    if (nodes.graph.nodes[node].maxWidth > 1)
      set.width[node] =
          std::min(nodes.ports[node]->domain.reorder->getWidth(), nodes.graph.nodes[node].maxWidth);
  machine.cpus = os::usableCpus();
  machine.maxThreads = workersOf(p);
  machine.inFlight = double(inFlightEach(p));
  if (p.queues.scheduler)
    self = p.queues.scheduler->makeSelf();
}

bool Controller::asked() const { return p.options.elasticFrom; }

void Controller::setThreads(uint32_t threads) {
  p.queues.scheduler->setLevel(threads + p.queues.domains.ownThreads);
}

std::unique_ptr<elastic::Policy> Controller::makePolicy(std::string &error) const {
  return elastic::makePolicy(p.options.elastic, constants, nodes.graph, machine, set, error);
}

/// Gives --latency or --cpus to the policy as a constant. False: the policy has none of that name.
bool Controller::addBound(const char *name, double value) {
  if (value <= 0)
    return true;
  std::vector<elastic::Constant> known = elastic::constantsOf(p.options.elastic);
  if (std::none_of(known.begin(), known.end(),
                   [&](auto &constant) { return constant.name == name; }))
    return wrong("--" + std::string(name) + ": policy '" + p.options.elastic +
                 "' knows no such bound");
  constants.emplace_back(name, value);
  return true;
}

bool Controller::wrong(const std::string &what) const {
  tell(p, std::string(p.desc.mainName) + ": error: " + what + "\n");
  return false;
}

bool Controller::findPolicy() {
  constants = p.options.elasticOptions;
  if (!addBound("latency", p.options.latency) || !addBound("cpus", p.options.cpus))
    return false;
  std::string error;
  policy = makePolicy(error);
  if (!policy)
    return wrong(std::string(asked() ? p.options.elasticFrom : "--elastic-option") + ": " + error);
  return true;
}

int Controller::prepare() {
  bool off = p.options.elastic == "off";
  if (!off && !findPolicy())
    return 2;
  const char *reason = nullptr;
  auto changeable = [](const elastic::Node &node) { return node.changeable; };
  if (!p.queues.scheduler || !p.queues.domains.tokens)
    reason =
        "no input port was compiled with a queue (--boundaries=all makes more): nothing to adapt";
  else if (std::none_of(nodes.graph.nodes.begin(), nodes.graph.nodes.end(), changeable))
    reason = "every queue is fixed (--boundaries=all makes more ports that may change): only the "
             "number of workers is adapted";
  if (reason && !off && p.options.traceLevel >= 3)
    tell(p, std::string(p.desc.mainName) + ": info: " + reason + "\n");
  if (!p.queues.scheduler || !p.queues.domains.tokens || (reason && !asked()))
    policy = nullptr;
  // With a policy one worker runs until it decides; without one, all.
  if (policy)
    setThreads(set.threads);
  else
    set.threads = machine.maxThreads;
  traces = !p.options.traceFile.empty();
  std::string error;
  trace = traces ? trace::Writer::create(p.desc.mainName, p.options.traceFile, error,
                                         [this](std::string_view text) { tell(p, text); })
                 : std::make_unique<trace::Writer>();
  if (!trace)
    return wrong("--trace: " + error), 1;
  makeHeader();
  trace->begin(head);
  return 0;
}

void Controller::makeHeader() {
  head.program = head.composite = p.desc.mainName;
  head.source = p.desc.sourceFile ? p.desc.sourceFile : "";
  head.host =
      std::string(kArchitecture) + ", " + std::to_string(machine.cpus) + " hardware threads";
  uint32_t nanos;
  os::wallClock(head.started, nanos);
  head.graph = nodes.graph;
  for (const std::vector<uint32_t> &operators : nodes.operators) {
    std::vector<trace::Operator> &inside = head.operators.emplace_back();
    for (uint32_t op : operators)
      inside.push_back(watch::operatorOf(p.desc.operators[op]));
  }
  head.machine = machine;
  head.policy = policy ? p.options.elastic : "off";
  head.constants = constants;
  head.options = p.options.given;
  head.start = set;
  head.pe = p.options.pe;
  head.process = uint32_t(os::processNumber());
  head.flow = watch::flowOf(p);
}

void Controller::finish(int exitCode) {
  trace::Final final;
  final.time = now();
  final.exitCode = exitCode;
  CounterSample sample = takeSample(p);
  for (const SourceSample &source : sample.sources) {
    const OperatorDesc &op = p.desc.operators[source.op];
    for (uint32_t out = op.firstOut; !op.daemon && out < op.firstOut + op.outputs; ++out)
      final.rows += double(sample.out[out].rows);
  }
  final.cpu = os::cpuTime().own - compiling;
  final.controller = spent;
  trace->end(std::move(final));
}

std::string Controller::summary() const {
  if (!policy)
    return p.options.elastic == "off" || !asked()
               ? ""
               : "elastic: " + p.options.elastic + ", nothing to adapt\n";
  uint32_t queues = 0, changeable = 0;
  for (uint32_t i = 0; i < nodes.ports.size(); ++i) {
    queues += set.queued[i] != 0;
    changeable += nodes.graph.nodes[i].changeable;
  }
  char when[64] = "none", own[64];
  if (changes)
    snprintf(when, sizeof when, "the last one after %.1f s", lastChange);
  snprintf(own, sizeof own, "; it took %.3f s of processor time, %.2f %%", spent,
           100 * spent / std::max(spent, os::cpuTime().own - compiling));
  return "elastic: " + p.options.elastic + ", " + counted(decisions, "decision") + ", " +
         counted(changes, "change") + " (" + when + "); at the end " +
         counted(set.threads, "worker") + ", " + counted(queues, "queue") + " (" +
         counted(changeable, "port") + " may change)" + (paused ? ", paused" : "") + own + "\n";
}

} // namespace sluice::adapt

using namespace sluice;

int sluice::makeAdapter(Program &p, std::unique_ptr<Adapter> &result) {
  auto controller = std::make_unique<adapt::Controller>(p);
  int code = controller->prepare();
  if (!code)
    result = std::move(controller);
  return code;
}

std::string sluice::policyHelp(const std::string &policy) {
  std::string text;
  for (auto &[name, help] : elastic::policyNames())
    if (policy.empty() || policy == "off" || policy == name)
      text += (text.empty() ? "" : "\n") + ("  " + name + ": " + help);
  auto line = [&](const elastic::Constant &constant) {
    char values[96];
    snprintf(values, sizeof values, " = %g (%g to %g): ", constant.value, constant.least,
             constant.most);
    text += "\n    " + constant.name + values + constant.help;
  };
  for (const elastic::Constant &constant : elastic::constantsOf(policy))
    line(constant);
  return text;
}
