//===- function.h - what the calls of native functions need -----*- C++ -*-===//
//
// For the code that the compiler generates: a function of the ABI (abi.h) for each native function
// that a program calls. It makes objects of the arguments, calls, and makes a value of the result.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "SPL/Runtime.h"
#include "sluice/bridge.h"
#include <exception>

namespace sluice::native {

/// Calls `body`. What it throws becomes the failure of the operator that has called the function.
template <typename F> int32_t guarded(Ctx *ctx, const char *name, F body) {
  Current running(ctx, name);
  try {
    body();
    return 0;
  } catch (const std::exception &e) {
    return sl_error(ctx, "%s: %s", name, e.what());
  } catch (...) {
    return sl_error(ctx, "%s has thrown something that is no std::exception", name);
  }
}

/// A mutable argument. Its place gets the new value at the end of the call, also if that throws:
/// what was changed before a failure stays, as in a function of SPL.
template <typename T> class Mutable {
public:
  using Raw = typename Bridge<T>::Raw;
  Mutable(Ctx *ctx, Raw *place) : value(Bridge<T>::in(*place)), ctx(ctx), place(place) {}
  ~Mutable() {
    Raw raw = Bridge<T>::out(ctx, value);
    sl_assign(ctx, Bridge<T>::desc(), place, &raw);
  }
  Mutable(const Mutable &) = delete;
  T value;

private:
  Ctx *ctx;
  Raw *place;
};

} // namespace sluice::native
