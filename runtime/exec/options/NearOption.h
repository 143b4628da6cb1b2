//===- NearOption.h - the option that a misspelt one means ------*- C++ -*-===//
#pragma once
#include <string_view>

namespace sluice {

/// The option of programs that differs from `name` in at most a fourth of its letters, and least of
/// all; null if there is none.
const char *nearOption(std::string_view name);

} // namespace sluice
