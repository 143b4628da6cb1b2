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

/// Gives a mutable argument its new value.
template <typename T> void assign(Ctx *ctx, typename Bridge<T>::Raw *place, const T &value) {
  typename Bridge<T>::Raw raw = Bridge<T>::out(ctx, value);
  sl_assign(ctx, Bridge<T>::desc(), place, &raw);
}

} // namespace sluice::native
