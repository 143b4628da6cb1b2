//===- Rules.cpp - spl.relational::Join -----------------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;
using typed::Window;

static void checkWindow(OperatorRules &rules, const typed::InputPort &input) {
  const auto &window = input.window;
  if (!window)
    return;
  auto *step = llvm::dyn_cast_or_null<typed::ConstExpr>(window->trigger.size.get());
  if (window->kind != Window::Kind::Sliding)
    rules.report(window->range, Diag::err_window_sliding, rules.op.kind);
  else if (window->trigger.policy != Window::Policy::Count || !step || step->integer() != 1)
    rules.report(window->range, Diag::err_window_trigger, rules.op.kind);
}

/// A side that keeps nothing is only asked for the partners of its new tuples in the other one.
static void checkKeepsTuples(OperatorRules &rules) {
  auto keepsNone = [](const typed::InputPort &input) {
    const auto &window = input.window;
    auto *size =
        window ? llvm::dyn_cast_or_null<typed::ConstExpr>(window->evict.size.get()) : nullptr;
    return size && window->evict.policy == Window::Policy::Count && size->integer() == 0;
  };
  if (llvm::all_of(rules.op.inputs, keepsNone))
    rules.report(rules.op.inputs.back().window->range, Diag::warn_join_keeps_none, rules.op.kind);
}

/// The default tuple of a side is for the tuples of the other one that have no match.
static void checkDefault(OperatorRules &rules, llvm::StringRef name, llvm::StringRef algorithm,
                         llvm::StringRef useless) {
  if (algorithm == "inner")
    rules.paramError(name, Diag::err_join_default);
  else if (algorithm == useless)
    rules.paramError(name, Diag::warn_join_default, algorithm);
}

/// Outputs behind the first get tuples without a match.
static void checkOutputs(OperatorRules &rules, llvm::StringRef algorithm) {
  size_t ports = rules.op.outputs.size();
  size_t most = algorithm == "outer" ? 3 : algorithm == "inner" ? 1 : 2;
  if (ports != 1 && ports != most) {
    rules.report(rules.outputRange(ports > most ? most : ports - 1), Diag::err_join_ports,
                 rules.op.kind, algorithm, most == 1 ? "1" : "1 or " + std::to_string(most), ports);
    return;
  }
  for (unsigned port = 1; port < ports; ++port) {
    const PortView &input = rules.inputs[algorithm == "rightOuter" ? 1 : port - 1];
    if (rules.outputType(port) != input.type)
      rules.reportType(rules.outputRange(port), rules.outputType(port), input.type,
                       Diag::err_join_unmatched, input.name, input.type->str(),
                       rules.outputType(port)->str());
  }
}

void sema::joinRules(OperatorRules &rules) {
  for (const typed::InputPort &input : rules.op.inputs)
    checkWindow(rules, input);
  checkKeepsTuples(rules);
  rules.checkPartitioning(0, "partitionByLHS");
  rules.checkPartitioning(1, "partitionByRHS");
  if (!rules.has("equalityRHS"))
    rules.paramError("equalityLHS", Diag::err_param_needs, "equalityRHS");
  if (!rules.has("equalityLHS"))
    rules.paramError("equalityRHS", Diag::err_param_needs, "equalityLHS");
  rules.sameTypes("equalityRHS", "equalityLHS");
  for (llvm::StringRef key : {"equalityLHS", "equalityRHS"})
    rules.checkKey(key, "all tuples are one group");
  llvm::StringRef algorithm = rules.literalOf("algorithm", "inner");
  checkDefault(rules, "defaultTupleLHS", algorithm, "leftOuter");
  checkDefault(rules, "defaultTupleRHS", algorithm, "rightOuter");
  checkOutputs(rules, algorithm);
}
