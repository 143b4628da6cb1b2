//===- Quantity.cpp - numbers, times and sizes of options -----------------===//
#include "runtime/base/Quantity.h"
#include <charconv>
#include <utility>

namespace sluice {

std::optional<double> parseNumber(std::string_view text) {
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::optional<double> parseSeconds(std::string_view text) {
  const std::pair<std::string_view, double> units[] = {{"ms", 1e-3}, {"us", 1e-6}, {"s", 1}};
  for (auto [unit, scale] : units)
    if (text.ends_with(unit))
      if (auto n = parseNumber(text.substr(0, text.size() - unit.size())); n && *n > 0)
        return *n * scale;
  return std::nullopt;
}

std::optional<uint64_t> parseBytes(std::string_view text) {
  constexpr double kKibi = 1024;
  const std::pair<std::string_view, double> units[] = {
      {"KiB", kKibi},
      {"MiB", kKibi * kKibi},
      {"GiB", kKibi * kKibi * kKibi},
      {"KB", 1e3},
      {"MB", 1e6},
      {"GB", 1e9},
      {"TB", 1e12},
      {"K", kKibi},
      {"M", kKibi * kKibi},
      {"G", kKibi * kKibi * kKibi},
      {"", 1},
  };
  for (auto [unit, scale] : units)
    if (text.ends_with(unit))
      if (auto n = parseNumber(text.substr(0, text.size() - unit.size()));
          n && *n > 0 && *n * scale >= 1 && *n * scale < 1e18)
        return uint64_t(*n * scale);
  return std::nullopt;
}

std::optional<uint64_t> parseRate(std::string_view text) {
  if (text.ends_with("/s"))
    text.remove_suffix(2);
  return parseBytes(text);
}

} // namespace sluice
