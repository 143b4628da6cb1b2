//===- columns.h - where the columns of a batch begin -----------*- C++ -*-===//
#pragma once
#include <cstdint>

namespace sluice {

/// Columns begin at multiples of it, one behind the other, the first behind the header.
constexpr uint32_t kColumnAlign = 64; // bytes

} // namespace sluice
