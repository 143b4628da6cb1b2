//===- Rules.cpp - sluice.external::ExternalSort --------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::externalSortRules(OperatorRules &rules) {
  const typed::Parameter *keys = rules.op.param("key"), *order = rules.op.param("order");
  if (order && order->values.size() != 1 && order->values.size() != keys->values.size())
    rules.paramError("order", Diag::err_param_one_or_each, order->values.size(), "key",
                     keys->values.size());
}
