//===- Output.h - where commands write ------------------------------*- C++ -*-===//
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <system_error>

namespace sluice::driver {

constexpr int kUsage = 2; // the exit code where the command line is wrong

/// Reports what went wrong. Returns the exit code of the driver.
int fail(llvm::Error);
/// The same for a value of an option that the program or this machine has not.
int refuse(llvm::Error);

/// The error that something could not be written.
llvm::Error cannotWrite(const llvm::Twine &path, std::error_code);

/// Writes a file, or replaces what was in it.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef content);

/// Writes what `print` prints to a file, or to standard output if `path` is "" or "-". `print` may
/// move about in what it has printed, whatever the output is. Returns the exit code.
int writeOutput(llvm::StringRef path,
                llvm::function_ref<llvm::Error(llvm::raw_pwrite_stream &)> print);

/// At the end of a command with exit code `code`: reports that standard output could not be written
/// completely. Returns the exit code of the driver.
int finishOutput(int code);

} // namespace sluice::driver
