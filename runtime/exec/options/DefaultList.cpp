//===- DefaultList.cpp - defaults of submission-time values ---------------===//
#include "runtime/exec/options/DefaultList.h"
#include "value/Text.h"

namespace sluice {

Seq defaultList(Arena *arena, std::string_view literal) {
  static const TypeDesc element = {.kind = Kind::RString, .size = sizeof(Str), .align = 8};
  TypeDesc type = listOf(&element);
  Seq list = {};
  const char *at = literal.data();
  parseValue(at, at + literal.size(), &type, &list, *arena, true);
  return list;
}

} // namespace sluice
