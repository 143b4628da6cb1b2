//===- PatternRules.cpp - warnings about patterns that are constants ------===//
//
// What Perl, Java and Python read in a pattern, and a POSIX extended expression does not. The C
// library knows \w, \s and \b, too, so these mean the same here.
//
//===----------------------------------------------------------------------===//
#include "frontend/diagnostics/Diagnostics.h"
#include "frontend/sema/typed/Expr.h"
#include "stdlib/rules/Rules.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

namespace {
struct Perl {
  StringRef text;
  const char *meaning, *instead;
};
} // namespace

static const Perl perl[] = {
    {"\\d", "a digit", "[0-9]"},
    {"\\D", "no digit", "[^0-9]"},
    {"\\t", "a tab", "[[:blank:]]"},
    {"(?:", "a group without a number", "("},
    {"*?", "as little as fits", "[^x]*, with the byte that ends it for x"},
    {"+?", "as little as fits", "[^x]+, with the byte that ends it for x"},
};

/// What comes first in the pattern at `from`, outside of `[...]`; null if nothing does.
static const Perl *firstOfPerl(StringRef pattern) {
  bool inBrackets = false;
  for (size_t at = 0; at < pattern.size(); ++at) {
    StringRef rest = pattern.drop_front(at);
    for (const Perl &known : perl)
      if (rest.starts_with(known.text) && (!inBrackets || known.text[0] == '\\'))
        return &known;
    if (!inBrackets && rest[0] == '\\')
      ++at; // the next byte stands for itself
    else if (!inBrackets && rest[0] == '[')
      inBrackets = true;
    else if (rest[0] == ']')
      inBrackets = false;
  }
  return nullptr;
}

void sema::pattern(Diagnostics &diags, const typed::NativeCallExpr &call) {
  auto *text = llvm::dyn_cast<typed::ConstExpr>(call.args[1].get());
  if (const Perl *found = text ? firstOfPerl(text->text()) : nullptr)
    diags.report(text->range, Diag::warn_pattern, found->text, found->meaning, found->instead);
}
