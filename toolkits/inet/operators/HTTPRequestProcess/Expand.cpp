//===- Expand.cpp - the answers of com.ibm.streamsx.inet.rest::HTTPRequestProcess ---===//
#include "passes/expand/OperatorExpansion.h"

using namespace sluice;

llvm::LogicalResult sluice::expandHTTPRequestProcess(stream::OperatorOp op) {
  return detachInput(op);
}
