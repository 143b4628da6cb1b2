//===- Boost.cpp - how a search of Perl's syntax fails --------------------===//
#include "stdlib/native/regex/Boost.h"

using namespace sluice;

void perl::failTooManyMoves() { throw TooManyMoves(); }

/// The beginning of a pattern, as messages show it.
static int shown(std::string_view pattern) { return int(std::min<size_t>(pattern.size(), 100)); }

int32_t perl::failBad(Ctx *ctx, const Str *pattern, const std::exception &e) {
  std::string_view text = viewOf(*pattern);
  std::string why = e.what();
  why = why.substr(0, why.find("  The error occurred"));
  if (!why.empty() && why.back() == '.')
    why.pop_back();
  return sl_error(ctx, "bad regular expression '%.*s': %s", shown(text), text.data(), why.c_str());
}

int32_t perl::failEndless(Ctx *ctx, const Str *pattern, size_t characters) {
  std::string_view text = viewOf(*pattern);
  return sl_error(ctx,
                  "the search for the regular expression '%.*s' in a text of %zu characters takes "
                  "too many steps",
                  shown(text), text.data(), characters);
}
