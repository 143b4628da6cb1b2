//===- HotStrings.cpp - spl.string, the functions of every program -*- C++ -*-===//
//
// Part of the bitcode: no C++ library here.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/Library.h"

using namespace sluice;

namespace {

/// A set of bytes.
struct ByteSet {
  uint64_t bits[4] = {};
  explicit ByteSet(const Str *s) {
    const char *p = s->data();
    for (uint32_t i = 0; i < s->len; ++i)
      bits[uint8_t(p[i]) >> 6] |= uint64_t(1) << (p[i] & 63);
  }
  bool has(char c) const { return bits[uint8_t(c) >> 6] >> (c & 63) & 1; }
};

/// The last index that a backward search may begin at, or -1.
int64_t lastStart(const Str *s, int32_t from) {
  return from < 0 ? -1 : from < int64_t(s->len) ? from : int64_t(s->len) - 1;
}

int32_t findForward(const Str *s, const Str *set, int32_t from, bool inSet) {
  ByteSet bytes(set);
  const char *p = s->data();
  for (int64_t i = from < 0 ? 0 : from; i < s->len; ++i)
    if (bytes.has(p[i]) == inSet)
      return int32_t(i);
  return -1;
}
int32_t findBackward(const Str *s, const Str *set, int32_t from, bool inSet) {
  ByteSet bytes(set);
  const char *p = s->data();
  for (int64_t i = lastStart(s, from); i >= 0; --i)
    if (bytes.has(p[i]) == inSet)
      return int32_t(i);
  return -1;
}

void trimTo(Str *result, const Str *s, const Str *set, bool left, bool right) {
  ByteSet bytes(set);
  const char *p = s->data(), *end = p + s->len;
  while (left && p < end && bytes.has(*p))
    ++p;
  while (right && end > p && bytes.has(end[-1]))
    --end;
  *result = strView(p, uint64_t(end - p));
}

/// Changes the case of the 26 letters from `first`.
void mapBytes(Ctx *ctx, Str *result, const Str *s, char first) {
  Str copy = *s;
  bool far = copy.len > Str::kInline;
  char *to = far ? scratchText(ctx, copy.len) : copy.inl;
  const char *from = s->data();
  for (uint32_t i = 0; i < copy.len; ++i)
    to[i] = char(from[i] ^ (uint8_t(from[i] - first) < 26 ? 0x20 : 0));
  *result = far ? strView(to, copy.len) : copy;
}

} // namespace

//===--- size, parts --------------------------------------------------------===//

SL_HOT(length, r)(Ctx *, int32_t *result, const Str *s) {
  *result = int32_t(s->len);
  return 0;
}

/// A negative start shortens the length; the end is clipped.
SL(substring, rii)(Ctx *ctx, Str *result, const Str *s, int32_t from, int32_t length) {
  int64_t start = from, count = length;
  if (start < 0) {
    count += start;
    start = 0;
  }
  if (start > s->len)
    return sl_error(ctx,
                    "substring: the start %d is behind the end of the string, which has %u byte%s",
                    from, s->len, s->len == 1 ? "" : "s");
  if (count < 0)
    count = 0;
  if (count > s->len - start)
    count = s->len - start;
  *result = strView(s->data() + start, uint64_t(count));
  return 0;
}

SL(concat, rr)(Ctx *ctx, Str *result, const Str *a, const Str *b) {
  sl_str_concat(ctx, result, a, b);
  return 0;
}
SL(upper, r)(Ctx *ctx, Str *result, const Str *s) {
  mapBytes(ctx, result, s, 'a');
  return 0;
}
SL(lower, r)(Ctx *ctx, Str *result, const Str *s) {
  mapBytes(ctx, result, s, 'A');
  return 0;
}
SL(trim, rr)(Ctx *, Str *result, const Str *s, const Str *set) {
  trimTo(result, s, set, true, true);
  return 0;
}
SL(ltrim, rr)(Ctx *, Str *result, const Str *s, const Str *set) {
  trimTo(result, s, set, true, false);
  return 0;
}
SL(rtrim, rr)(Ctx *, Str *result, const Str *s, const Str *set) {
  trimTo(result, s, set, false, true);
  return 0;
}
SL(toCharacterCode, r)(Ctx *, int32_t *result, const Str *s) {
  *result = s->len ? uint8_t(s->data()[0]) : 0;
  return 0;
}

//===--- searching ----------------------------------------------------------===//

SL(findFirst, rri)(Ctx *, int32_t *result, const Str *s, const Str *what, int32_t from) {
  const char *p = s->data(), *w = what->data();
  uint64_t start = from < 0 ? 0 : uint64_t(from);
  *result = -1;
  if (start > s->len || what->len > s->len - start)
    return 0;
  if (!what->len) {
    *result = int32_t(start);
    return 0;
  }
  const char *at = p + start, *last = p + s->len - what->len;
  while (at <= last && (at = static_cast<const char *>(memchr(at, *w, size_t(last - at) + 1)))) {
    if (!memcmp(at, w, what->len)) {
      *result = int32_t(at - p);
      return 0;
    }
    ++at;
  }
  return 0;
}
SL_HOT(findFirst, rr)(Ctx *ctx, int32_t *result, const Str *s, const Str *what) {
  return sl_findFirst_rri(ctx, result, s, what, 0);
}
SL(findLast, rri)(Ctx *, int32_t *result, const Str *s, const Str *what, int32_t from) {
  *result = -1;
  if (from < 0 || what->len > s->len)
    return 0;
  const char *p = s->data(), *w = what->data();
  int64_t i = int64_t(s->len) - what->len;
  for (i = from < i ? from : i; i >= 0; --i)
    if (!memcmp(p + i, w, what->len)) {
      *result = int32_t(i);
      return 0;
    }
  return 0;
}
SL(findFirstOf, rri)(Ctx *, int32_t *result, const Str *s, const Str *set, int32_t from) {
  *result = findForward(s, set, from, true);
  return 0;
}
SL(findFirstOf, rr)(Ctx *, int32_t *result, const Str *s, const Str *set) {
  *result = findForward(s, set, 0, true);
  return 0;
}
SL(findFirstNotOf, rri)(Ctx *, int32_t *result, const Str *s, const Str *set, int32_t from) {
  *result = findForward(s, set, from, false);
  return 0;
}
SL(findFirstNotOf, rr)(Ctx *, int32_t *result, const Str *s, const Str *set) {
  *result = findForward(s, set, 0, false);
  return 0;
}
SL(findLastOf, rri)(Ctx *, int32_t *result, const Str *s, const Str *set, int32_t from) {
  *result = findBackward(s, set, from, true);
  return 0;
}
SL(findLastNotOf, rri)(Ctx *, int32_t *result, const Str *s, const Str *set, int32_t from) {
  *result = findBackward(s, set, from, false);
  return 0;
}

//===--- tokens -------------------------------------------------------------===//

namespace {

/// Tokens as views of the text. They are put at the end of scratch, which
/// nobody else uses meanwhile, growing by copying.
struct Tokens {
  Ctx *ctx;
  uint32_t count = 0, room = 0;
  Str *data = nullptr;
  bool keepEmpty;
  SLUICE_INLINE void add(const char *from, const char *to) {
    if (from == to && !keepEmpty)
      return;
    if (count == room)
      grow();
    data[count++] = strView(from, uint64_t(to - from));
  }
  __attribute__((noinline)) void grow() {
    uint32_t more = room ? 2 * room : 16;
    auto *p = static_cast<Str *>(arenaAlloc(ctx->scratch, more * sizeof(Str), 16));
    if (count)
      memcpy(p, data, count * sizeof(Str));
    data = p;
    room = more;
  }
  Seq list() const { return {count, 0, data}; }
};

/// Calls f with the address of each byte of [p, end) that is `wanted`, in order;
/// looks at sixteen bytes at once.
template <typename F>
SLUICE_INLINE void forEachByte(const char *p, const char *end, char wanted, F &&f) {
  typedef char Bytes __attribute__((ext_vector_type(16)));
  typedef bool Bits __attribute__((ext_vector_type(16)));
  for (; p < end; p += 16) {
    Bytes bytes = Bytes(char(~wanted));
    if (end - p >= 16)
      memcpy(&bytes, p, 16);
    else
      memcpy(&bytes, p, size_t(end - p));
    Bits differs = __builtin_convertvector(bytes ^ Bytes(wanted), Bits);
    uint16_t others;
    memcpy(&others, &differs, sizeof others);
    for (uint32_t left = uint16_t(~others); left; left &= left - 1)
      f(p + __builtin_ctz(left));
  }
}

/// Tokens must not point into an inline string that lies on somebody's stack;
/// those of an inline string are inline themselves.
void splitAtBytes(Tokens &tokens, const Str *s, const Str *delims) {
  const char *p = s->data(), *end = p + s->len, *from = p;
  if (delims->len == 1) {
    forEachByte(p, end, delims->data()[0], [&](const char *at) {
      tokens.add(from, at);
      from = at + 1;
    });
  } else {
    ByteSet bytes(delims);
    for (; p < end; ++p)
      if (bytes.has(*p)) {
        tokens.add(from, p);
        from = p + 1;
      }
  }
  tokens.add(from, end);
}

void splitAtString(Ctx *ctx, Tokens &tokens, const Str *s, const Str *delim) {
  const char *p = s->data();
  int32_t from = 0, at;
  while (delim->len && !sl_findFirst_rri(ctx, &at, s, delim, from) && at >= 0) {
    tokens.add(p + from, p + at);
    from = at + int32_t(delim->len);
  }
  tokens.add(p + from, p + s->len);
}

} // namespace

SL(tokenize, rrb)(Ctx *ctx, Seq *result, const Str *s, const Str *delims, uint8_t keepEmpty) {
  Tokens tokens{ctx, 0, 0, nullptr, keepEmpty != 0};
  splitAtBytes(tokens, s, delims);
  *result = tokens.list();
  return 0;
}
/// Replaces the contents of `list`.
SL(tokenize, rrbbLr)(Ctx *ctx, const Str *s, const Str *delim, uint8_t keepEmpty,
                     uint8_t multipleDelim, Seq *list) {
  Tokens tokens{ctx, 0, 0, nullptr, keepEmpty != 0};
  if (multipleDelim)
    splitAtBytes(tokens, s, delim);
  else
    splitAtString(ctx, tokens, s, delim);
  static constexpr TypeDesc text = {Kind::RString, 16, 8, 0, {}, {}, 0, 0, 0, 0, {}, {}};
  TypeDesc type = listOf(&text);
  Seq value = tokens.list();
  sl_assign(ctx, &type, list, &value);
  return 0;
}
SL(csvTokenize, r)(Ctx *ctx, Seq *result, const Str *s) {
  Str comma = strView(",", 1);
  return sl_tokenize_rrb(ctx, result, s, &comma, 1);
}
