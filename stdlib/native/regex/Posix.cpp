//===- Posix.cpp - patterns, compiled for the locale ----------------------===//
#include "stdlib/native/regex/Posix.h"
#include "value/Text.h"
#include <algorithm>
#include <cwchar>
#include <locale.h>

using namespace sluice;
using namespace sluice::posix;

namespace {

/// Characters as the environment says; as UTF-8 if this system does not have that locale; null if
/// it has neither.
locale_t environment() {
  static const locale_t found = [] {
    locale_t named = newlocale(LC_CTYPE_MASK, "", nullptr);
    return named ? named : newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  }();
  return found;
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

size_t posix::characterAt(const char *text, size_t at, size_t end) {
  LocaleScope scope(environment());
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
  {
    LocaleScope scope(environment());
    inLocale = std::make_unique<Compiled>(text);
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
  LocaleScope scope(environment());
  return inLocale->match(text, from, to, found);
}
