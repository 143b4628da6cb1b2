//===- Expand.cpp - the parts of com.ibm.streamsx.inet::InetSource --------===//
#include "passes/expand/OperatorExpansion.h"

using namespace sluice;

llvm::LogicalResult sluice::expandInetSource(stream::OperatorOp op) { return moveOutput(op); }
