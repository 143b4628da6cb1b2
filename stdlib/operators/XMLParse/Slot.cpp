//===- Slot.cpp - values that are made piece by piece ---------------------===//
#include "stdlib/operators/XMLParse/Slot.h"
#include "value/Table.h"
#include "value/Text.h"

namespace sluice::xml {

static bool isString(const TypeDesc *type) { return storageOf(type->kind) == Storage::Text; }

/// The value of a text, for bytes that are zero.
static bool parse(std::string_view text, const TypeDesc *type, void *to, Arena &arena) {
  return !parseAll(text.data(), text.data() + text.size(), type, to, arena);
}

Slot &Slot::part(uint32_t index) {
  if (index >= parts.size())
    parts.resize(index + 1);
  if (!parts[index] && type->kind == Kind::List)
    parts[index] = std::make_unique<Slot>(name, type->elem);
  else if (!parts[index])
    parts[index] = std::make_unique<Slot>(
        (name.empty() ? "" : name + ".") + type->fields[index].name, type->fields[index].type);
  return *parts[index];
}

void Slot::clear() {
  text.clear();
  entries.clear();
  count = 0;
  bool isScalar =
      storageOf(type->kind) == Storage::Scalar || storageOf(type->kind) == Storage::Plain;
  bytes.assign(isScalar ? type->size : 0, 0);
  for (const auto &part : parts)
    if (part)
      part->clear();
}

bool Slot::set(std::string_view value, Arena &arena) {
  if (isString(type)) {
    text = value;
    return true;
  }
  const TypeDesc *scalar = type->kind == Kind::List ? type->elem : type;
  alignas(16) char parsed[16] = {};
  if (!parse(value, scalar, parsed, arena))
    return false;
  if (type->kind != Kind::List) {
    memcpy(bytes.data(), parsed, type->size);
  } else if (!isFull()) {
    bytes.resize(bytes.size() + type->stride);
    memcpy(&*(bytes.end() - type->stride), parsed, scalar->size);
    ++count;
  }
  return true;
}

void Slot::setDefault() {
  if (type->kind != Kind::List)
    return clear();
  if (isFull())
    return;
  bytes.resize(bytes.size() + type->stride);
  ++count;
}

void Slot::setEntry(std::string_view key, std::string_view value) {
  for (const Entry &entry : entries)
    if (entry.first == key)
      return;
  entries.emplace_back(key, value);
}

void Slot::append(Arena &arena) {
  Slot &element = part(0);
  if (!isFull()) {
    std::vector<uint64_t> made(type->stride / 8 + 2); // aligned for any type
    element.put(made.data(), arena);
    auto *from = reinterpret_cast<const char *>(made.data());
    bytes.insert(bytes.end(), from, from + type->stride);
    ++count;
  }
  element.clear();
}

void Slot::put(void *to, Arena &arena) const {
  if (isString(type))
    parse(text, type, to, arena); // any text is a string
  else if (type->kind == Kind::List)
    putList(to, arena);
  else if (type->kind == Kind::Map)
    putMap(to, arena);
  else if (type->kind != Kind::Tuple)
    memcpy(to, bytes.data(), bytes.size());
  else
    for (uint32_t i = 0; i < parts.size(); ++i)
      if (parts[i])
        parts[i]->put(static_cast<char *>(to) + type->fields[i].offset, arena);
}

void Slot::putList(void *to, Arena &arena) const {
  if (!count)
    return;
  void *elements = arenaAlloc(&arena, bytes.size(), type->elem->align);
  memcpy(elements, bytes.data(), bytes.size());
  Seq list = {count, 0, elements};
  memcpy(to, &list, sizeof list);
}

void Slot::putMap(void *to, Arena &arena) const {
  if (entries.empty())
    return;
  Seq table;
  tableReserve(&arena, type, &table, uint32_t(entries.size()));
  for (const auto &[name, value] : entries) {
    if (type->bound && table.len >= type->bound)
      break;
    Str key = {}, text = {};
    bool added;
    parse(name, type->elem, &key, arena);
    parse(value, type->value, &text, arena);
    char *entry = elementAt(type, &table, tableAdd(type, &table, &key, &added));
    memcpy(entry + type->valueOffset, &text, sizeof text);
  }
  memcpy(to, &table, sizeof table);
}

} // namespace sluice::xml
