//===- Listing.h - checkpoints as text --------------------------------*- C++ -*-===//
#pragma once
#include "runtime/exec/files/Manifest.h"
#include "runtime/exec/files/StateFile.h"
#include <string>
#include <vector>

namespace sluice::checkpoint {

/// A table with a line for each checkpoint.
std::string listText(const std::vector<Manifest> &);
/// The state of each operator, variable by variable, with its type and its value as SPL writes it.
std::string showText(const std::vector<Section> &);

} // namespace sluice::checkpoint
