//===- Locale.h - the languages of messages ---------------------*- C++ -*-===//
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sluice::messages {

/// The locale of the process: what LC_ALL, LC_MESSAGES or LANG says, the first of them that is not
/// empty; else C.
std::string ownLocale();

/// ICU's names of a locale and of what it falls back to: "de_AT.UTF-8" is de_AT, then de. C and
/// POSIX are en_US_POSIX. At least one.
std::vector<std::string> fallbacksOf(std::string_view locale);

} // namespace sluice::messages
