//===- Collections.cpp - lists, sets and maps for generated code *- C++ -*-===//
#include "base/text/Words.h"
#include "value/Copy.h"
#include "value/Place.h"
#include "value/Table.h"
#include "value/Text.h"
#include "value/Utf8.h"

namespace sluice {

__attribute__((noinline, cold)) static int32_t badIndex(Ctx *ctx, const char *what, int64_t at,
                                                        uint32_t len) {
  return sl_error(ctx, "the index %lld is outside the %s, which has %u element%s", (long long)at,
                  what, len, plural(len));
}
__attribute__((noinline, cold)) static void noKey(Ctx *ctx, const TypeDesc *map, const void *key) {
  constexpr size_t kMost = 80;
  TextOut text;
  printValue(text, map->elem, key, /*quoteTopString=*/true);
  size_t shown = text.size;
  if (shown > kMost)
    for (shown = kMost; (text.data[shown] & 0xc0) == 0x80;) // in the middle of a character
      --shown;
  sl_error(ctx, "the map has no key %.*s%s", int(shown), text.data, shown < text.size ? "..." : "");
}
/// The same with a copy of a short key: a look-up that succeeds then keeps its key in registers.
static SLUICE_INLINE int32_t failNoKey(Ctx *ctx, const TypeDesc *map, const void *key) {
  constexpr uint32_t kShort = 16;
  alignas(16) char copy[kShort];
  if (map->elem->size <= kShort)
    key = memcpy(copy, key, map->elem->size);
  noKey(ctx, map, key);
  return 1;
}

/// Clips the bounds of a slice; fails when it begins outside.
static SLUICE_INLINE int32_t clipSlice(Ctx *ctx, const char *what, uint32_t len, int64_t &lo,
                                       int64_t &hi, bool hasLo, bool hasHi) {
  if (!hasLo)
    lo = 0;
  if (uint64_t(lo) > len)
    return badIndex(ctx, what, lo, len);
  if (!hasHi || uint64_t(hi) > len) // also a negative one
    hi = len;
  if (hi < lo)
    hi = lo;
  return 0;
}

extern "C" {

//===--- making -------------------------------------------------------------===//

void sl_make_list(Ctx *ctx, const TypeDesc *list, Seq *result, const void *elems, uint32_t count) {
  uint64_t bytes = uint64_t(count) * list->stride;
  void *data = count ? arenaAlloc(ctx->scratch, bytes, 16) : nullptr;
  if (count)
    memcpy(data, elems, bytes);
  *result = {count, 0, data};
}

/// A default value is all zeros, whatever its type.
void sl_default_list(Ctx *ctx, const TypeDesc *list, Seq *result, uint32_t count) {
  uint64_t bytes = uint64_t(count) * list->stride;
  void *data = count ? arenaAlloc(ctx->scratch, bytes, 16) : nullptr;
  if (count)
    memset(data, 0, bytes);
  *result = {count, 0, data};
}

void sl_make_set(Ctx *ctx, const TypeDesc *set, Seq *result, const void *elems, uint32_t count) {
  Seq table;
  tableReserve(ctx->scratch, set, &table, count);
  bool added;
  uint32_t most = set->bound ? set->bound : count;
  for (uint32_t i = 0; i < count && table.len < most; ++i)
    tableAdd(set, &table, static_cast<const char *>(elems) + uint64_t(i) * set->stride, &added);
  *result = table;
}

/// Of equal keys the value of the last one counts.
void sl_make_map(Ctx *ctx, const TypeDesc *map, Seq *result, const void *entries, uint32_t count) {
  Seq table;
  tableReserve(ctx->scratch, map, &table, count);
  bool added;
  for (uint32_t i = 0; i < count; ++i) {
    const char *entry = static_cast<const char *>(entries) + uint64_t(i) * map->stride;
    if (map->bound && table.len >= map->bound && tableFind(map, &table, entry) == kNoSlot)
      continue;
    uint32_t slot = tableAdd(map, &table, entry, &added);
    memcpy(elementAt(map, &table, slot) + map->valueOffset, entry + map->valueOffset,
           map->value->size);
  }
  *result = table;
}

//===--- access -------------------------------------------------------------===//

SLUICE_ENTRY int32_t sl_list_at(Ctx *ctx, const TypeDesc *list, void **result, const Seq *seq,
                                int64_t at) {
  if (__builtin_expect(uint64_t(at) >= seq->len, 0))
    return badIndex(ctx, "list", at, seq->len);
  *result = elementAt(list, seq, uint64_t(at));
  return 0;
}

SLUICE_ENTRY int32_t sl_map_at(Ctx *ctx, const TypeDesc *map, void **result, const Seq *seq,
                               const void *key) {
  uint32_t slot = tableFind(map, seq, key);
  if (__builtin_expect(slot == kNoSlot, 0))
    return failNoKey(ctx, map, key);
  *result = elementAt(map, seq, slot) + map->valueOffset;
  return 0;
}

SLUICE_ENTRY int32_t sl_map_ref(Ctx *ctx, const TypeDesc *map, void **result, const Seq *seq,
                                const void *key) {
  uint32_t slot = tableFindToChange(map, seq, key);
  if (__builtin_expect(slot == kNoSlot, 0))
    return failNoKey(ctx, map, key);
  *result = elementAt(map, seq, slot) + map->valueOffset;
  return 0;
}

SLUICE_ENTRY void sl_map_slot(Ctx *ctx, const TypeDesc *map, void **result, Seq *seq,
                              const void *key) {
  bool added;
  uint32_t slot = tableSlot(ctx->heap, map, seq, key, &added);
  *result = elementAt(map, seq, slot) + map->valueOffset;
}

SLUICE_ENTRY uint64_t sl_map_find(const TypeDesc *map, const Seq *seq, const void *key) {
  uint32_t slot = tableFind(map, seq, key);
  return slot == kNoSlot ? seq->len : slot;
}

SLUICE_ENTRY uint64_t sl_map_find_ref(const TypeDesc *map, const Seq *seq, const void *key) {
  uint32_t slot = tableFindToChange(map, seq, key);
  return slot == kNoSlot ? seq->len : slot;
}

SLUICE_ENTRY void sl_map_change(const Seq *seq, uint64_t at) { tableChange(seq, uint32_t(at)); }

SLUICE_ENTRY void sl_map_erase(Ctx *ctx, const TypeDesc *map, Seq *seq, const void *key) {
  uint32_t slot = tableFind(map, seq, key);
  if (slot != kNoSlot)
    tableRemove(ctx->heap, map, seq, slot);
}

SLUICE_ENTRY void sl_map_erase_nth(Ctx *ctx, const TypeDesc *map, Seq *seq, uint64_t at) {
  tableRemove(ctx->heap, map, seq, uint32_t(at));
}

SLUICE_ENTRY void sl_push(Ctx *ctx, const TypeDesc *list, Seq *seq, const void *element) {
  placePush(ctx->heap, list, seq, element);
}

SLUICE_ENTRY uint8_t sl_contains(const TypeDesc *type, const Seq *seq, const void *key) {
  if (isHashed(type))
    return tableFind(type, seq, key) != kNoSlot;
  for (uint32_t i = 0; i < seq->len; ++i)
    if (equalValue(type->elem, elementAt(type, seq, i), key))
      return 1;
  return 0;
}

int32_t sl_list_slice(Ctx *ctx, const TypeDesc *list, Seq *result, const Seq *seq, int64_t lo,
                      int64_t hi, uint8_t hasLo, uint8_t hasHi) {
  if (clipSlice(ctx, "list", seq->len, lo, hi, hasLo, hasHi))
    return 1;
  *result = {uint32_t(hi - lo), 0, hi > lo ? elementAt(list, seq, uint64_t(lo)) : nullptr};
  return 0;
}

//===--- rstring ------------------------------------------------------------===//

SLUICE_ENTRY int32_t sl_str_at(Ctx *ctx, Str *result, const Str *s, int64_t at) {
  if (__builtin_expect(uint64_t(at) >= s->len, 0))
    return badIndex(ctx, "rstring", at, s->len);
  char byte = s->data()[at];
  *result = {};
  result->len = 1;
  result->inl[0] = byte;
  return 0;
}

/// The bytes of an rstring or a blob, which is called `word`.
static int32_t sliceBytes(Ctx *ctx, const char *word, Str *result, const Str *s, int64_t lo,
                          int64_t hi, uint8_t hasLo, uint8_t hasHi) {
  if (clipSlice(ctx, word, s->len, lo, hi, hasLo, hasHi))
    return 1;
  *result = strView(s->data() + lo, uint64_t(hi - lo));
  return 0;
}
int32_t sl_str_slice(Ctx *ctx, Str *result, const Str *s, int64_t lo, int64_t hi, uint8_t hasLo,
                     uint8_t hasHi) {
  return sliceBytes(ctx, "rstring", result, s, lo, hi, hasLo, hasHi);
}
int32_t sl_blob_slice(Ctx *ctx, Str *result, const Str *blob, int64_t lo, int64_t hi, uint8_t hasLo,
                      uint8_t hasHi) {
  return sliceBytes(ctx, "blob", result, blob, lo, hi, hasLo, hasHi);
}

SLUICE_ENTRY int32_t sl_blob_at(Ctx *ctx, void **result, const Str *blob, int64_t at) {
  if (__builtin_expect(uint64_t(at) >= blob->len, 0))
    return badIndex(ctx, "blob", at, blob->len);
  *result = const_cast<char *>(blob->data()) + at;
  return 0;
}

/// Positions are code points, so their bytes have to be looked for.
int32_t sl_ustr_at(Ctx *ctx, Str *result, const Str *s, int64_t at) {
  const char *p = s->data();
  uint64_t from = at < 0 ? s->len : offsetOfCodePoint(p, s->len, uint64_t(at));
  if (from >= s->len)
    return badIndex(ctx, "ustring", at, uint32_t(countCodePoints(p, s->len)));
  *result = strView(p + from, offsetOfCodePoint(p + from, s->len - from, 1));
  return 0;
}

int32_t sl_ustr_slice(Ctx *ctx, Str *result, const Str *s, int64_t lo, int64_t hi, uint8_t hasLo,
                      uint8_t hasHi) {
  const char *p = s->data();
  if (clipSlice(ctx, "ustring", uint32_t(countCodePoints(p, s->len)), lo, hi, hasLo, hasHi))
    return 1;
  uint64_t from = offsetOfCodePoint(p, s->len, uint64_t(lo));
  uint64_t size = offsetOfCodePoint(p + from, s->len - from, uint64_t(hi - lo));
  *result = strView(p + from, size);
  return 0;
}

SLUICE_ENTRY void sl_cut(Ctx *ctx, const TypeDesc *type, void *place) {
  if (type->kind == Kind::RString) {
    auto *s = static_cast<Str *>(place);
    if (s->len > type->bound)
      strResize(ctx->heap, s, type->bound, type->bound);
    return;
  }
  auto *seq = static_cast<Seq *>(place);
  if (seq->len <= type->bound)
    return;
  if (!isHashed(type))
    return placeErase(ctx->heap, type, seq, type->bound, seq->len);
  while (seq->len > type->bound) // new entries are the last
    tableRemove(ctx->heap, type, seq, seq->len - 1);
}

/// Two texts that are inline together: what is behind the end of an inline text is zero.
static SLUICE_INLINE void concatInline(Str *to, const Str &a, const Str &b) {
  auto whole = [](const Str &s) {
    const auto *words = reinterpret_cast<const char *>(&s);
    return ((unsigned __int128)load<uint64_t>(words + 8) << 64 | load<uint64_t>(words)) >> 32;
  };
  storeInline(to, a.len + b.len, whole(a) | whole(b) << 8 * a.len);
}

/// Copies a text to where there is room for it and for kInline bytes more. Returns where it ends.
static SLUICE_INLINE char *putText(char *to, const Str &s) {
  if (s.len <= Str::kInline)
    memcpy(to, s.inl, Str::kInline);
  else
    memcpy(to, s.far.ptr, s.len);
  return to + s.len;
}

/// Extends the left operand in place if it is the newest text in scratch, so that a chain of +
/// copies each part once.
static __attribute__((noinline)) void concatFar(Ctx *ctx, Str *result, const Str *a, const Str *b) {
  const uint64_t len = uint64_t(a->len) + b->len;
  Arena *arena = ctx->scratch;
  const char *head = a->data();
  const bool extends = a->len > Str::kInline && head + a->len == arena->ptr;
  const uint64_t room = uint64_t(arena->end - arena->ptr);
  if (room >= (extends ? b->len : len) + Str::kInline) {
    char *text = static_cast<char *>(arena->ptr);
    head = extends ? head : text;
    arena->ptr = putText(extends ? text : putText(text, *a), *b);
  } else if (extends && room >= b->len) {
    memcpy(arena->ptr, b->data(), b->len);
    arena->ptr += b->len;
  } else {
    char *text = static_cast<char *>(arenaAlloc(arena, len, 1));
    memcpy(text, head, a->len);
    memcpy(text + a->len, b->data(), b->len);
    head = text;
  }
  storeWhole(result, len | uint64_t(load<uint32_t>(head)) << 32, reinterpret_cast<uint64_t>(head));
}

SLUICE_ENTRY void sl_str_concat(Ctx *ctx, Str *result, const Str *a, const Str *b) {
  if (uint64_t(a->len) + b->len <= Str::kInline)
    concatInline(result, *a, *b);
  else
    concatFar(ctx, result, a, b);
}
}

} // namespace sluice
