//===- Saved.cpp - what operators save, as bytes ---------------------------===//
//
// An entry is its kind, the length of its name, the number of bytes behind the name, the name, and
// those bytes: a number of 8 bytes, a text, or a type (TypeImage.h) and a value (SavedValue.h).
//
//===----------------------------------------------------------------------===//
#include "sluice/saved.h"
#include "runtime/exec/saved/Entries.h"
#include "runtime/exec/saved/SavedValue.h"
#include "runtime/exec/saved/TypeImage.h"
#include <cstring>

namespace sluice {

namespace {
struct EntryHeader {
  EntryKind kind;
  uint32_t nameBytes;
  uint64_t bytes;
};
static_assert(sizeof(EntryHeader) == 16);
} // namespace

//===--- writing --------------------------------------------------------------===//

size_t beginEntry(std::vector<char> &to, EntryKind kind, std::string_view name) {
  size_t at = to.size();
  EntryHeader header{kind, uint32_t(name.size()), 0};
  auto *bytes = reinterpret_cast<const char *>(&header);
  to.insert(to.end(), bytes, bytes + sizeof header);
  to.insert(to.end(), name.begin(), name.end());
  return at;
}

void endEntry(std::vector<char> &to, size_t at, std::string_view name) {
  uint64_t bytes = to.size() - at - sizeof(EntryHeader) - name.size();
  memcpy(to.data() + at + offsetof(EntryHeader, bytes), &bytes, sizeof bytes);
}

void Saver::number(std::string_view name, int64_t number) {
  size_t at = beginEntry(to, EntryKind::Number, name);
  auto *bytes = reinterpret_cast<const char *>(&number);
  to.insert(to.end(), bytes, bytes + sizeof number);
  endEntry(to, at, name);
}

void Saver::text(std::string_view name, std::string_view text) {
  size_t at = beginEntry(to, EntryKind::Text, name);
  to.insert(to.end(), text.begin(), text.end());
  endEntry(to, at, name);
}

void Saver::value(std::string_view name, const TypeDesc *type, const void *value) {
  size_t at = beginEntry(to, EntryKind::Value, name);
  saveType(to, type);
  saveValue(to, type, value);
  endEntry(to, at, name);
}

void Saver::tables(std::string_view name, const TypeDesc *type,
                   const std::vector<const Seq *> &tables) {
  size_t at = beginEntry(to, EntryKind::Value, name);
  saveType(to, type);
  saveTables(to, type, tables);
  endEntry(to, at, name);
}

//===--- reading --------------------------------------------------------------===//

bool nextEntry(std::string_view &from, Entry &entry) {
  EntryHeader header;
  if (from.size() < sizeof header)
    return false;
  memcpy(&header, from.data(), sizeof header);
  from.remove_prefix(sizeof header);
  if (header.nameBytes > from.size() || header.bytes > from.size() - header.nameBytes)
    return false;
  entry = {header.kind, from.substr(0, header.nameBytes),
           from.substr(header.nameBytes, header.bytes)};
  from.remove_prefix(header.nameBytes + header.bytes);
  return true;
}

static std::optional<std::string_view> find(std::string_view bytes, EntryKind kind,
                                            std::string_view name) {
  for (Entry entry; nextEntry(bytes, entry);)
    if (entry.kind == kind && entry.name == name)
      return entry.bytes;
  return std::nullopt;
}

static std::optional<int64_t> numberOf(std::string_view bytes) {
  int64_t number;
  if (bytes.size() != sizeof number)
    return std::nullopt;
  memcpy(&number, bytes.data(), sizeof number);
  return number;
}

std::optional<int64_t> Loader::number(std::string_view name) const {
  auto found = find(bytes, EntryKind::Number, name);
  return found ? numberOf(*found) : std::nullopt;
}

void Loader::numbers(std::string_view prefix,
                     const std::function<void(std::string_view, int64_t)> &take) const {
  std::string_view from = bytes;
  for (Entry entry; nextEntry(from, entry);)
    if (entry.kind == EntryKind::Number && entry.name.starts_with(prefix))
      if (std::optional<int64_t> number = numberOf(entry.bytes))
        take(entry.name.substr(prefix.size()), *number);
}

std::optional<std::string_view> Loader::text(std::string_view name) const {
  return find(bytes, EntryKind::Text, name);
}

std::optional<std::string> Loader::typeOf(std::string_view name) const {
  auto found = find(bytes, EntryKind::Value, name);
  SavedType type;
  if (!found)
    return std::nullopt;
  return type.read(*found) ? typeText(type.desc()) : std::string();
}

bool Loader::value(std::string_view name, Heap *heap, const TypeDesc *type, void *place) const {
  auto found = find(bytes, EntryKind::Value, name);
  std::string image = typeImage(type);
  if (!found || !found->starts_with(image))
    return false;
  SavedBytes from{found->data() + image.size(), found->data() + found->size()};
  return restoreValue(heap, from, type, place) && from.size() == 0;
}

} // namespace sluice
