//===- Rules.cpp - rules of spl.adapter::Import --------------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::importRules(OperatorRules &rules) {
  if (rules.has("streamId"))
    rules.paramError("subscription", Diag::err_params_exclude, "streamId");
  else if (!rules.has("subscription"))
    rules.error(Diag::err_import_nothing);
  if (!rules.has("streamId"))
    rules.paramError("applicationName", Diag::err_param_needs, "streamId");
}
