//===- PerlPattern.h - whether Boost.Regex takes a pattern ------*- C++ -*-===//
//
// A library of its own: Boost.Regex throws, which the compiler does not. Its symbols are hidden, as
// native code that the compiler loads may use another release of Boost.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <string>

namespace sluice {

/// Why Boost.Regex does not take a pattern of Perl's syntax, in its words; empty if it does, or if
/// that depends on what characters are.
[[gnu::visibility("default")]] std::string whyNoPerlPattern(const std::string &pattern);

} // namespace sluice
