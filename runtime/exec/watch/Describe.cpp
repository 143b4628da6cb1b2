//===- Describe.cpp - the operators and streams of a program --------------===//
#include "runtime/exec/watch/Describe.h"
#include "runtime/exec/metrics/Stats.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/table/Facts.h"
#include "runtime/exec/table/Label.h"

namespace sluice::watch {

trace::Operator operatorOf(const OperatorDesc &op) {
  return {labelOf(op), op.kind,
          std::string(op.file) + ":" + std::to_string(op.line) + ":" + std::to_string(op.column)};
}

trace::Flow flowOf(const Program &p) {
  trace::Flow flow;
  CounterSample none;
  none.in.resize(p.desc.inPortCount);
  none.out.resize(p.desc.outPortCount);
  Figures figures = figuresOf(p.desc, none, /*whole=*/false);
  for (uint32_t i = 0; i < p.desc.operatorCount; ++i) {
    const OperatorDesc &op = p.desc.operators[i];
    trace::FlowOperator &to = flow.operators.emplace_back();
    to.what = operatorOf(op);
    to.what.name = op.name;
    to.part = op.part ? op.part : "";
    if (std::string_view shared = p.table.instances.templateNames[i]; shared != op.name)
      to.group = shared;
    to.segment = figures.operators[i].head;
    to.isSource = isSource(op);
    to.isDaemon = op.daemon;
    to.isHere = p.isHere(i);
  }
  forEachEdge(p.desc, [&](uint32_t out, uint32_t consumer, uint32_t in) {
    const OutPortDesc &port = p.desc.outPorts[out];
    bool isFused = consumer >= batchedConsumers(port);
    const InPortDesc &to = p.desc.inPorts[in];
    flow.streams.push_back(
        {port.op, to.op, in, isFused ? "fused" : nameOf(to.boundary), to.why ? to.why : ""});
  });
  // Over a link no edge leads from the sender to the receiver.
  for (uint32_t from = 0; from < p.desc.operatorCount; ++from) {
    const OperatorDesc &sender = p.desc.operators[from];
    if (sender.link >= 0 && sender.inputs)
      flow.streams.push_back({from, p.table.pes.receiver(from), sender.firstIn, "link", ""});
  }
  return flow;
}

} // namespace sluice::watch
