//===- CrashReport.h - what a crash of the compiler leaves behind -*- C++ -*-===//
//
// A crash is a bug of ours: it ends with exit code 70 and a folder that holds
// the sources that were read and a script that compiles them again. All text is
// prepared beforehand, so that the handler of a signal only writes files.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/diagnostics/Diagnostics.h"
#include "tools/driver/DriverOptions.h"

namespace sluice::driver {

/// The exit code for a bug of ours.
constexpr int kInternalError = 70;

/// From here on faults, aborts and fatal errors of LLVM end the process with
/// kInternalError and a report on a compilation with these options. Files below
/// `stdlibDir` are not part of it. Does nothing in builds with a sanitizer.
void catchCrashes(const DriverOptions &options, const std::string &executable,
                  const std::string &stdlibDir);

/// Where the compiler is: "parsing". The text must live as long as the process.
void setCrashStep(const char *step);
/// Whose files a report holds. Null: what the last ones had read up to now.
void setCrashSources(const Diagnostics *sources);

/// Reports what is wrong without having crashed; returns kInternalError.
int internalError(llvm::StringRef what);

} // namespace sluice::driver
