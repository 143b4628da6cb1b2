//===- PolicyHelp.h - what --help says of policies ---------------*- C++ -*-===//
#pragma once
#include <string>

namespace sluice {

/// The policies, one in each line, and the constants of `policy`. By runtime/adapt, which knows
/// them.
std::string policyHelp(const std::string &policy);

} // namespace sluice
