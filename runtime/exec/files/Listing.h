//===- Listing.h - checkpoints as text --------------------------------*- C++ -*-===//
#pragma once
#include "runtime/exec/files/LogReader.h"
#include "runtime/exec/files/Manifest.h"
#include "runtime/exec/files/StateFile.h"
#include <string>
#include <vector>

namespace sluice::checkpoint {

/// A table with a line for each checkpoint.
std::string listText(const std::vector<Manifest> &);
/// A line that says what is in the log of a source.
std::string logText(const std::string &path, const LogSummary &);
/// The state of each operator, variable by variable, with its type and its value as SPL writes it.
std::string showText(const std::vector<Section> &);

} // namespace sluice::checkpoint
