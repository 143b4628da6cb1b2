//===- Counted.h - containers whose memory counts ---------------*- C++ -*-===//
//
// For what may grow with the input: the containers of C++ with memory that is taken as that of
// heaps and arenas is, so that it counts for the limit of the program (--memory-limit).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "memory/Memory.h"
#include <memory>
#include <string>
#include <vector>

namespace sluice {

template <typename T> struct CountedAllocator {
  using value_type = T;
  CountedAllocator() = default;
  template <typename U> CountedAllocator(const CountedAllocator<U> &) {}
  T *allocate(size_t count) { return static_cast<T *>(takeMemory(count * sizeof(T), alignof(T))); }
  void deallocate(T *p, size_t) { giveMemory(p); }
  bool operator==(const CountedAllocator &) const = default;
};

using CountedString = std::basic_string<char, std::char_traits<char>, CountedAllocator<char>>;
template <typename T> using CountedVector = std::vector<T, CountedAllocator<T>>;

/// Owns memory of takeMemory().
struct GivesMemory {
  void operator()(void *p) const { giveMemory(p); }
};
using CountedBytes = std::unique_ptr<char, GivesMemory>;

} // namespace sluice
