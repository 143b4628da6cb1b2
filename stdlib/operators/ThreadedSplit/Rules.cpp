//===- Rules.cpp - rules of spl.utility::ThreadedSplit ------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::threadedSplitRules(OperatorRules &rules) {
  const typed::Parameter *size = rules.op.param("bufferSize");
  if (size && !llvm::isa<typed::ConstExpr>(*size->values.front()))
    rules.notYet(size->range,
                 "parameter `bufferSize` of `" + rules.op.kind + "` that is no constant");
}
