//===- PatternRules.cpp - warnings about patterns that are constants ------===//
//
// What Perl, Java and Python read in a pattern, and a POSIX extended expression does not. The C
// library knows \w, \s and \b, too, so these mean the same here, but not in `[...]`: there `\` is a
// byte as any other, and `]` comes first if it is meant. What is no pattern at all is reported in
// the words of the C library, as at run time.
//
//===----------------------------------------------------------------------===//
#include "frontend/diagnostics/Diagnostics.h"
#include "frontend/sema/typed/Expr.h"
#include "stdlib/rules/Rules.h"
#include "stdlib/rules/perl/PerlPattern.h"
#include "llvm/ADT/StringExtras.h"
#include <regex.h>

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

namespace {
enum Where { Anywhere, Outside, Inside }; // of `[...]`
struct Perl {
  StringRef text;
  Where where;
  const char *meaning, *instead;
};
} // namespace

static const Perl perl[] = {
    {"\\d", Anywhere, "a digit", "[0-9]"},
    {"\\D", Anywhere, "no digit", "[^0-9]"},
    {"\\t", Anywhere, "a tab", "[[:blank:]]"},
    {"(?:", Outside, "a group without a number", "("},
    {"(?P<", Outside, "a group with a name", "("},
    {"(?<", Outside, "a group with a name, or a look behind", "("},
    {"(?i)", Outside, "letters in any case", "[aA] for each letter, or match lower(text)"},
    {"(?=", Outside, "a look ahead", "a group, and take another one of the result"},
    {"*?", Outside, "as little as fits", "[^x]*, with the byte that ends it for x"},
    {"+?", Outside, "as little as fits", "[^x]+, with the byte that ends it for x"},
    {"\\]", Inside, "a `]` among the bytes in brackets", "[]x] or [^]x], with the `]` first"},
    {"\\w", Inside, "a letter, digit or _ among the bytes in brackets", "[[:alnum:]_]"},
    {"\\s", Inside, "a blank among the bytes in brackets", "[[:space:]]"},
    {"\\S", Inside, "no blank among the bytes in brackets", "[^[:space:]]"},
};

/// Whether the `\\]` at the start of `rest`, in brackets, is followed by a `]` that ends them: else
/// the first one does, behind a `\\` that is meant.
static bool endsLater(StringRef rest) {
  size_t bracket = rest.find_first_of("[]", 2);
  return bracket != StringRef::npos && rest[bracket] == ']';
}

/// What comes first in the pattern; null if nothing does.
static const Perl *firstOfPerl(StringRef pattern) {
  bool inBrackets = false;
  for (size_t at = 0; at < pattern.size(); ++at) {
    StringRef rest = pattern.drop_front(at);
    for (const Perl &known : perl)
      if (rest.starts_with(known.text) && known.where != (inBrackets ? Outside : Inside) &&
          (known.text != "\\]" || endsLater(rest)))
        return &known;
    if (rest[0] == '\\' && (!inBrackets || rest.starts_with("\\\\")))
      ++at; // the next byte stands for itself
    else if (!inBrackets && rest[0] == '[')
      inBrackets = true;
    else if (rest[0] == ']')
      inBrackets = false;
  }
  return nullptr;
}

/// Why the C library does not take the pattern; empty if it does, or if that depends on the locale
/// that the program will run in.
static std::string whyNoPattern(const std::string &pattern) {
  if (!llvm::isASCII(pattern))
    return "";
  regex_t compiled;
  int error = regcomp(&compiled, pattern.c_str(), REG_EXTENDED);
  if (!error) {
    regfree(&compiled);
    return "";
  }
  char why[200];
  regerror(error, &compiled, why, sizeof why);
  return why;
}

void sema::pattern(Diagnostics &diags, const typed::NativeCallExpr &call) {
  pattern(diags, *call.args[1]);
}

void sema::pattern(Diagnostics &diags, const typed::Expr &value) {
  auto *text = llvm::dyn_cast<typed::ConstExpr>(&value);
  if (!text)
    return;
  if (const Perl *found = firstOfPerl(text->text()))
    diags.report(text->range, Diag::warn_pattern, found->text, found->meaning, found->instead);
  else if (std::string why = whyNoPattern(text->text().str()); !why.empty())
    diags.report(text->range, Diag::warn_bad_pattern, text->text(), why);
}

void sema::perlPattern(Diagnostics &diags, const typed::NativeCallExpr &call) {
  auto *text = llvm::dyn_cast<typed::ConstExpr>(call.args[1].get());
  if (!text)
    return;
  if (std::string why = whyNoPerlPattern(text->text().str()); !why.empty())
    diags.report(text->range, Diag::warn_bad_pattern, text->text(), why);
}
