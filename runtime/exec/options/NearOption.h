//===- NearOption.h - the option that a misspelt one means ------*- C++ -*-===//
#pragma once
#include <string_view>
#include <vector>

namespace sluice {

/// Of the names the one that differs from `name` in at most a fourth of its letters, and least of
/// all; null if there is none.
const std::string_view *nearName(std::string_view name, const std::vector<std::string_view> &names);
/// The same of the options of programs.
const char *nearOption(std::string_view name);

} // namespace sluice
