//===- Scalars.h - numbers and times of JSON --------------------*- C++ -*-===//
#pragma once
#include "sluice/value.h"
#include <string>
#include <string_view>

namespace sluice::json {

enum class NumberIs { Good, OutOfRange, None };

/// Reads a number that is written as JSON has them. What an integer type cannot hold of it, behind
/// the point, is cut off; a timestamp is seconds, with nine digits behind the point.
NumberIs readNumber(std::string_view text, Kind, void *to);

/// Says that a number does not fit.
std::string outOfRange(Kind);

} // namespace sluice::json
