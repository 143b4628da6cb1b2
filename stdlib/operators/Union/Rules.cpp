//===- Rules.cpp - rules of spl.utility::Union ----------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::unionRules(OperatorRules &rules) {
  for (const auto &[attribute, type] : rules.outputType(0)->attributes)
    for (const PortView &port : rules.inputs)
      if (port.type->attribute(attribute) != type)
        rules.error(Diag::err_union_attribute, type->str(), attribute, port.name);
}
