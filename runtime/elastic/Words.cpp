//===- Words.cpp - numbers in reasons --------------------------------------===//
#include "runtime/elastic/Words.h"
#include <charconv>
#include <cmath>

namespace sluice::elastic {

std::string rate(double rowsPerSecond) {
  static constexpr std::string_view units[] = {"", " k", " M", " G"};
  size_t unit = 0;
  while (rowsPerSecond >= 999.5 && unit < 3) {
    rowsPerSecond /= 1000;
    ++unit;
  }
  char text[400]; // of the largest double
  int decimals = rowsPerSecond >= 99.95 ? 0 : rowsPerSecond >= 9.995 ? 1 : 2;
  char *end =
      std::to_chars(text, text + sizeof text, rowsPerSecond, std::chars_format::fixed, decimals)
          .ptr;
  return std::string(text, end).append(units[unit]) + " rows/s";
}

static std::string with(std::string text, std::string_view joint, std::string_view what) {
  return what.empty() ? text : text.append(joint).append(what);
}

std::string compared(double now, double before, std::string_view what) {
  if (before <= 0)
    return with(now > 0 ? rate(now) + " instead of nothing" : "nothing", now > 0 ? " " : ", as ",
                what);
  double change = (now / before - 1) * 100;
  if (change >= 10000)
    return with(rate(now) + " instead of " + rate(before), " ", what);
  long whole = std::lround(change);
  if (whole == 0)
    return with("as much", " as ", what);
  return with(std::to_string(std::labs(whole)) + (whole > 0 ? " % more" : " % less"), " than ",
              what);
}

std::string percent(double share) { return std::to_string(std::lround(share * 100)) + " %"; }

std::string percentTenths(double share) {
  char text[400]; // of the largest double
  char *end = std::to_chars(text, text + sizeof text, 100 * share, std::chars_format::fixed, 1).ptr;
  return std::string(text, end) + " %";
}

std::string counted(uint32_t number, std::string_view thing) {
  return std::to_string(number).append(" ").append(thing) + (number == 1 ? "" : "s");
}

} // namespace sluice::elastic
