//===- Rules.cpp - rules of spl.utility::Delay --------------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::delayRules(OperatorRules &rules) { rules.checkSize("delay"); }
