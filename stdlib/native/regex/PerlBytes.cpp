//===- PerlBytes.cpp - regexMatchPerl, regexReplacePerl of rstrings -------===//
//
// A byte is a character, and letters, blanks and line ends are those of ASCII.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/regex/Bytes.h"

using namespace sluice;

namespace {

using Engine = perl::Engine<perl::Bytes>;

struct ToText : perl::Output<ToText> {
  TextOut *out;
  explicit ToText(TextOut &out) : out(&out) {}
  ToText &operator=(char c) {
    out->put(c);
    return *this;
  }
  void copy(const char *from, const char *to) { out->put({from, size_t(to - from)}); }
};

const Engine::Regex *compile(Ctx *ctx, const Str *pattern) {
  return Engine::compile(ctx, pattern, [](const Str *s) { return viewOf(*s); });
}

} // namespace

SL(regexMatchPerl, rr)(Ctx *ctx, Seq *result, const Str *s, const Str *pattern) {
  const Engine::Regex *regex = compile(ctx, pattern);
  return !regex || Engine::match(ctx, result, *regex, pattern, viewOf(*s),
                                 [](const char *from, const char *to) {
                                   return strView(from, uint64_t(to - from));
                                 });
}

SL(regexReplacePerl, rrrb)(Ctx *ctx, Str *result, const Str *s, const Str *pattern,
                           const Str *replacement, uint8_t global) {
  const Engine::Regex *regex = compile(ctx, pattern);
  TextOut out;
  if (!regex ||
      Engine::replace(ctx, ToText(out), *regex, pattern, viewOf(*s), viewOf(*replacement), global))
    return 1;
  *result = keepText(ctx, out.data, out.size);
  return 0;
}
