//===- TypeDifference.cpp - in what two types differ ----------------------===//
#include "frontend/sema/TypeDifference.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

static std::string quoted(StringRef text) { return ("`" + text + "`").str(); }

/// What stands in `have` under another name: a misspelt attribute of the same type.
static StringRef misspelt(StringRef name, Type type, Type have, Type want) {
  for (const auto &[other, otherType] : have->attributes)
    if (otherType == type && !want->attribute(other) && isNear(name, other))
      return other;
  return "";
}

static std::string otherOrder(Type have, Type want) {
  for (auto [i, attribute] : llvm::enumerate(want->attributes))
    if (have->attributes[i].first != attribute.first)
      return llvm::formatv("attribute {0} is {1} and not {2} (their order counts)", i + 1,
                           quoted(have->attributes[i].first), quoted(attribute.first));
  return "";
}

/// The attributes by which one tuple type differs from another; `prefix`: the way to them.
static void compare(Type have, Type want, const std::string &prefix,
                    std::vector<std::string> &result) {
  llvm::SmallVector<StringRef> taken;
  size_t before = result.size();
  for (const auto &[name, type] : want->attributes) {
    Type other = have->attribute(name);
    if (other && other->kind == SplType::Tuple && type->kind == SplType::Tuple && other != type) {
      compare(other, type, prefix + name + ".", result);
    } else if (other && other != type) {
      result.push_back(quoted(prefix + name) + " is " + quoted(other->str()) + " and not " +
                       quoted(type->str()));
    } else if (!other) {
      StringRef instead = misspelt(name, type, have, want);
      taken.push_back(instead);
      result.push_back(instead.empty() ? quoted(prefix + name) + " is missing"
                                       : "it has " + quoted(prefix + instead.str()) + " and not " +
                                             quoted(name));
    }
  }
  for (const auto &[name, type] : have->attributes)
    if (!want->attribute(name) && !llvm::is_contained(taken, name))
      result.push_back(quoted(prefix + name) + " is not wanted");
  if (result.size() == before)
    result.push_back(otherOrder(have, want));
}

bool sema::noteDifference(Diagnostics &diags, mlir::InFlightDiagnostic &error, Range range,
                          Type have, Type want) {
  while (
      have->kind == want->kind && have->kind != SplType::Tuple && !have->args.empty() &&
      have->args.size() == want->args.size() &&
      llvm::equal(llvm::ArrayRef(have->args).drop_back(), llvm::ArrayRef(want->args).drop_back()))
    have = have->args.back(), want = want->args.back();
  if (have->kind != SplType::Tuple || want->kind != SplType::Tuple || have == want)
    return false;
  constexpr size_t most = 3;
  std::vector<std::string> all;
  compare(have, want, "", all);
  if (size_t size = all.size(); size > most) {
    all.resize(most);
    all.push_back(llvm::formatv("and {0} more", size - most));
  }
  diags.note(error, range, Diag::note_types_differ, llvm::join(all, ", "));
  return true;
}
