//===- ForeignStatements.h - words that begin statements elsewhere -*- C++ -*-===//
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <string>

namespace sluice {

/// What SPL has instead of what begins with `word` in other languages, a statement or a
/// declaration; empty if that is not known. Letters may be large or small. `${fail}` stands for
/// what the toolkit calls its function that fails (modules/Hints.h).
inline llvm::StringRef foreignStatement(llvm::StringRef word) {
  return llvm::StringSwitch<llvm::StringRef>(word.lower())
      .Case("unless", "write `if (!condition)`")
      .Case("then", "write `if (condition) statement`")
      .Cases({"elif", "elsif", "elseif"}, "write `else if (condition)`")
      .Case("otherwise", "write `else`")
      .Cases({"switch", "case"}, "write `if (...) ... else if (...) ...`")
      .Cases({"do", "until"}, "write `while (condition) { ... }`")
      .Case("loop", "write `while (true) { ... }`")
      .Case("foreach", "write `for (TYPE name in collection)`")
      .Cases({"try", "catch"}, "an operator that goes on after a failure has `@catch` before it")
      .Cases({"throw", "raise"}, "write `${fail}(condition, \"message\")`")
      .Cases({"yield", "emit"}, "write `submit(tuple, Port);`")
      .Case("var", "a declaration begins with a type: `mutable int32 x = 1;`")
      .Cases({"static", "global"}, "what lasts is declared in `logic state : mutable int32 x = 0;`")
      .Cases({"function", "func", "fun", "fn", "def"},
             "a function begins with the type of its result: `int32 f(int32 x) { ... }`")
      .Cases({"import", "include", "using"}, "write `use a.namespace::Name;`")
      .Cases({"package", "module"}, "write `namespace a.name;`")
      .Case("class", "write `composite Name { graph ... }` for operators, `type Name = int32 x;` "
                     "for data")
      .Cases({"struct", "record", "interface"}, "write `type Name = int32 x, rstring y;`")
      .Case("typedef", "write `type Name = int32;`")
      .Case("unsigned", "write `uint32`")
      .Case("long", "write `int64`")
      .Cases({"del", "delete", "unset"}, "write `${remove}(list, index)` or `${remove}(map, key)`")
      .Cases({"goto"}, "there are no jumps: write `if`, `while`, `break` and `return`")
      .Cases({"echo", "puts"}, "write `${print}(value);`")
      .Case("pass", "leave it out, or write `{}`")
      .Cases({"synchronized", "async", "await"}, "`config threadedPort` gives an operator a thread")
      .Default("");
}

/// The text with the names of what plays the roles in it: `${power}(x, y)` becomes `pow(x, y)`.
inline std::string withNames(llvm::StringRef text,
                             llvm::function_ref<std::string(llvm::StringRef role)> name) {
  auto [plain, rest] = text.split("${");
  if (plain.size() == text.size())
    return text.str();
  auto [role, behind] = rest.split('}');
  return plain.str() + name(role) + withNames(behind, name);
}

} // namespace sluice
