//===- foreign.h - code that is not ours ------------------------*- C++ -*-===//
//
// Threads run C++ of toolkits. If that crashes the message is about it.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace sluice::os {

/// Names what this thread runs that is no code of Sluice; null: nothing. Returns the name before.
/// A fault while there is one says so, and ends the process with exit code 1.
const char *exchangeForeign(const char *name);

} // namespace sluice::os
