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
/// `512M`: above 0. KiB, MiB, GiB and K, M, G go by 1024; KB, MB, GB, TB by 1000; none: bytes.
std::optional<uint64_t> parseBytes(std::string_view);
/// `4GB/s`, in bytes/s; `/s` may be missing.
std::optional<uint64_t> parseRate(std::string_view);

} // namespace sluice
