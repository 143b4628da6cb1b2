//===- Expand.cpp - the control port of com.ibm.streamsx.mqtt::MQTTSink ---===//
#include "passes/expand/OperatorExpansion.h"

using namespace sluice;

llvm::LogicalResult sluice::expandMQTTSink(stream::OperatorOp op) { return detachInput(op, 1); }
