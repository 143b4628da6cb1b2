//===- Digits.h - digits of many fields to numbers --------------*- C++ -*-===//
#pragma once
#include <cstdint>

namespace sluice {

/// Up to eight bytes of each of some fields. A byte is what it is without that of '0', so digits
/// are 0 to 9; bytes that are not of the field are 0.
struct Words {
  static constexpr uint32_t kMost = 64;
  uint64_t word[kMost];
  /// The highest bit of the byte behind the field, if that is in the word. Of decimals.
  uint64_t behind[kMost];
  uint64_t bad[kMost]; // 0: the field was read
  double value[kMost]; // of decimals
};

/// Fields of digits become their numbers; the last digit is in the last byte. `count` of them, and
/// what lies up to the next multiple of 8. Returns 0 if all were read.
uint64_t readDigits(Words &, uint32_t count);
/// The same of digits that may have one point among them, and whose first is in the first byte:
/// value[i] is the number.
uint64_t readDecimals(Words &, uint32_t count);

} // namespace sluice
