//===- Rules.cpp - rules of spl.utility::Union ----------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::unionRules(OperatorRules &rules) {
  for (const auto &[attribute, type] : rules.outputType(0)->attributes) {
    auto lacksIt = [&](const PortView &port) { return port.type->attribute(attribute) != type; };
    auto port = llvm::find_if(rules.inputs, lacksIt);
    if (port != rules.inputs.end())
      rules.error(Diag::err_union_attribute, type->str(), attribute, port->name);
  }
}
