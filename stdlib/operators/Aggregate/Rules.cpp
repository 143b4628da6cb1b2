//===- Rules.cpp - spl.relational::Aggregate ------------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using typed::Window;

void sema::aggregateRules(OperatorRules &rules) {
  rules.checkPartitioning(0, "partitionBy");
  rules.checkKey("groupBy", "all tuples are one group");
  const auto &window = rules.op.inputs[0].window;
  if (!window)
    return;
  const auto *size = llvm::dyn_cast_or_null<typed::ConstExpr>(window->evict.size.get());
  if (window->kind == Window::Kind::Sliding && window->evict.policy == Window::Policy::Count &&
      size && size->integer() == 0)
    rules.report(size->range, Diag::warn_window_empty);
  if (window->kind != Window::Kind::Sliding)
    rules.paramError("aggregateIncompleteWindows", Diag::err_window_incomplete);
  if (!window->limit)
    rules.paramError("aggregateEvictedPartitions", Diag::err_window_evicted);
  else if (window->kind == Window::Kind::Sliding)
    rules.paramError("aggregateEvictedPartitions", Diag::warn_evicted_sliding);
}
