//===- Foreign.cpp - names of other languages, and what SPL has instead ----===//
//
// Hints behind errors about unknown names. Words that are syntax errors are in
// syntax/antlr/ForeignWords.cpp.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/expr/Checker.h"
#include "llvm/ADT/StringSwitch.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;
using Words = llvm::StringSwitch<StringRef>;

StringRef sema::foreignType(StringRef name) {
  return Words(name)
      .Cases({"int", "integer", "Integer", "INT", "int32_t", "i32"}, "`int32`")
      .Cases({"long", "Long", "bigint", "BIGINT", "int64_t", "i64"}, "`int64`")
      .Cases({"short", "int16_t", "i16"}, "`int16`")
      .Cases({"float", "double", "real", "Double", "Float", "number", "f64"}, "`float64`")
      .Cases({"string", "String", "str", "text", "varchar", "VARCHAR", "char"}, "`rstring`")
      .Cases({"bool", "Boolean", "BOOLEAN", "Bool"}, "`boolean`")
      .Cases({"uint", "unsigned", "uint32_t", "u32"}, "`uint32`")
      .Cases({"size_t", "uint64_t", "u64"}, "`uint64`")
      .Cases({"byte", "uint8_t", "u8"}, "`uint8`")
      .Cases({"date", "time", "datetime", "Date", "DateTime", "Instant"}, "`timestamp`")
      .Cases({"vector", "array", "Array", "List", "ArrayList"}, "`list<int32>`")
      .Cases({"dict", "Map", "HashMap", "unordered_map", "object"}, "`map<rstring, int32>`")
      .Cases({"Set", "HashSet"}, "`set<int32>`")
      .Cases({"let", "auto", "val", "dim"}, "a type first: `int32 x = 1;`")
      .Case("const", "no `const`: what is not `mutable` cannot be changed")
      .Default("");
}

StringRef sema::foreignFunction(StringRef name) {
  return Words(name)
      .Cases({"printf", "puts", "echo", "cout", "log_info"}, "`println(value)`")
      .Cases({"len", "count", "sizeof"}, "`length(text)` and `size(collection)`")
      .Cases({"not"}, "`!`")
      .Cases({"str", "to_string", "toString", "String", "string"}, "a cast: `(rstring) value`")
      .Cases({"int", "toInt", "parseInt", "Integer", "atoi"}, "a cast: `(int32) value`")
      .Cases({"float", "double", "toFloat", "parseFloat", "atof"}, "a cast: `(float64) value`")
      .Cases({"append", "push", "push_back", "add", "emplace_back"}, "`appendM(list, value)`")
      .Cases({"substr", "slice", "mid"}, "`substring(text, start, length)` or `text[low:high]`")
      .Cases({"indexOf", "index", "find", "strpos", "instr"}, "`findFirst(text, part)`")
      .Cases({"contains", "includes"}, "`item in collection`, or `findFirst(text, part) >= 0`")
      .Cases({"split", "explode"}, "`tokenize(text, delimiters, keepEmpty)`")
      .Cases({"now", "time", "today", "current_timestamp", "getTime"}, "`getTimestamp()`")
      .Cases({"rand", "randint"}, "`random()`")
      .Cases({"strip", "chomp"}, "`trim(text, \" \")`")
      .Cases({"toUpper", "toUpperCase", "ucase"}, "`upper(text)`")
      .Cases({"toLower", "toLowerCase", "lcase"}, "`lower(text)`")
      .Cases({"exit", "panic", "die"}, "`abort()`")
      .Default("");
}

StringRef sema::foreignName(StringRef name) {
  return Words(name)
      .Cases({"True", "TRUE", "yes"}, "`true`")
      .Cases({"False", "FALSE", "no"}, "`false`")
      .Cases({"None", "NULL", "nil", "nullptr", "undefined"}, "`null`")
      .Cases({"this", "self", "it"}, "the name of the input stream for its current tuple")
      .Default("");
}
