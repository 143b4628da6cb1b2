//===- Counted.h - who asks what its ports did ------------------*- C++ -*-===//
#pragma once
#include "ir/Stream.h"

namespace sluice {

/// Operators whose code may ask what came to and left their ports: nothing of that may be left out,
/// and their code counts it (codegen/segments/SegmentCode.cpp).
class Counted {
public:
  explicit Counted(mlir::ModuleOp);
  bool operator()(stream::OperatorOp) const;

private:
  // Which functions an operator calls is not looked at: few programs have functions that ask.
  bool functionsAsk;
};

} // namespace sluice
