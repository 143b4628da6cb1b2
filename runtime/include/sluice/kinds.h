//===- kinds.h - the kinds of SPL types as numbers --------------*- C++ -*-===//
//
// What Kinds.def says, for code of every part: nothing here depends on the runtime.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>

namespace sluice {

/// The kinds that programs may use. The numbers are part of the ABI: TypeDesc::kind.
enum class Kind : uint32_t {
#define SPL_KIND(name, ...) name,
#define SPL_KIND_LATER(...)
#include "sluice/Kinds.def"
};

/// How the values of a kind lie in memory, and who owns what they point to.
enum class Storage : uint8_t {
  Scalar,   // one machine value, passed in a register; memcpy copies it
  Plain,    // a struct without pointers; memcpy copies it
  Text,     // a Str: bytes inline, or in a buffer that a place owns
  Sequence, // a Seq: elements in a buffer that a place owns
  Parts     // the values of its parts, one after the other, each with its own storage
};

/// The type classes of the language, as prototypes of library functions name them. All types of
/// values are members of `All`; the last ones are unions.
namespace type_class {
enum TypeClass : uint32_t {
  Integral = 1 << 0,
  Signed = 1 << 1, // of integers only
  Float = 1 << 2,
  Decimal = 1 << 3,
  Complex = 1 << 4,
  String = 1 << 5,
  Ordered = 1 << 6,
  Enum = 1 << 7,
  Xml = 1 << 8,
  List = 1 << 9,
  Set = 1 << 10,
  Map = 1 << 11,
  Optional = 1 << 12,
  Tuple = 1 << 13,
  All = 1 << 14,
  FloatingPoint = Float | Decimal,
  Numeric = Integral | Float | Decimal | Complex,
  Primitive = Ordered | Complex | Xml,
  Collection = List | Set | Map,
  Composite = Collection | Optional | Tuple
};
} // namespace type_class

/// One line of Kinds.def.
struct KindInfo {
  const char *keyword, *code;
  uint32_t size, align;
  Storage storage;
  uint32_t classes; // bits of TypeClass
  bool runs;        // whether programs may use it
};

/// The line of each kind, by the name of its enumerator: BooleanInfo, Int8Info, ...
namespace kind_info {
using namespace type_class;
#define SPL_KIND(name, keyword, token, code, type, size, align, storage, classes)                  \
  inline constexpr KindInfo name##Info = {keyword,         code, size, align, Storage::storage,    \
                                          (classes) | All, true};
#define SPL_KIND_LATER(name, keyword, token, code, type, size, align, storage, classes)            \
  inline constexpr KindInfo name##Info = {keyword,         code, size, align, Storage::storage,    \
                                          (classes) | All, false};
#include "sluice/Kinds.def"
} // namespace kind_info

/// Facts about a kind. Folds where the kind is a constant.
constexpr KindInfo infoOf(Kind kind) {
  switch (kind) {
#define SPL_KIND(name, ...)                                                                        \
  case Kind::name:                                                                                 \
    return kind_info::name##Info;
#define SPL_KIND_LATER(...)
#include "sluice/Kinds.def"
  }
  __builtin_unreachable();
}
constexpr Storage storageOf(Kind kind) { return infoOf(kind).storage; }
/// Whether the kind is a member of one of these classes.
constexpr bool isIn(Kind kind, uint32_t classes) { return infoOf(kind).classes & classes; }

} // namespace sluice
