//===- Timer.h - the timer --------------------------------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"

namespace sluice {

/// The timer. A slow source would keep rows back: at each tick the limit of each batch that holds
/// rows becomes 1, so that the next row forwards it. While every thread is parked there are no such
/// batches, and the timer sleeps.
void tickUntil(Program &, os::Event &end);

} // namespace sluice
