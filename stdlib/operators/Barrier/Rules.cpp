//===- Rules.cpp - rules of spl.utility::Barrier --------------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::barrierRules(OperatorRules &rules) { rules.checkEach("partitionBy"); }
