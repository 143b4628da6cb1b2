//===- Types.h - descriptors and contexts for tests of values ---*- C++ -*-===//
#pragma once
#include "memory/Arena.h"
#include "memory/Heap.h"
#include "sluice/xml.h"
#include "value/Text.h"
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::test {

inline TypeDesc scalar(Kind kind) {
  KindInfo info = infoOf(kind);
  bool plain = info.storage == Storage::Scalar || info.storage == Storage::Plain;
  return {kind, info.size, info.align, plain, {}, {}, 0, 0, 0, 0, {}, {}};
}

inline const TypeDesc boolean = scalar(Kind::Boolean), int8 = scalar(Kind::Int8),
                      int16 = scalar(Kind::Int16), int32 = scalar(Kind::Int32),
                      int64 = scalar(Kind::Int64), uint8 = scalar(Kind::UInt8),
                      uint16 = scalar(Kind::UInt16), uint32 = scalar(Kind::UInt32),
                      uint64 = scalar(Kind::UInt64), float32 = scalar(Kind::Float32),
                      float64 = scalar(Kind::Float64), timestamp = scalar(Kind::Timestamp),
                      rstring = scalar(Kind::RString), ustring = scalar(Kind::UString),
                      blob = scalar(Kind::Blob), xml = scalar(Kind::Xml);

inline TypeDesc enumOf(const char *const *names, uint32_t count) {
  TypeDesc type = scalar(Kind::Enum);
  type.names = names;
  type.count = count;
  return type;
}

/// A tuple type laid out as the compiler does.
struct TupleType {
  std::vector<Field> fields;
  TypeDesc desc = {};
  TupleType(std::vector<std::pair<const char *, const TypeDesc *>> attributes) {
    uint32_t at = 0, align = 1;
    bool plain = true;
    for (auto [name, type] : attributes) {
      at = alignTo(at, type->align);
      fields.push_back({name, type, at, 0});
      at += type->size;
      align = std::max(align, type->align);
      plain &= type->plain != 0;
    }
    desc = {Kind::Tuple, alignTo(at, align),      align, plain,         {}, {}, 0,
            0,           uint32_t(fields.size()), 0,     fields.data(), {}};
  }
  operator const TypeDesc *() const { return &desc; }
};

/// An optional type laid out as the compiler does.
struct OptionalType {
  TupleType parts;
  TypeDesc desc = parts.desc;
  OptionalType(const TypeDesc *value) : parts({{"", &boolean}, {"", value}}) {
    desc = parts.desc;
    desc.kind = Kind::Optional;
  }
  operator const TypeDesc *() const { return &desc; }
};

/// What a thread and an instance give to the functions under test.
struct World {
  Arena arena = {};
  Ctx ctx = {};
  World() {
    ctx.scratch = &arena;
    ctx.heap = heapCreate();
  }
  ~World() {
    heapDestroy(ctx.heap);
    arenaFree(&arena);
  }
  operator Ctx *() { return &ctx; }

  /// A value parsed from its text; lies in scratch.
  void *value(const TypeDesc *type, std::string_view text) {
    void *v = arenaAlloc(&arena, type->size, 16);
    memset(v, 0, type->size);
    const char *p = text.data();
    return parseValue(p, p + text.size(), type, v, arena, true) ? nullptr : v;
  }
};

inline std::string text(const TypeDesc *type, const void *v, bool quote = true) {
  TextOut out;
  printValue(out, type, v, quote);
  return std::string(out.view());
}
/// Whether this machine has what checks XML documents. An emulated one need not.
inline bool checksXml() { return !xmlProblem("<a/>"); }

inline Str str(std::string_view s) { return strView(s.data(), s.size()); }

} // namespace sluice::test
