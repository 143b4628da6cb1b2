//===- ClockKind.h - which time a program sees -------------------*- C++ -*-===//
#pragma once
#include <cstdint>

namespace sluice {

/// What --clock says.
enum class ClockKind : uint8_t {
  Real,
  Virtual, // time stands still while anything runs, and jumps to the next wake-up
  Jumping  // the same, but the wall clock jumps at each look (for tests)
};

} // namespace sluice
