//===- InPlaceSort.h - radix sort without a second copy ---------*- C++ -*-===//
//
// Sorts by 64-bit words, from the highest byte on, and swaps elements into the parts of their bytes
// (American flag sort). It is not stable.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>

namespace sluice::external {

/// Below so many elements comparisons are quicker.
constexpr uint64_t kFewElements = 512;

/// `wordOf(element)`: its word. `less`: the whole order, in which words come first. `shift`: of the
/// byte to begin with; the bytes above it are equal.
template <typename T, typename WordOf, typename Less>
void sortInPlace(T *elements, uint64_t count, const WordOf &wordOf, const Less &less,
                 int shift = 56) {
  if (count < kFewElements || shift < 0)
    return std::sort(elements, elements + count, less);
  auto digit = [&](const T &element) { return uint8_t(wordOf(element) >> shift); };
  uint64_t next[256], end[256] = {};
  for (uint64_t i = 0; i < count; ++i)
    ++end[digit(elements[i])];
  for (uint64_t sum = 0, d = 0; d < 256; ++d) {
    next[d] = sum;
    sum = end[d] += sum;
  }
  for (unsigned d = 0; d < 256; ++d)
    while (next[d] < end[d]) {
      T element = elements[next[d]];
      for (unsigned to = digit(element); to != d; to = digit(element))
        std::swap(element, elements[next[to]++]);
      elements[next[d]++] = element;
    }
  for (uint64_t begin = 0, d = 0; d < 256; begin = end[d++])
    sortInPlace(elements + begin, end[d] - begin, wordOf, less, shift - 8);
}

} // namespace sluice::external
