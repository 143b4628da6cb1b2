//===- Token.h - the file of a job's secret ---------------------*- C++ -*-===//
#pragma once
#include <array>
#include <cstdint>
#include <string>

namespace sluice {

using Token = std::array<uint8_t, 32>;

/// 64 hexadecimal digits in a file that only the user may read. Empty, or what is wrong.
std::string readTokenFile(const std::string &path, Token &);
/// Makes one, unless there is one that can be read.
std::string makeTokenFile(const std::string &path, const Token &);

} // namespace sluice
