//===- Progress.h - what takes so long ------------------------------*- C++ -*-===//
//
// A line on the terminal that says what the compiler does, once that has taken two seconds. It is
// erased before anything else is written. Without a terminal there is none. One for the process.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace sluice::driver {

/// Begins to count the time of work on `what`.
void startProgress(llvm::StringRef what);
/// What is done from now on. Ignored if no progress was started.
void showStep(const llvm::Twine &step);
/// Erases the line; it comes again if the work goes on.
void hideProgress();
/// Erases the line for good.
void endProgress();

} // namespace sluice::driver
