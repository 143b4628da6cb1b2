//===- UStringFunctions.cpp - spl.string on ustrings ----------------------===//
//
// Positions and lengths count code points. A position past the end gives the empty string, or that
// nothing is found, where an rstring fails.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/Library.h"
#include "stdlib/native/unicode/Icu.h"
#include "value/Text.h"
#include "value/Utf8.h"
#include <algorithm>
#include <string>
#include <vector>

using namespace sluice;

namespace {

/// The code points of a ustring, and where they lie.
struct Points {
  std::string_view text;
  std::u32string codes;
  std::vector<uint32_t> offsets; // one more than codes

  explicit Points(const Str *s) : text(viewOf(*s)) {
    const char *p = text.data(), *end = p + text.size();
    for (uint32_t code; p < end;) {
      offsets.push_back(uint32_t(p - text.data()));
      unsigned n = decodeUtf8(p, end, code);
      codes += char32_t(n ? code : 0xfffd);
      p += n ? n : 1;
    }
    offsets.push_back(uint32_t(text.size()));
  }
  size_t size() const { return codes.size(); }
  Str part(size_t from, size_t to) const {
    return strView(text.data() + offsets[from], offsets[to] - offsets[from]);
  }
};

std::u32string codesOf(const Str *s) { return Points(s).codes; }

constexpr int32_t position(size_t found) {
  return found == std::u32string::npos ? -1 : int32_t(found);
}

Str trimmed(const Str *s, const Str *set, bool left, bool right) {
  Points points(s);
  std::u32string unwanted = codesOf(set);
  auto isUnwanted = [&](size_t i) { return unwanted.find(points.codes[i]) != unwanted.npos; };
  size_t from = 0, to = points.size();
  while (left && from < to && isUnwanted(from))
    ++from;
  while (right && from < to && isUnwanted(to - 1))
    --to;
  return points.part(from, to);
}

bool isAscii(std::string_view s) {
  return std::none_of(s.begin(), s.end(), [](char c) { return c & 0x80; });
}

extern "C" int32_t sl_upper_r(Ctx *, Str *, const Str *);
extern "C" int32_t sl_lower_r(Ctx *, Str *, const Str *);

/// In upper or lower case, as Unicode has it for any language.
int32_t mapCase(Ctx *ctx, Str *result, const Str *s, bool isUpper) {
  if (isAscii(viewOf(*s)))
    return isUpper ? sl_upper_r(ctx, result, s) : sl_lower_r(ctx, result, s);
  if (!icu())
    return sl_error(ctx, "the other case of letters beyond ASCII %s", kNoIcu);
  IcuError error = 0;
  static const IcuCaseMap *const map = icu()->ucasemap_open("", 0, &error);
  auto convert = isUpper ? icu()->ucasemap_utf8ToUpper : icu()->ucasemap_utf8ToLower;
  uint64_t most = 3 * uint64_t(s->len); // no character has more than three in the other case
  if (most > INT32_MAX)
    return sl_error(ctx, "the ustring is too long: it has %u bytes", s->len);
  char *text = scratchText(ctx, most);
  int32_t size = convert(map, text, int32_t(most), s->data(), int32_t(s->len), &error);
  if (error > 0)
    return sl_error(ctx, "cannot change the case: %s", icu()->u_errorName(error));
  *result = strView(text, uint64_t(size));
  return 0;
}

} // namespace

//===--- parts --------------------------------------------------------------===//

SL(length, u)(Ctx *, int32_t *result, const Str *s) {
  *result = int32_t(countCodePoints(s->data(), s->len));
  return 0;
}
SL(substring, uii)(Ctx *, Str *result, const Str *s, int32_t from, int32_t length) {
  Points points(s);
  int64_t size = int64_t(points.size()), start = std::max(from, 0),
          count = length + std::min<int64_t>(from, 0);
  int64_t end = std::min(size, start + std::max<int64_t>(count, 0));
  start = std::min(start, size);
  *result = points.part(size_t(start), size_t(std::max(start, end)));
  return 0;
}
SL(concat, uu)(Ctx *ctx, Str *result, const Str *a, const Str *b) {
  sl_str_concat(ctx, result, a, b);
  return 0;
}
SL(appendM, rr)(Ctx *ctx, Str *place, const Str *more) {
  sl_str_append(ctx, place, more);
  return 0;
}
SL(appendM, uu)(Ctx *ctx, Str *place, const Str *more) {
  sl_str_append(ctx, place, more);
  return 0;
}
SL(upper, u)(Ctx *ctx, Str *result, const Str *s) { return mapCase(ctx, result, s, true); }
SL(lower, u)(Ctx *ctx, Str *result, const Str *s) { return mapCase(ctx, result, s, false); }
SL(trim, uu)(Ctx *, Str *result, const Str *s, const Str *set) {
  *result = trimmed(s, set, true, true);
  return 0;
}
SL(ltrim, uu)(Ctx *, Str *result, const Str *s, const Str *set) {
  *result = trimmed(s, set, true, false);
  return 0;
}
SL(rtrim, uu)(Ctx *, Str *result, const Str *s, const Str *set) {
  *result = trimmed(s, set, false, true);
  return 0;
}
SL(toCharacterCode, u)(Ctx *, uint32_t *result, const Str *s) {
  *result = 0;
  if (s->len)
    decodeUtf8(s->data(), s->data() + s->len, *result);
  return 0;
}
SL(makeUStringLiteral, u)(Ctx *ctx, Str *result, const Str *s) {
  TextOut out;
  printQuoted(out, viewOf(*s), true);
  *result = keepText(ctx, out.data, out.size);
  return 0;
}
SL(interpretUStringLiteral, r)(Ctx *ctx, Str *result, const Str *s) {
  const char *p = s->data(), *end = p + s->len;
  if (parseQuoted(p, end, result, *ctx->scratch) || !(p == end || (*p == 'u' && p + 1 == end)))
    return sl_error(ctx, "interpretUStringLiteral: this is not a string literal");
  *result = repairUtf8(ctx->scratch, *result);
  return 0;
}

//===--- searching ----------------------------------------------------------===//

/// Nothing finds the empty string.
SL(findFirst, uui)(Ctx *, int32_t *result, const Str *s, const Str *what, int32_t from) {
  *result = what->len ? position(codesOf(s).find(codesOf(what), size_t(std::max(from, 0)))) : -1;
  return 0;
}
SL(findFirst, uu)(Ctx *ctx, int32_t *result, const Str *s, const Str *what) {
  return sl_findFirst_uui(ctx, result, s, what, 0);
}
SL(findLast, uui)(Ctx *, int32_t *result, const Str *s, const Str *what, int32_t from) {
  std::u32string text = codesOf(s), wanted = codesOf(what);
  bool isThere = !wanted.empty() && from >= 0 && size_t(from) < text.size();
  *result = isThere ? position(text.rfind(wanted, size_t(from))) : -1;
  return 0;
}

/// Where a code point first stands, from position `from` on, that is in the set, or not in it; or,
/// `backward`, where one last stands up to `from`. These positions count UTF-16 units, unlike all
/// others: programs rely on what IBM's functions return.
static int32_t findOf(const Str *s, const Str *set, int32_t from, bool isIn, bool backward) {
  std::u32string wanted = codesOf(set);
  int32_t unit = 0, found = -1;
  for (char32_t code : codesOf(s)) {
    bool fits = (wanted.find(code) != wanted.npos) == isIn;
    if (fits && (backward ? unit <= from : unit >= from)) {
      found = unit;
      if (!backward)
        break;
    }
    unit += code < 0x10000 ? 1 : 2;
  }
  return backward && from >= unit ? -1 : found;
}
SL(findFirstOf, uui)(Ctx *, int32_t *result, const Str *s, const Str *set, int32_t from) {
  *result = findOf(s, set, from, true, false);
  return 0;
}
SL(findFirstOf, uu)(Ctx *, int32_t *result, const Str *s, const Str *set) {
  *result = findOf(s, set, 0, true, false);
  return 0;
}
SL(findFirstNotOf, uui)(Ctx *, int32_t *result, const Str *s, const Str *set, int32_t from) {
  *result = findOf(s, set, from, false, false);
  return 0;
}
SL(findFirstNotOf, uu)(Ctx *, int32_t *result, const Str *s, const Str *set) {
  *result = findOf(s, set, 0, false, false);
  return 0;
}
SL(findLastOf, uui)(Ctx *, int32_t *result, const Str *s, const Str *set, int32_t from) {
  *result = findOf(s, set, from, true, true);
  return 0;
}
SL(findLastNotOf, uui)(Ctx *, int32_t *result, const Str *s, const Str *set, int32_t from) {
  *result = findOf(s, set, from, false, true);
  return 0;
}

//===--- tokens -------------------------------------------------------------===//

namespace {
/// The parts of a text between delimiters, each of which is a code point of the set or, without
/// `each`, the whole string.
Seq split(Ctx *ctx, const Str *s, const Str *delimiters, bool keepEmpty, bool each) {
  Points points(s);
  std::u32string by = codesOf(delimiters);
  std::vector<Str> parts;
  size_t width = each ? 1 : by.size();
  for (size_t from = 0;;) {
    size_t to = by.empty() ? std::u32string::npos
                : each     ? points.codes.find_first_of(by, from)
                           : points.codes.find(by, from);
    size_t end = std::min(to, points.size());
    if (keepEmpty || end > from)
      parts.push_back(points.part(from, end));
    if (to == std::u32string::npos)
      break;
    from = to + width;
  }
  Seq list = scratchList(ctx, parts.size(), sizeof(Str));
  std::copy(parts.begin(), parts.end(), listData<Str>(list));
  return list;
}
} // namespace

SL(tokenize, uub)(Ctx *ctx, Seq *result, const Str *s, const Str *delimiters, uint8_t keepEmpty) {
  *result = split(ctx, s, delimiters, keepEmpty, true);
  return 0;
}
/// Replaces the contents of `list`.
SL(tokenize, uubbLu)(Ctx *ctx, const Str *s, const Str *delimiters, uint8_t keepEmpty,
                     uint8_t multipleDelimiters, Seq *list) {
  static constexpr TypeDesc text = {Kind::UString, 16, 8, 0, {}, {}, 0, 0, 0, 0, {}, {}};
  TypeDesc type = listOf(&text);
  Seq value = split(ctx, s, delimiters, keepEmpty, multipleDelimiters);
  sl_assign(ctx, &type, list, &value);
  return 0;
}
SL(csvTokenize, u)(Ctx *ctx, Seq *result, const Str *s) {
  Str comma = strView(",", 1);
  *result = split(ctx, s, &comma, true, true);
  return 0;
}
