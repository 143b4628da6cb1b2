//===- Rules.cpp - rules of spl.utility::DynamicFilter ----------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::dynamicFilterRules(OperatorRules &rules) {
  for (llvm::StringRef name : {"addKey", "removeKey"})
    rules.sameTypes("key", name);
  if (rules.inputs.size() > 2 && !rules.has("removeKey"))
    rules.error(Diag::err_operator_param, "removeKey", rules.inputs[2].name);
}
