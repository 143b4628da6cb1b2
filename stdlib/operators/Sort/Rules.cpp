//===- Rules.cpp - spl.relational::Sort -----------------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;
using typed::Window;

/// A sliding window has a fixed number of tuples, and each that comes makes one leave.
static void checkSliding(OperatorRules &rules, const Window &window) {
  auto *step = llvm::dyn_cast_or_null<typed::ConstExpr>(window.trigger.size.get());
  bool steps = window.trigger.policy == Window::Policy::Count && step && step->integer() == 1;
  if (window.evict.policy != Window::Policy::Count || !steps)
    rules.report(window.range, Diag::err_window_progressive, rules.op.kind);
  auto *size = llvm::dyn_cast_or_null<typed::ConstExpr>(window.evict.size.get());
  if (window.evict.policy == Window::Policy::Count && size && size->integer() == 0)
    rules.report(size->range, Diag::warn_window_never, "sliding window");
}

void sema::sortRules(OperatorRules &rules) {
  rules.checkPartitioning(0, "partitionBy");
  rules.checkKey("sortBy", "all tuples are alike, and stay in their order");
  const typed::Parameter *keys = rules.op.param("sortBy"), *order = rules.op.param("order");
  for (const typed::ExprPtr &key : keys->values)
    if (key->type->kind == SplType::Boolean)
      rules.report(key->range, Diag::err_param_boolean, "sortBy");
  if (order && order->values.size() != 1 && order->values.size() != keys->values.size())
    rules.paramError("order", Diag::err_param_one_or_each, order->values.size(), "sortBy",
                     keys->values.size());
  if (auto clause = rules.outputClause(0))
    rules.report(*clause, Diag::warn_output_ignored, rules.op.kind);
  const auto &window = rules.op.inputs[0].window;
  if (window && window->kind == Window::Kind::Sliding)
    checkSliding(rules, *window);
}
