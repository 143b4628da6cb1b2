//===- threads.h - threads that an operator has of its own ------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"

namespace sluice {

/// By a thread that is not inside of the operator: ends the program because of it, with this error.
extern "C" void sl_fail_outside(Ctx *, const OperatorDesc *, const char *message);

} // namespace sluice
