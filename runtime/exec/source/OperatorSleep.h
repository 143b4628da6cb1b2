//===- OperatorSleep.h - an operator sleeps ---------------------*- C++ -*-===//
#pragma once
#include "runtime/exec/source/Wait.h"
#include "runtime/remote/frame/Schema.h"
#include "runtime/remote/link/Link.h"
#include "runtime/remote/link/Patience.h"
#include "runtime/remote/peer/Peers.h"
#include "sluice/native.h"

namespace sluice {

/// Lets others run while the operator's thread sleeps.
class OperatorSleep : public remote::Sleeper {
public:
  explicit OperatorSleep(const NativeOp &op) : op(op) {}
  void beginSleep() override { wait.begin(*op.ctx->thread); }
  void endSleep() override { wait.end(*op.ctx->thread); }

private:
  const NativeOp &op;
  OutsideWait wait;
};

} // namespace sluice
