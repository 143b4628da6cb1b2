//===- ForeignTypes.h - types of other languages, and SPL's -----*- C++ -*-===//
#pragma once
#include "llvm/ADT/StringSwitch.h"

namespace sluice {

/// What SPL has instead of what other languages call the type `name`; empty if that is not known.
inline llvm::StringRef foreignType(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Cases({"int", "integer", "Integer", "INT", "int32_t", "i32"}, "`int32`")
      .Cases({"long", "Long", "bigint", "BIGINT", "int64_t", "i64"}, "`int64`")
      .Cases({"short", "int16_t", "i16"}, "`int16`")
      .Cases({"float", "double", "real", "Double", "Float", "number", "f64"}, "`float64`")
      .Cases({"string", "String", "str", "text", "varchar", "VARCHAR", "char"}, "`rstring`")
      .Cases({"bool", "Boolean", "BOOLEAN", "Bool"}, "`boolean`")
      .Cases({"uint", "unsigned", "uint32_t", "u32"}, "`uint32`")
      .Cases({"size_t", "uint64_t", "u64"}, "`uint64`")
      .Cases({"byte", "uint8_t", "u8"}, "`uint8`")
      .Cases({"bytes", "Bytes", "bytearray", "binary", "ByteString"}, "`blob`")
      .Cases({"date", "time", "datetime", "Date", "DateTime", "Instant"}, "`timestamp`")
      .Cases({"vector", "array", "Array", "List", "ArrayList"}, "`list<int32>`")
      .Cases({"dict", "Map", "HashMap", "unordered_map", "object"}, "`map<rstring, int32>`")
      .Cases({"Set", "HashSet"}, "`set<int32>`")
      .Cases({"let", "auto", "val", "dim"}, "a type first: `int32 x = 1;`")
      .Case("const", "no `const`: what is not `mutable` cannot be changed")
      .Default("");
}

} // namespace sluice
