//===- Rules.cpp - spl.relational::Aggregate ------------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using typed::Window;

void sema::aggregateRules(OperatorRules &rules) {
  rules.checkPartitioning(0, "partitionBy");
  rules.checkKey("groupBy", "group");
  const auto &window = rules.op.inputs[0].window;
  if (!window)
    return;
  if (window->kind != Window::Sliding)
    rules.paramError("aggregateIncompleteWindows", Diag::err_window_incomplete);
  if (!window->limit)
    rules.paramError("aggregateEvictedPartitions", Diag::err_window_evicted);
  else if (window->kind == Window::Sliding)
    rules.paramError("aggregateEvictedPartitions", Diag::warn_evicted_sliding);
}
