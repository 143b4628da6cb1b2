//===- FileName.h - the names of files that a sink writes -------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice {

/// The name that a template stands for: {id} is the number of the file, from 0; {localtime:F} and
/// {gmtime:F} are the time, written by the format F of strftime(3). Other braces stay as they are.
std::string fileName(std::string_view pattern, uint64_t id, int64_t seconds);
/// Whether it has the number in it; the time.
bool hasNumber(std::string_view pattern);
bool hasTime(std::string_view pattern);

} // namespace sluice
