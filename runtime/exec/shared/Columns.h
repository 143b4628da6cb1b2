//===- Columns.h - copying values of a column -------------------*- C++ -*-===//
#pragma once
#include "runtime/base/Inline.h"
#include <cstdint>
#include <type_traits>

namespace sluice {

/// Calls f(size) with the size of a value in bytes, as a constant where it is a common one.
template <class F> SLUICE_INLINE void withSize(uint32_t size, F &&f) {
  switch (size) {
  case 1:
    return f(std::integral_constant<uint32_t, 1>());
  case 4:
    return f(std::integral_constant<uint32_t, 4>());
  case 8:
    return f(std::integral_constant<uint32_t, 8>());
  case 16:
    return f(std::integral_constant<uint32_t, 16>());
  default:
    return f(size);
  }
}

} // namespace sluice
