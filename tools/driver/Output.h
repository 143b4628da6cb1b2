//===- Output.h - where commands write ------------------------------*- C++ -*-===//
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace sluice::driver {

/// Reports what went wrong. Returns the exit code of the driver.
int fail(llvm::Error);

/// Writes what `print` prints to a file, or to standard output if `path` is "" or "-". `print` may
/// move about in what it has printed, whatever the output is. Returns the exit code.
int writeOutput(llvm::StringRef path,
                llvm::function_ref<llvm::Error(llvm::raw_pwrite_stream &)> print);

/// At the end of a command with exit code `code`: reports that standard output could not be written
/// completely. Returns the exit code of the driver.
int finishOutput(int code);

} // namespace sluice::driver
