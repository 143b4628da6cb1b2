//===- HiddenNames.h - names of attributes that --console-hides has -*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <string>
#include <vector>

namespace sluice {

/// Whether each of the names is that of an attribute, at any depth, of a stream into some operator.
/// Empty: it is; or what to say of one that is not.
std::string wrongHiddenName(const ProgramDesc &, const std::vector<std::string> &names);

} // namespace sluice
