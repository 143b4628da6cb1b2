//===- Stopping.h - how long work may go on ---------------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"

namespace sluice {

struct Thread;

/// True if the program was told to stop so long ago that this thread is to drop its work.
bool overdue(Thread &);

} // namespace sluice
