//===- Held.h - batches and tuples that wait at a held port ------*- C++ -*-===//
#pragma once
#include "runtime/exec/state/HeldPort.h"

namespace sluice {

/// The port may block no more: wakes the sources that wait for it.
void wakeSenders(const HeldPort &);
/// A batch is about to be pushed to the port (HeldPort::underWay).
inline void beginUnderWay(HeldPort &port) { ++port.underWay; }
/// It has run.
inline void endUnderWay(HeldPort &port) {
  --port.underWay;
  wakeSenders(port);
}

} // namespace sluice
