//===- PerlCharacters.cpp - regexMatchPerl, regexReplacePerl of ustrings --===//
#include "stdlib/native/regex/Characters.h"
#include "value/Utf8.h"
#include <vector>

using namespace sluice;

namespace {

using Engine = perl::Engine<perl::Characters>;
using Codes = std::vector<int32_t>;

Codes codesOf(const Str *s) {
  Codes codes;
  codes.reserve(s->len);
  const char *p = s->data(), *end = p + s->len;
  for (uint32_t code; p < end;) {
    unsigned n = decodeUtf8(p, end, code);
    codes.push_back(n ? int32_t(code) : 0xfffd);
    p += n ? n : 1;
  }
  return codes;
}

struct ToText : perl::Output<ToText> {
  TextOut *out;
  explicit ToText(TextOut &out) : out(&out) {}
  ToText &operator=(int32_t code) {
    if (uint32_t(code) > 0x10ffff) // of a replacement: no character
      code = 0xfffd;
    char *to = out->reserve(4);
    out->size += size_t(putUtf8(to, uint32_t(code)) - to);
    return *this;
  }
  void copy(const int32_t *from, const int32_t *to) { std::copy(from, to, *this); }
};

/// Null after sl_error.
const Engine::Regex *compile(Ctx *ctx, const Str *pattern) {
  if (icu())
    return Engine::compile(ctx, pattern, codesOf);
  sl_error(ctx, "this regular expression %s", kNoIcu);
  return nullptr;
}

} // namespace

SL(regexMatchPerl, uu)(Ctx *ctx, Seq *result, const Str *s, const Str *pattern) {
  const Engine::Regex *regex = compile(ctx, pattern);
  return !regex || Engine::match(ctx, result, *regex, pattern, codesOf(s),
                                 [&](const int32_t *from, const int32_t *to) {
                                   TextOut out;
                                   ToText(out).copy(from, to);
                                   return keepText(ctx, out.data, out.size);
                                 });
}

SL(regexReplacePerl, uuub)(Ctx *ctx, Str *result, const Str *s, const Str *pattern,
                           const Str *replacement, uint8_t global) {
  const Engine::Regex *regex = compile(ctx, pattern);
  TextOut out;
  if (!regex ||
      Engine::replace(ctx, ToText(out), *regex, pattern, codesOf(s), codesOf(replacement), global))
    return 1;
  *result = keepText(ctx, out.data, out.size);
  return 0;
}
