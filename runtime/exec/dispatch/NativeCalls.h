//===- NativeCalls.h - calls of operators written in C++ --------*- C++ -*-===//
#pragma once
#include "runtime/exec/ending/Still.h"
#include "runtime/exec/state/Position.h"
#include "runtime/exec/state/Program.h"
#include "runtime/memory/Memory.h"
#include "sluice/abi.h"
#include "sluice/native.h"
#include <exception>
#include <new>

namespace sluice {

/// Runs the process of a native source. The result is that of a handler: see settle().
int32_t runNative(Thread &, uint32_t native);
/// Submits final punctuation on every output port of a native operator, once. 0, or -1: the
/// program is failing.
int32_t closeOutputs(Thread &, uint32_t native);
/// Calls `call(NativeOp &)` on this thread; an exception becomes an error of the operator.
template <typename Call> int32_t guarded(Thread &t, uint32_t native, Call call) {
  Program &p = t.program;
  if (__builtin_expect(t.trouble.still.load(std::memory_order_relaxed), 0)) // a hint
    stayIfEnded();
  p.natives.list[native]->ctx = &t.ctx; // one thread at a time is inside an operator
  const At<InNative> outer(t);          // for isAtOwnWork()
  t.at.native = {native, uint32_t(p.natives.list[native]->made), t.at.depth};
  int32_t result;
  try {
    result = call(*p.natives.list[native]);
  } catch (const std::bad_alloc &) {
    outOfMemory(0);
  } catch (const std::exception &e) {
    result = sl_error(&t.ctx, "%s", e.what());
  } catch (...) {
    result = sl_error(&t.ctx, "an unknown exception");
  }
  return result;
}

} // namespace sluice
