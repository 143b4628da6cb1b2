//===- TypeImage.h - types as bytes -----------------------------*- C++ -*-===//
#pragma once
#include "sluice/value.h"
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// A type as bytes: two types are the same, members' and attributes' names included, if their bytes
/// are. Layouts are the same on all processors.
void saveType(std::vector<char> &to, const TypeDesc *);
std::string typeImage(const TypeDesc *);

/// A type that was read.
class SavedType {
public:
  /// Reads one from the front of the bytes. False: they do not hold a type.
  bool read(std::string_view &from);
  const TypeDesc *desc() const { return root; }

private:
  const TypeDesc *read(std::string_view &from, unsigned depth);
  bool readParts(std::string_view &from, TypeDesc &, unsigned depth);
  std::optional<const char *> name(std::string_view &from);

  const TypeDesc *root = nullptr;
  std::deque<TypeDesc> types;
  std::deque<std::vector<Field>> fields;
  std::deque<std::vector<const char *>> members;
  std::deque<std::string> names;
};

/// A type as SPL spells it.
std::string typeText(const TypeDesc *);

} // namespace sluice
