//===- Expand.cpp - the parts of spl.adapter::UDPSource -------------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace sluice;

llvm::LogicalResult sluice::expandUDPSource(stream::OperatorOp op) { return moveOutput(op); }
