//===- Entries.h - what operators save, one by one ----------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <string_view>

namespace sluice {

/// What a Saver takes (sluice/saved.h). The numbers are part of the format.
enum class EntryKind : uint32_t { Number = 0, Text = 1, Value = 2 };

struct Entry {
  EntryKind kind = EntryKind::Number;
  std::string_view name;
  std::string_view bytes; // of a value: its type, and the value behind it
};

/// Takes the next entry from the front of what a Saver wrote. False: there is none, or what is
/// there is none.
bool nextEntry(std::string_view &from, Entry &);

} // namespace sluice
