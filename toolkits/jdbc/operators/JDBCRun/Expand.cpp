//===- Expand.cpp - the control port of com.ibm.streamsx.jdbc::JDBCRun ----===//
#include "passes/expand/OperatorExpansion.h"

using namespace sluice;

llvm::LogicalResult sluice::expandJDBCRun(stream::OperatorOp op) { return detachInput(op, 1); }
