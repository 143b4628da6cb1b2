//===- Methods.cpp - what SPL writes for methods of other languages --------===//
//
// A method is known by the kind of the value before the dot, its name and the number of arguments.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/expr/Checker.h"
#include "llvm/Support/FormatVariadic.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

namespace {
struct Method {
  std::vector<SplType::Kind> kinds;
  std::vector<StringRef> names;
  unsigned args;
  const char *instead; // {0} is the value, {1}... the arguments
};
} // namespace

static const std::vector<Method> &methods() {
  using T = SplType;
  static const std::vector<Method> table = {
      {{T::List, T::Blob},
       {"add", "append", "push", "push_back", "addLast"},
       1,
       "appendM({0}, {1})"},
      {{T::List}, {"extend", "addAll"}, 1, "concatM({0}, {1})"},
      {{T::List}, {"pop", "pop_back", "removeLast"}, 0, "removeM({0}, size({0}) - 1)"},
      {{T::Set}, {"add", "insert"}, 1, "insertM({0}, {1})"},
      {{T::List, T::Map}, {"put", "set", "insert"}, 2, "{0}[{1}] = {2}"},
      {{T::List, T::Map, T::Blob}, {"get", "at"}, 1, "{0}[{1}]"},
      {{T::List, T::Set, T::Map, T::Blob}, {"size", "length", "count", "len"}, 0, "size({0})"},
      {{T::List, T::Set, T::Map, T::Blob}, {"isEmpty", "empty"}, 0, "size({0}) == 0"},
      {{T::List, T::Set, T::Map}, {"contains", "includes", "containsKey"}, 1, "{1} in {0}"},
      {{T::List, T::Set, T::Map}, {"remove", "erase", "delete"}, 1, "removeM({0}, {1})"},
      {{T::List, T::Set, T::Map, T::Blob}, {"clear"}, 0, "clearM({0})"},
      {{T::RString, T::UString}, {"length", "size", "len", "count"}, 0, "length({0})"},
      {{T::RString, T::UString}, {"isEmpty", "empty"}, 0, "length({0}) == 0"},
      {{T::RString, T::UString}, {"contains", "includes"}, 1, "findFirst({0}, {1}) >= 0"},
      {{T::RString, T::UString},
       {"startsWith", "starts_with", "startswith"},
       1,
       "findFirst({0}, {1}) == 0"},
      {{T::List, T::RString, T::UString}, {"indexOf", "find", "index"}, 1, "findFirst({0}, {1})"},
      {{T::RString, T::UString}, {"toUpperCase", "toUpper", "upper"}, 0, "upper({0})"},
      {{T::RString, T::UString}, {"toLowerCase", "toLower", "lower"}, 0, "lower({0})"},
      {{T::RString}, {"trim", "strip"}, 0, "trim({0}, \" \")"},
      {{T::UString}, {"trim", "strip"}, 0, "trim({0}, \" \"u)"},
      {{T::RString, T::UString}, {"substr", "substring"}, 1, "{0}[{1}:]"},
      {{T::RString, T::UString}, {"substr", "substring"}, 2, "substring({0}, {1}, {2})"},
      {{T::RString, T::UString}, {"split"}, 1, "tokenize({0}, {1}, true)"},
      {{T::RString, T::UString}, {"charAt", "at"}, 1, "{0}[{1}]"},
  };
  return table;
}

std::string sema::foreignMethod(Type base, StringRef name, StringRef baseText,
                                llvm::ArrayRef<StringRef> args) {
  for (const Method &method : methods())
    if (method.args == args.size() && llvm::is_contained(method.kinds, base->kind) &&
        llvm::is_contained(method.names, name))
      return llvm::formatv(/*Validate=*/false, method.instead, baseText,
                           args.empty() ? "" : args[0], args.size() < 2 ? "" : args[1]);
  if (name == "equals" && args.size() == 1)
    return (baseText + " == " + args[0]).str();
  if (name == "toString" && args.empty())
    return ("(rstring) " + baseText).str();
  return "";
}
