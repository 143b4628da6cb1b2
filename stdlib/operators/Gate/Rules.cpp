//===- Rules.cpp - rules of spl.utility::Gate --------------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::gateRules(OperatorRules &rules) {
  rules.checkSize("maxUnackedTupleCount", /*positive=*/true);
}
