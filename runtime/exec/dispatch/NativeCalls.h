//===- NativeCalls.h - calls of operators written in C++ --------*- C++ -*-===//
#pragma once
#include "runtime/exec/ending/Still.h"
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
/// While it lives the thread is in a call of the native operator; for isAtOwnWork().
class InNative {
public:
  InNative(Thread &t, uint32_t native, const NativeOp &op)
      : t(t), native(t.native), made(t.nativeMade), depth(t.nativeDepth) {
    t.native = native;
    t.nativeMade = uint32_t(op.made);
    t.nativeDepth = t.depth;
  }
  ~InNative() {
    t.native = native;
    t.nativeMade = made;
    t.nativeDepth = depth;
  }
  InNative(const InNative &) = delete;

private:
  Thread &t;
  const uint32_t native, made, depth; // of the one that it is in otherwise
};

/// Calls `call(NativeOp &)` on this thread; an exception becomes an error of the operator.
template <typename Call> int32_t guarded(Thread &t, uint32_t native, Call call) {
  Program &p = t.program;
  if (__builtin_expect(t.still.load(std::memory_order_relaxed), 0)) // a hint
    stayIfEnded();
  p.natives[native]->ctx = &t.ctx; // one thread at a time is inside an operator
  const InNative in(t, native, *p.natives[native]);
  int32_t result;
  try {
    result = call(*p.natives[native]);
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
