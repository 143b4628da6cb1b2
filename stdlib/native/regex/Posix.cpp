//===- Posix.cpp - patterns, compiled for the locale ----------------------===//
#include "stdlib/native/regex/Posix.h"
#include "value/Text.h"
#include "value/Utf8.h"
#include <algorithm>
#include <cwchar>
#include <langinfo.h>
#include <locale.h>

using namespace sluice;
using namespace sluice::posix;

namespace {

/// The locale that the environment names, in these categories; C.UTF-8 if this system does not have
/// it; null if it has neither.
locale_t makeLocale(int categories) {
  locale_t named = newlocale(categories, "", nullptr);
  return named ? named : newlocale(categories, "C.UTF-8", nullptr);
}
/// Says what characters are, and that ranges are of code points.
locale_t characters() {
  static const locale_t made = makeLocale(LC_CTYPE_MASK);
  return made;
}
/// Says the order of characters, too.
locale_t collation() {
  static const locale_t made = makeLocale(LC_CTYPE_MASK | LC_COLLATE_MASK);
  return made;
}

/// The locale of this thread, for a while.
struct LocaleScope {
  locale_t before;
  explicit LocaleScope(locale_t locale) : before(uselocale(locale)) {}
  ~LocaleScope() { uselocale(before); }
};

} // namespace

bool posix::isAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return int8_t(c) > 0; });
}

bool posix::isUtf8(std::string_view text) {
  static const bool isLocale =
      characters() && std::string_view(nl_langinfo_l(CODESET, characters())) == "UTF-8";
  const char *p = text.data(), *end = p + text.size();
  for (uint32_t code; isLocale && p < end;) {
    unsigned n = int8_t(*p) > 0 ? 1 : decodeUtf8(p, end, code);
    if (!n || !*p)
      return false;
    p += n;
  }
  return isLocale;
}

size_t posix::characterAt(const char *text, size_t at, size_t end) {
  LocaleScope scope(characters());
  mbstate_t state{};
  size_t n = mbrlen(text + at, end - at, &state);
  return n == 0 || n > end - at ? 1 : n; // NUL, or none of the locale's
}

Pattern::Compiled::Compiled(const std::string &text)
    : error(regcomp(&regex, text.c_str(), REG_EXTENDED)) {}

Pattern::Compiled::~Compiled() {
  if (!error)
    regfree(&regex);
}

bool Pattern::Compiled::match(const char *text, size_t from, size_t to,
                              std::vector<regmatch_t> &found) const {
  found[0] = {0, regoff_t(to - from)};
  if (regexec(&regex, text + from, found.size(), found.data(), REG_STARTEND))
    return false;
  for (regmatch_t &g : found)
    if (g.rm_so >= 0) {
      g.rm_so += regoff_t(from);
      g.rm_eo += regoff_t(from);
    }
  return true;
}

Pattern::Pattern(const std::string &text) {
  for (locale_t candidate : {characters(), collation()}) {
    locale = candidate;
    LocaleScope scope(locale);
    inLocale = std::make_unique<Compiled>(text);
    if (inLocale->error != REG_ECOLLATE) // a range beyond ASCII needs an order
      break;
  }
  if (!inLocale->error && isAscii(text))
    asBytes = std::make_unique<Compiled>(text);
}

int32_t Pattern::fails(Ctx *ctx, const std::string &text) const {
  if (!inLocale->error)
    return 0;
  char why[200];
  regerror(inLocale->error, &inLocale->regex, why, sizeof why);
  return sl_error(ctx, "bad regular expression '%.100s': %s", text.c_str(), why);
}

bool Pattern::match(const char *text, bool ascii, size_t from, size_t to,
                    std::vector<regmatch_t> &found) const {
  if (ascii && asBytes)
    return asBytes->match(text, from, to, found);
  LocaleScope scope(locale);
  return inLocale->match(text, from, to, found);
}
