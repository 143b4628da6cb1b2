//===- ExplainCheckpoints.cpp - what checkpoints hold ----------------------===//
#include "passes/print/Explain.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace sluice;
using Role = stream::RecoveryRole;

/// The labels of the operators of which `f` holds.
template <typename F> static std::string labels(stream::GraphOp graph, F f) {
  SmallVector<std::string> names;
  for (auto op : graph.getOps<stream::OperatorOp>())
    if (!op.getLink() && f(op))
      names.push_back(op.label());
  return llvm::join(names, ", ");
}

static std::string text(double number) {
  std::string result;
  llvm::raw_string_ostream(result) << llvm::format("%g", number);
  return result;
}

static std::string numberOf(stream::GraphOp graph, stream::StartNumberAttr number) {
  if (number.getSubmission() >= 0)
    return graph.submission(number.getSubmission()).getName().getValue().str();
  return text(number.getValue().getValueAsDouble());
}

static void explainRegion(stream::GraphOp graph, unsigned index, stream::ConsistentAttr region,
                          llvm::raw_ostream &out) {
  auto isInside = [&](stream::OperatorOp op) {
    return op.getRecovery() && op.getRecovery()->getRegion() == int32_t(index);
  };
  explainLine(out, "region " + std::to_string(index));
  if (region.getDriven())
    out << "a checkpoint where "
        << labels(graph, [&](auto op) { return isInside(op) && op.is(Role::Triggers); })
        << " asks for it";
  else
    out << "a checkpoint each " << numberOf(graph, region.getPeriod()) << " s";
  out << ", given up after " << numberOf(graph, region.getDrain())
      << " s: " << labels(graph, isInside) << "\n";
}

void sluice::explainCheckpoints(ModuleOp module, ArrayRef<Unsaved> unsaved,
                                llvm::raw_ostream &out) {
  for (auto graph : module.getOps<stream::GraphOp>()) {
    auto regions = graph.getConsistents().getAsRange<stream::ConsistentAttr>();
    std::string fresh = labels(
        graph, [](auto op) { return op.is(Role::Autonomous) && !op.is(Role::Checkpointed); });
    std::string kept =
        labels(graph, [](auto op) { return op.is(Role::Autonomous) && op.is(Role::Checkpointed); });
    if (regions.empty() && fresh.empty() && kept.empty() && unsaved.empty())
      continue;
    out << "checkpoints\n";
    for (auto [index, region] : llvm::enumerate(regions))
      explainRegion(graph, index, region, out);
    if (!fresh.empty())
      explainLine(out, "anew") << fresh << ": autonomous, and so not restored\n";
    if (!kept.empty())
      explainLine(out, "kept") << kept << ": autonomous, with config checkpoint\n";
    for (const Unsaved &op : unsaved)
      if (op.isLogged)
        explainLine(out, "logged")
            << op.label << ", a " << op.kind
            << ": it leads to a ReplayableStart, and cannot bring again what it has brought\n";
    for (const Unsaved &op : unsaved)
      if (!op.isLogged)
        explainLine(out, "refused")
            << op.label << ", a " << op.kind << (op.why.empty() ? "" : ": ") << op.why << "\n";
  }
}
