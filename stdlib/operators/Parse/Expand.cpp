//===- Expand.cpp - the parts of spl.utility::Parse -----------------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace sluice;

llvm::LogicalResult sluice::expandParse(stream::OperatorOp op) { return moveOutput(op); }
