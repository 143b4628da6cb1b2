//===- IcuRegex.cpp - regexMatch, regexReplace of ustrings ----------------===//
//
// Patterns and replacements are ICU's. Groups that take no part are empty.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/LastUsed.h"
#include "stdlib/native/Library.h"
#include "stdlib/native/unicode/Icu.h"
#include "stdlib/native/unicode/Utf16.h"
#include "value/Text.h"
#include <memory>
#include <string>

using namespace sluice;

namespace {

Str textOf(Ctx *ctx, std::u16string_view units) {
  char *start = scratchText(ctx, kBytesOfUnit * units.size());
  return strView(start, uint64_t(putUnits(start, units) - start));
}

struct Close {
  void operator()(IcuRegex *regex) const { icu()->uregex_close(regex); }
};
using Compiled = std::unique_ptr<IcuRegex, Close>;
/// How long a search may go on, in ICU's unit of 10,000 steps, and how many characters of the text
/// make it longer by one.
constexpr int32_t kTimeLimit = 5000, kCharactersOfUnit = 625;

/// "invalid range" for U_REGEX_INVALID_RANGE.
std::string inWords(std::string_view name) {
  for (std::string_view prefix : {"U_REGEX_", "U_"})
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      break;
    }
  std::string words;
  for (char c : name)
    words += c == '_' ? ' ' : char(c | 0x20);
  return words;
}

int32_t fails(Ctx *ctx, const char *what, const Str *text, IcuError error) {
  std::string_view shown = viewOf(*text).substr(0, 100);
  return sl_error(ctx, "%s '%.*s': %s", what, int(shown.size()), shown.data(),
                  inWords(icu()->u_errorName(error)).c_str());
}
int32_t failsSearch(Ctx *ctx, const Str *pattern, IcuError error) {
  constexpr IcuError stackOverflow = 0x10311, timeOut = 0x10312;
  bool isEndless = error == stackOverflow || error == timeOut;
  return fails(ctx,
               isEndless ? "the search takes too many steps for the regular expression"
                         : "bad regular expression",
               pattern, error);
}

/// Null after sl_error.
IcuRegex *compile(Ctx *ctx, const Str *pattern) {
  if (!icu()) {
    sl_error(ctx, "this regular expression %s", kNoIcu);
    return nullptr;
  }
  thread_local LastUsed<Compiled> kept;
  if (Compiled *known = kept.find(viewOf(*pattern)))
    return known->get();
  std::u16string units = unitsOf(viewOf(*pattern));
  alignas(8) char where[128]; // UParseError
  IcuError error = 0;
  Compiled regex(
      icu()->uregex_open(units.data(), int32_t(units.size()), /*flags=*/0, where, &error));
  if (error <= 0)
    return kept.add(viewOf(*pattern), std::move(regex))->get();
  fails(ctx, "bad regular expression", pattern, error);
  return nullptr;
}

/// A text that is searched.
struct Search {
  IcuRegex *regex;
  std::u16string text;
  IcuError error = 0;

  Search(IcuRegex *regex, std::u16string of) : regex(regex), text(std::move(of)) {
    int32_t size = int32_t(text.size());
    icu()->uregex_setText(regex, text.data(), size, &error);
    icu()->uregex_setTimeLimit(regex, kTimeLimit + size / kCharactersOfUnit, &error);
  }
  /// The regex outlives the text.
  ~Search() {
    IcuError ignored = 0;
    icu()->uregex_setText(regex, u"", 0, &ignored);
  }
  bool find() { return error <= 0 && icu()->uregex_find(regex, 0, &error) && error <= 0; }
  int32_t groups() { return icu()->uregex_groupCount(regex, &error); }
  std::u16string_view group(int32_t number) {
    int32_t from = icu()->uregex_start(regex, number, &error),
            to = icu()->uregex_end(regex, number, &error);
    return from < 0 ? std::u16string_view()
                    : std::u16string_view(text).substr(size_t(from), size_t(to - from));
  }
  /// The text with the first match, or with all, replaced.
  std::u16string replaced(const std::u16string &by, bool global) {
    auto *replace = global ? icu()->uregex_replaceAll : icu()->uregex_replaceFirst;
    std::u16string out;
    int32_t size = int32_t(text.size() + by.size());
    do {
      out.resize(size_t(size));
      error = 0;
      size = replace(regex, by.data(), int32_t(by.size()), out.data(), size, &error);
    } while (error == kIcuTooSmall);
    out.resize(size_t(size));
    return out;
  }
};

} // namespace

SL(regexMatch, uu)(Ctx *ctx, Seq *result, const Str *s, const Str *pattern) {
  IcuRegex *regex = compile(ctx, pattern);
  if (!regex)
    return 1;
  Search search(regex, unitsOf(viewOf(*s)));
  *result = {};
  if (search.find()) {
    int32_t groups = search.groups();
    *result = scratchList(ctx, uint64_t(groups) + 1, sizeof(Str));
    for (int32_t i = 0; i <= groups; ++i)
      listData<Str>(*result)[i] = textOf(ctx, search.group(i));
  }
  return search.error > 0 ? failsSearch(ctx, pattern, search.error) : 0;
}

SL(regexReplace, uuub)(Ctx *ctx, Str *result, const Str *s, const Str *pattern,
                       const Str *replacement, uint8_t global) {
  IcuRegex *regex = compile(ctx, pattern);
  if (!regex)
    return 1;
  Search search(regex, unitsOf(viewOf(*s)));
  if (!search.find()) {
    *result = *s;
    return search.error > 0 ? failsSearch(ctx, pattern, search.error) : 0;
  }
  std::u16string text = search.replaced(unitsOf(viewOf(*replacement)), global);
  constexpr IcuError noSuchGroup = 8, badName = 0x10315;
  if (search.error == noSuchGroup || search.error == badName)
    return fails(ctx, "bad replacement", replacement, search.error);
  if (search.error > 0)
    return failsSearch(ctx, pattern, search.error);
  *result = textOf(ctx, text);
  return 0;
}
