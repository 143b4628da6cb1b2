//===- Words.h - numbers in sentences ---------------------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice {

/// What follows a noun behind a number: nothing after one, else an `s`.
constexpr const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

/// `1 tuple`, `2 tuples`.
inline std::string counted(uint64_t count, const char *what) {
  return std::to_string(count) + " " + what + plural(count);
}

/// The text of a file for a message: bytes that are no text as \xNN.
std::string printable(std::string_view text);

} // namespace sluice
