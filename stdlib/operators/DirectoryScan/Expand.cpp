//===- Expand.cpp - the parts of spl.adapter::DirectoryScan ---------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace sluice;

llvm::LogicalResult sluice::expandDirectoryScan(stream::OperatorOp op) { return moveOutput(op); }
