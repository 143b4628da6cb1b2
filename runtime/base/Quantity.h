//===- Quantity.h - numbers, times and sizes of options ---------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice {

/// All of the text, or nothing.
std::optional<double> parseNumber(std::string_view);
/// `5ms`, in seconds: us, ms or s; above 0.
std::optional<double> parseSeconds(std::string_view);
/// `512M`: K, M, G or bytes; above 0.
std::optional<uint64_t> parseBytes(std::string_view);

} // namespace sluice
