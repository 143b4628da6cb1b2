//===- Reader.h - JSON to values --------------------------------*- C++ -*-===//
//
// simdjson finds the tokens of a text (its API on demand), and a plan says what becomes of them.
// What no attribute takes is checked all the same: a text is taken as a whole or not at all.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "memory/Arena.h"
#include "toolkits/json/native/Plan.h"

namespace sluice::json {

/// Why a text was not taken.
struct Problem {
  std::string what;
  size_t offset = 0;  // in bytes
  std::string member; // the attribute that was not taken, or empty
  /// With the beginning of the text.
  std::string message(std::string_view text) const;
};

/// Reads a text into `value`, which is valid before. Behind it, what the text does not say is as it
/// was; the others lie in the text or in the arena. False: `problem` says why, and `value` has no
/// meaning.
bool read(std::string_view text, const Plan &, Reading, Arena &, void *value, Problem &problem);

} // namespace sluice::json
