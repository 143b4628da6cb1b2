//===- Expand.cpp - the control port of com.ibm.streamsx.kafka::KafkaConsumer ---===//
#include "passes/expand/OperatorExpansion.h"

using namespace sluice;

llvm::LogicalResult sluice::expandKafkaConsumer(stream::OperatorOp op) { return detachInput(op); }
