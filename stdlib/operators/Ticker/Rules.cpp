//===- Rules.cpp - rules of sluice.lang::Ticker ----------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::tickerRules(OperatorRules &rules) {
  const auto &attributes = rules.outputType(0)->attributes;
  if (attributes.size() != 1 || attributes.front().second->kind != SplType::Int64)
    rules.error(Diag::err_port_one_int64, "output");
}
