//===- BadTexts.h - what becomes of texts that are no JSON ------*- C++ -*-===//
#pragma once
#include <cstdint>

namespace sluice::json {

/// An argument of what JSONToTuple becomes (native/Functions.cpp).
enum class BadTexts : uint8_t {
  Fail,
  Submitted, // at the second output port
  LeftOut,   // and counted; the first one is shown
};

} // namespace sluice::json
