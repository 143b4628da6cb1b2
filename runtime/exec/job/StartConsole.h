//===- StartConsole.h - the console beside a program ------------*- C++ -*-===//
#pragma once
#include <string>

namespace sluice {

struct RunOptions;

/// Starts `sluice-console`, which shows this job as --console and --metrics say, and says on
/// standard error where. It ends by itself, behind the job. Empty, or why there is none.
std::string startConsole(const RunOptions &);

} // namespace sluice
