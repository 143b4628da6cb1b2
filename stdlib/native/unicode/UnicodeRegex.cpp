//===- UnicodeRegex.cpp - regular expressions of ICU ----------------------===//
//
// Of ustrings, and of rstrings with the functions whose names end in Perl: there a byte stands for
// the character with its code, so that any bytes are found and kept. Compiled expressions are kept
// per thread, by their text. Groups that take no part are empty.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/Library.h"
#include "stdlib/native/unicode/Icu.h"
#include "value/Text.h"
#include "value/Utf8.h"
#include <memory>
#include <string>
#include <unordered_map>

using namespace sluice;

namespace {

enum class Form { Utf8, Bytes };

std::u16string unitsOf(Form form, const Str *s) {
  const char *p = s->data(), *end = p + s->len;
  std::u16string units;
  units.reserve(s->len);
  for (uint32_t code; p < end;) {
    if (form == Form::Bytes) {
      units += char16_t(uint8_t(*p++));
      continue;
    }
    unsigned n = decodeUtf8(p, end, code);
    p += n ? n : 1;
    if (code >= 0x10000) {
      units += char16_t(0xd800 + ((code - 0x10000) >> 10));
      code = 0xdc00 + ((code - 0x10000) & 0x3ff);
    }
    units += char16_t(code);
  }
  return units;
}

Str textOf(Ctx *ctx, Form form, std::u16string_view units) {
  char *start = scratchText(ctx, 3 * units.size()), *to = start;
  for (size_t i = 0; i < units.size(); ++i) {
    uint32_t code = units[i];
    if (form == Form::Bytes) {
      *to++ = char(code);
      continue;
    }
    bool isPair = code >= 0xd800 && code < 0xdc00 && i + 1 < units.size();
    if (isPair)
      code = 0x10000 + ((code - 0xd800) << 10) + (units[++i] - 0xdc00);
    to = putUtf8(to, code);
  }
  return strView(start, uint64_t(to - start));
}

struct Close {
  void operator()(IcuRegex *regex) const { icu()->uregex_close(regex); }
};
using Compiled = std::unique_ptr<IcuRegex, Close>;
constexpr size_t kKept = 64;

/// "invalid range" for U_REGEX_INVALID_RANGE.
std::string inWords(std::string_view name) {
  constexpr std::string_view prefix = "U_REGEX_";
  if (!name.starts_with(prefix))
    return std::string(name);
  std::string words;
  for (char c : name.substr(prefix.size()))
    words += c == '_' ? ' ' : char(c | 0x20);
  return words;
}

int32_t fails(Ctx *ctx, const Str *pattern, IcuError error) {
  std::string_view text = viewOf(*pattern);
  return sl_error(ctx, "bad regular expression '%.*s': %s", int(text.substr(0, 100).size()),
                  text.data(), inWords(icu()->u_errorName(error)).c_str());
}

/// Null after sl_error.
IcuRegex *compile(Ctx *ctx, Form form, const Str *pattern) {
  if (!icu()) {
    sl_error(ctx, "this regular expression %s", kNoIcu);
    return nullptr;
  }
  thread_local std::unordered_map<std::string, Compiled> kept[2];
  auto &known = kept[form == Form::Utf8];
  std::string key(viewOf(*pattern));
  if (auto it = known.find(key); it != known.end())
    return it->second.get();
  std::u16string units = unitsOf(form, pattern);
  alignas(8) char where[128]; // UParseError
  IcuError error = 0;
  Compiled regex(
      icu()->uregex_open(units.data(), int32_t(units.size()), /*flags=*/0, where, &error));
  if (error > 0) {
    fails(ctx, pattern, error);
    return nullptr;
  }
  if (known.size() == kKept)
    known.clear();
  return known.emplace(std::move(key), std::move(regex)).first->second.get();
}

/// A text that is searched.
struct Search {
  IcuRegex *regex;
  std::u16string text;
  IcuError error = 0;

  Search(IcuRegex *regex, std::u16string of) : regex(regex), text(std::move(of)) {
    icu()->uregex_setText(regex, text.data(), int32_t(text.size()), &error);
  }
  /// The regex outlives the text.
  ~Search() {
    IcuError ignored = 0;
    icu()->uregex_setText(regex, u"", 0, &ignored);
  }
  bool find() { return error <= 0 && icu()->uregex_find(regex, 0, &error) && error <= 0; }
  bool findNext() { return icu()->uregex_findNext(regex, &error) && error <= 0; }
  int32_t groups() { return icu()->uregex_groupCount(regex, &error); }
  size_t start() { return size_t(icu()->uregex_start(regex, 0, &error)); }
  size_t end() { return size_t(icu()->uregex_end(regex, 0, &error)); }
  std::u16string_view group(int32_t number) {
    int32_t from = icu()->uregex_start(regex, number, &error),
            to = icu()->uregex_end(regex, number, &error);
    return from < 0 ? std::u16string_view()
                    : std::u16string_view(text).substr(size_t(from), size_t(to - from));
  }
};

/// $1 stands for a group. `perl`: $& for the match and \1 for a group as well. Any other backslash
/// is left out.
void expand(std::u16string &out, std::u16string_view pattern, Search &search, bool perl) {
  for (size_t i = 0; i < pattern.size(); ++i) {
    char16_t c = pattern[i], next = i + 1 < pattern.size() ? pattern[i + 1] : u'\0';
    bool isDigit = next >= u'0' && next <= u'9';
    if (perl && c == u'$' && next == u'&') {
      out += search.group(0);
      ++i;
    } else if (isDigit && (c == u'$' || (perl && c == u'\\'))) {
      int32_t number = next - u'0';
      if (number <= search.groups())
        out += search.group(number);
      ++i;
    } else if (c == u'\\' && next) {
      out += next;
      ++i;
    } else {
      out += c;
    }
  }
}

int32_t match(Ctx *ctx, Form form, Seq *result, const Str *s, const Str *pattern) {
  IcuRegex *regex = compile(ctx, form, pattern);
  if (!regex)
    return 1;
  Search search(regex, unitsOf(form, s));
  *result = {};
  if (search.find()) {
    int32_t groups = search.groups();
    *result = scratchList(ctx, uint64_t(groups) + 1, sizeof(Str));
    for (int32_t i = 0; i <= groups; ++i)
      listData<Str>(*result)[i] = textOf(ctx, form, search.group(i));
  }
  return search.error > 0 ? fails(ctx, pattern, search.error) : 0;
}

int32_t replace(Ctx *ctx, Form form, bool perl, Str *result, const Str *s, const Str *pattern,
                const Str *replacement, bool global) {
  IcuRegex *regex = compile(ctx, form, pattern);
  if (!regex)
    return 1;
  Search search(regex, unitsOf(form, s));
  std::u16string by = unitsOf(form, replacement), out;
  size_t at = 0;
  for (bool found = search.find(); found; found = global && search.findNext()) {
    out.append(search.text, at, search.start() - at);
    expand(out, by, search, perl);
    at = search.end();
  }
  if (search.error > 0)
    return fails(ctx, pattern, search.error);
  out.append(search.text, at);
  *result = textOf(ctx, form, out);
  return 0;
}

} // namespace

SL(regexMatch, uu)(Ctx *ctx, Seq *result, const Str *s, const Str *pattern) {
  return match(ctx, Form::Utf8, result, s, pattern);
}
SL(regexMatchPerl, uu)(Ctx *ctx, Seq *result, const Str *s, const Str *pattern) {
  return match(ctx, Form::Utf8, result, s, pattern);
}
SL(regexMatchPerl, rr)(Ctx *ctx, Seq *result, const Str *s, const Str *pattern) {
  return match(ctx, Form::Bytes, result, s, pattern);
}
SL(regexReplace, uuub)(Ctx *ctx, Str *result, const Str *s, const Str *pattern,
                       const Str *replacement, uint8_t global) {
  return replace(ctx, Form::Utf8, false, result, s, pattern, replacement, global);
}
SL(regexReplacePerl, uuub)(Ctx *ctx, Str *result, const Str *s, const Str *pattern,
                           const Str *replacement, uint8_t global) {
  return replace(ctx, Form::Utf8, true, result, s, pattern, replacement, global);
}
SL(regexReplacePerl, rrrb)(Ctx *ctx, Str *result, const Str *s, const Str *pattern,
                           const Str *replacement, uint8_t global) {
  return replace(ctx, Form::Bytes, true, result, s, pattern, replacement, global);
}
