//===- TypeImage.cpp - types as bytes --------------------------------------===//
#include "runtime/exec/saved/TypeImage.h"
#include "value/Value.h"
#include <algorithm>
#include <cstring>

namespace sluice {

static constexpr unsigned kDeepest = 100; // types within types

//===--- writing --------------------------------------------------------------===//

static void put(std::vector<char> &to, uint32_t number) {
  const char *bytes = reinterpret_cast<const char *>(&number);
  to.insert(to.end(), bytes, bytes + sizeof number);
}

static void put(std::vector<char> &to, std::string_view text) {
  put(to, uint32_t(text.size()));
  to.insert(to.end(), text.begin(), text.end());
}

/// What a type has beside its numbers, as bits.
static uint32_t partsIn(const TypeDesc &type) {
  return uint32_t(type.elem != nullptr) | uint32_t(type.value != nullptr) << 1 |
         uint32_t(type.fields != nullptr) << 2 | uint32_t(type.names != nullptr) << 3;
}

void saveType(std::vector<char> &to, const TypeDesc *type) {
  for (uint32_t number : {uint32_t(type->kind), type->size, type->align, type->plain, type->stride,
                          type->valueOffset, type->count, type->bound})
    put(to, number);
  put(to, partsIn(*type));
  if (type->elem)
    saveType(to, type->elem);
  if (type->value)
    saveType(to, type->value);
  for (uint32_t i = 0; type->fields && i < type->count; ++i) {
    put(to, type->fields[i].name ? std::string_view(type->fields[i].name) : std::string_view());
    put(to, type->fields[i].offset);
    saveType(to, type->fields[i].type);
  }
  for (uint32_t i = 0; type->names && i < type->count; ++i)
    put(to, std::string_view(type->names[i]));
}

std::string typeImage(const TypeDesc *type) {
  std::vector<char> bytes;
  saveType(bytes, type);
  return {bytes.data(), bytes.size()};
}

//===--- reading --------------------------------------------------------------===//

static bool get(std::string_view &from, uint32_t &number) {
  if (from.size() < sizeof number)
    return false;
  memcpy(&number, from.data(), sizeof number);
  from.remove_prefix(sizeof number);
  return true;
}

std::optional<const char *> SavedType::name(std::string_view &from) {
  uint32_t size;
  if (!get(from, size) || size > from.size() || from.substr(0, size).find('\0') != from.npos)
    return std::nullopt;
  const char *text = names.emplace_back(from.substr(0, size)).c_str();
  from.remove_prefix(size);
  return text;
}

bool SavedType::readParts(std::string_view &from, TypeDesc &type, unsigned depth) {
  auto &list = fields.emplace_back();
  for (uint32_t i = 0; i < type.count; ++i) {
    std::optional<const char *> called = name(from);
    Field field = {};
    if (!called || !get(from, field.offset))
      return false;
    field.name = *called;
    field.type = read(from, depth + 1);
    if (!field.type)
      return false;
    list.push_back(field);
  }
  type.fields = list.data();
  return true;
}

/// Whether the fields lie where the compiler puts them, one after the other.
static bool isLaidOut(const TypeDesc &type) {
  uint32_t at = 0, align = 1, plain = 1;
  for (uint32_t i = 0; i < type.count; ++i) {
    const Field &field = type.fields[i];
    at = alignTo(at, field.type->align);
    if (field.offset != at)
      return false;
    at += field.type->size;
    align = std::max(align, field.type->align);
    plain &= field.type->plain;
  }
  return type.size == alignTo(at, align) && type.align == align && type.plain == plain;
}

static bool isCollection(const TypeDesc &type) {
  if (!type.elem || !type.elem->size || !type.value != (type.kind != Kind::Map))
    return false;
  TypeDesc wanted = type.value ? mapOf(type.elem, type.value) : listOf(type.elem);
  return type.stride == wanted.stride && type.valueOffset == wanted.valueOffset && !type.plain;
}

/// What its kind asks of a type that comes from outside.
static bool isWhole(const TypeDesc &type) {
  Storage storage = storageOf(type.kind);
  if (!type.names != (type.kind != Kind::Enum) || !type.elem != (storage != Storage::Sequence))
    return false;
  if (storage == Storage::Parts)
    return (type.fields || !type.count) && (type.kind != Kind::Optional || type.count == 2) &&
           isLaidOut(type);
  const KindInfo info = infoOf(type.kind);
  if (type.size != info.size || type.align != info.align || type.fields)
    return false;
  if (storage == Storage::Sequence)
    return isCollection(type);
  return !type.value && type.plain == (storage != Storage::Text);
}

static bool isKind(uint32_t number) {
  switch (Kind(number)) {
#define SPL_KIND(name, ...) case Kind::name:
#define SPL_KIND_LATER(...)
#include "sluice/Kinds.def"
    return true;
  }
  return false;
}

const TypeDesc *SavedType::read(std::string_view &from, unsigned depth) {
  TypeDesc &type = types.emplace_back();
  uint32_t kind, has;
  if (depth > kDeepest || !get(from, kind) || !isKind(kind) || !get(from, type.size) ||
      !get(from, type.align) || !get(from, type.plain) || !get(from, type.stride) ||
      !get(from, type.valueOffset) || !get(from, type.count) || !get(from, type.bound) ||
      !get(from, has) || type.count > from.size())
    return nullptr;
  type.kind = Kind(kind);
  if ((has & 1) && !(type.elem = read(from, depth + 1)))
    return nullptr;
  if ((has & 2) && !(type.value = read(from, depth + 1)))
    return nullptr;
  if ((has & 4) && !readParts(from, type, depth))
    return nullptr;
  if (has & 8) {
    auto &list = members.emplace_back();
    for (uint32_t i = 0; i < type.count; ++i) {
      std::optional<const char *> member = name(from);
      if (!member)
        return nullptr;
      list.push_back(*member);
    }
    type.names = list.data();
  }
  return has == partsIn(type) && isWhole(type) ? &type : nullptr;
}

bool SavedType::read(std::string_view &from) { return (root = read(from, 0)); }

//===--- as text --------------------------------------------------------------===//

static std::string tupleText(const TypeDesc *type) {
  std::string text = "tuple<";
  for (uint32_t i = 0; i < type->count; ++i)
    text += (i ? ", " : "") + typeText(type->fields[i].type) + " " + type->fields[i].name;
  return text + ">";
}

static std::string enumText(const TypeDesc *type) {
  std::string text = "enum{";
  for (uint32_t i = 0; i < type->count; ++i)
    text += std::string(i ? ", " : "") + type->names[i];
  return text + "}";
}

std::string typeText(const TypeDesc *type) {
  std::string name = infoOf(type->kind).keyword;
  std::string bound = type->bound ? "[" + std::to_string(type->bound) + "]" : "";
  if (type->kind == Kind::Tuple)
    return tupleText(type);
  if (type->kind == Kind::Enum)
    return enumText(type);
  if (type->kind == Kind::Optional)
    return name + "<" + typeText(type->fields[1].type) + ">";
  if (type->kind == Kind::Map)
    return name + "<" + typeText(type->elem) + ", " + typeText(type->value) + ">" + bound;
  return name + (type->elem ? "<" + typeText(type->elem) + ">" : "") + bound;
}

} // namespace sluice
