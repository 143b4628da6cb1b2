//===- Ticker.h - time as a stream ------------------------------*- C++ -*-===//
#pragma once
#include "ir/Stream.h"

namespace sluice::window {

/// Gives `op` one more input port: a source that submits a tuple each time that as many seconds
/// have passed as `seconds` yields at `index`. Returns the number of the port. `finely`: each
/// eighth of that time, and ten milliseconds. `part` tells the source apart.
unsigned addTicker(stream::OperatorOp op, mlir::Region &seconds, unsigned index,
                   llvm::StringRef part, bool finely = false);

/// The same, for a size of the window.
unsigned addTicker(stream::OperatorOp op, stream::WindowOp window, unsigned index,
                   bool finely = false);

} // namespace sluice::window
