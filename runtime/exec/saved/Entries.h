//===- Entries.h - what operators save, one by one ----------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace sluice {

/// What a Saver takes (sluice/saved.h). The numbers are part of the format. Blocks: a value of
/// which parts are in files of their own (files/BlockFile.h).
enum class EntryKind : uint32_t { Number = 0, Text = 1, Value = 2, Blocks = 3 };

struct Entry {
  EntryKind kind = EntryKind::Number;
  std::string_view name;
  std::string_view bytes; // of a value: its type, and the value behind it
};

/// Begins an entry, whose bytes are to be appended, and ends it. Returns where it begins.
size_t beginEntry(std::vector<char> &to, EntryKind, std::string_view name);
void endEntry(std::vector<char> &to, size_t begin, std::string_view name);

/// Takes the next entry from the front of what a Saver wrote. False: there is none, or what is
/// there is none.
bool nextEntry(std::string_view &from, Entry &);

} // namespace sluice
