//===- StringFunctions.cpp - spl.string, and numbers as text ----*- C++ -*-===//
#include "stdlib/native/Library.h"
#include "value/Text.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace sluice;

static std::string textOf(const Str *s) { return std::string(viewOf(*s)); }

//===--- literals -----------------------------------------------------------===//

SL(makeRStringLiteral, r)(Ctx *ctx, Str *result, const Str *s) {
  TextOut out;
  printQuoted(out, viewOf(*s), true);
  *result = keepText(ctx, out.data, out.size);
  return 0;
}
SL(interpretRStringLiteral, r)(Ctx *ctx, Str *result, const Str *s) {
  const char *p = s->data(), *end = p + s->len;
  if (parseQuoted(p, end, result, *ctx->scratch) || p != end)
    return sl_error(ctx, "interpretRStringLiteral: this is not a string literal");
  return 0;
}

//===--- formatNumber -------------------------------------------------------===//

template <typename... Args>
static int32_t format(Ctx *ctx, Str *result, const char *pattern, Args... args) {
  int length = snprintf(nullptr, 0, pattern, args...);
  std::string text(size_t(length) + 1, '\0');
  snprintf(text.data(), text.size(), pattern, args...);
  *result = keepText(ctx, text.data(), uint64_t(length));
  return 0;
}
SL(formatNumber, l)(Ctx *ctx, Str *result, int64_t v) {
  return format(ctx, result, "%lld", (long long)v);
}
SL(formatNumber, lj)(Ctx *ctx, Str *result, int64_t v, uint32_t width) {
  return format(ctx, result, "%*lld", int(width), (long long)v);
}
SL(formatNumber, d)(Ctx *ctx, Str *result, double v) { return format(ctx, result, "%g", v); }
SL(formatNumber, djjb)(Ctx *ctx, Str *result, double v, uint32_t width, uint32_t precision,
                       uint8_t scientific) {
  return format(ctx, result, scientific ? "%*.*e" : "%*.*f", int(width), int(precision), v);
}

//===--- parsing: the number of bytes used, or -1 ---------------------------===//

SL(parseNumber, lri)(Ctx *, int32_t *result, int64_t *number, const Str *s, int32_t base) {
  std::string text = textOf(s);
  char *end;
  errno = 0;
  long long v = strtoll(text.c_str(), &end, base);
  *result = -1;
  if (end == text.c_str() || errno)
    return 0;
  *number = v;
  *result = int32_t(end - text.c_str());
  return 0;
}
SL(parseNumber, lr)(Ctx *ctx, int32_t *result, int64_t *number, const Str *s) {
  return sl_parseNumber_lri(ctx, result, number, s, 10);
}
SL(parseNumber, dr)(Ctx *, int32_t *result, double *number, const Str *s) {
  std::string text = textOf(s);
  char *end;
  double v = strtod(text.c_str(), &end);
  *result = end == text.c_str() ? -1 : int32_t(end - text.c_str());
  if (*result >= 0)
    *number = v;
  return 0;
}

SL(strtoll, rii)(Ctx *, int64_t *result, const Str *s, int32_t base, int32_t *used) {
  std::string text = textOf(s);
  char *end;
  *result = strtoll(text.c_str(), &end, base);
  *used = int32_t(end - text.c_str());
  return 0;
}
SL(strtoll, ri)(Ctx *ctx, int64_t *result, const Str *s, int32_t base) {
  int32_t used;
  return sl_strtoll_rii(ctx, result, s, base, &used);
}
SL(strtoull, rii)(Ctx *, uint64_t *result, const Str *s, int32_t base, int32_t *used) {
  std::string text = textOf(s);
  char *end;
  *result = strtoull(text.c_str(), &end, base);
  *used = int32_t(end - text.c_str());
  return 0;
}
SL(strtoull, ri)(Ctx *ctx, uint64_t *result, const Str *s, int32_t base) {
  int32_t used;
  return sl_strtoull_rii(ctx, result, s, base, &used);
}
SL(strtod, ri)(Ctx *, double *result, const Str *s, int32_t *used) {
  std::string text = textOf(s);
  char *end;
  *result = strtod(text.c_str(), &end);
  *used = int32_t(end - text.c_str());
  return 0;
}
SL(strtod, r)(Ctx *ctx, double *result, const Str *s) {
  int32_t used;
  return sl_strtod_ri(ctx, result, s, &used);
}
SL(strerror, i)(Ctx *ctx, Str *result, int32_t error) {
  char text[256];
  const char *message = strerror_r(error, text, sizeof text); // GNU's
  *result = keepText(ctx, message, strlen(message));
  return 0;
}
