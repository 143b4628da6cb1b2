//===- Rules.cpp - rules of spl.utility::Pair -----------------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::pairRules(OperatorRules &rules) {
  rules.checkEach("partitionBy");
  for (const PortView &port : rules.inputs.drop_front())
    if (port.type != rules.inputs.front().type)
      rules.reportType(port.range, port.type, rules.inputs.front().type,
                       Diag::err_input_types_differ, rules.op.kind, port.name, port.type->str(),
                       rules.inputs.front().name, rules.inputs.front().type->str());
}
