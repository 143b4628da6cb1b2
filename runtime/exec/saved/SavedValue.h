//===- SavedValue.h - values as bytes -----------------------------*- C++ -*-===//
//
// Numbers as they lie in memory, little-endian. Text and collections begin with their length
// (uint32); entries of sets and maps are in their order, which is kept.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "memory/Heap.h"
#include "sluice/abi.h"
#include <vector>

namespace sluice {

/// Appends the bytes of a value.
void saveValue(std::vector<char> &to, const TypeDesc *, const void *value);

/// The same for entries of a set or map that lie together.
void saveEntries(std::vector<char> &to, const TypeDesc *, const char *entries, uint32_t count);

/// The same for a set or map whose entries are in several tables.
void saveTables(std::vector<char> &to, const TypeDesc *, const std::vector<const Seq *> &tables);

/// Bytes that are read from the front.
struct SavedBytes {
  const char *at, *end;
  size_t size() const { return size_t(end - at); }
};
/// Reads a value into a place that is zero. False: the bytes do not hold a value of the type. The
/// place then holds part of one, which is to be destroyed as any other.
bool restoreValue(Heap *, SavedBytes &from, const TypeDesc *, void *place);

} // namespace sluice
