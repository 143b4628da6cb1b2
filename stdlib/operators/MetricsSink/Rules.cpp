//===- Rules.cpp - rules of spl.adapter::MetricsSink ----------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::metricsSinkRules(OperatorRules &rules) {
  size_t count = rules.op.param("metrics")->values.size();
  for (const char *name : {"names", "descriptions", "initialValues"})
    if (const typed::Parameter *p = rules.op.param(name); p && p->values.size() != count)
      rules.paramError(name, Diag::err_param_count, p->values.size(), "metrics", count);
}
