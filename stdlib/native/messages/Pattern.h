//===- Pattern.h - messages with places for arguments -----------*- C++ -*-===//
//
// The patterns are those of ICU's MessageFormat: `{0}` is the first argument, `{0,number,integer}`
// an argument with a format. `''` is an apostrophe; one before a brace begins text that is taken as
// it is, up to the next one. All others stand for themselves.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace sluice::messages {

/// A text, or a number.
using Argument = std::variant<std::string_view, int64_t, uint64_t, double>;

/// Appends the message with its arguments to `to`, numbers as ICU writes them in the locale. An
/// argument that there is not stays as its number in braces. Returns what is wrong; empty: nothing.
std::string putMessage(std::string &to, std::string_view pattern, std::span<const Argument>,
                       const std::string &locale);

} // namespace sluice::messages
