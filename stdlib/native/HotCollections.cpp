//===- HotCollections.cpp - spl.collection, the functions of every program -*- C++ -*-===//
//
// Part of the bitcode: no C++ library here.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/Library.h"

using namespace sluice;

//===--- size, has ----------------------------------------------------------===//

SL_HOT(size, Lg)(Ctx *, Type, int32_t *result, const Seq *s) {
  *result = int32_t(s->len);
  return 0;
}
SL_HOT(size, Sg)(Ctx *, Type, int32_t *result, const Seq *s) {
  *result = int32_t(s->len);
  return 0;
}
SL_HOT(size, Mgg)(Ctx *, Type, Type, int32_t *result, const Seq *s) {
  *result = int32_t(s->len);
  return 0;
}

SL_HOT(has, Lgg)(Ctx *, Type elem, uint8_t *result, const Seq *s, const void *x) {
  TypeDesc type = listOf(elem);
  *result = sl_contains(&type, s, x);
  return 0;
}
SL_HOT(has, Sgg)(Ctx *, Type elem, uint8_t *result, const Seq *s, const void *x) {
  TypeDesc type = setOf(elem);
  *result = tableFind(&type, s, x) != kNoSlot;
  return 0;
}
SL_HOT(has, Mggg)(Ctx *, Type key, Type value, uint8_t *result, const Seq *s, const void *k) {
  TypeDesc type = mapOf(key, value);
  *result = tableFind(&type, s, k) != kNoSlot;
  return 0;
}

//===--- changing a place ---------------------------------------------------===//

/// Out of line, so that the descriptor is made only where it is needed.
__attribute__((noinline)) static void pushSlow(Heap *heap, Type elem, Seq *list, const void *x) {
  TypeDesc type = listOf(elem);
  placePush(heap, &type, list, x);
}
SL_HOT(appendM, Lgg)(Ctx *ctx, Type elem, Seq *list, const void *x) {
  if (elem->plain && list->len < list->cap)
    memcpy(static_cast<char *>(list->data) + uint64_t(list->len++) * elem->size, x, elem->size);
  else
    pushSlow(ctx->heap, elem, list, x);
  return 0;
}

/// An index before the start prepends, one past the end appends.
static uint32_t insertAt(const Seq *list, int32_t at) {
  return at < 0 ? 0 : uint32_t(at) < list->len ? uint32_t(at) : list->len;
}
SL_HOT(insertM, Lggi)(Ctx *ctx, Type elem, Seq *list, const void *x, int32_t at) {
  TypeDesc type = listOf(elem);
  placeInsert(ctx->heap, &type, list, insertAt(list, at), x, 1);
  return 0;
}
SL_HOT(insertM, LgLgi)(Ctx *ctx, Type elem, Seq *list, const Seq *xs, int32_t at) {
  TypeDesc type = listOf(elem);
  placeInsert(ctx->heap, &type, list, insertAt(list, at), xs->data, xs->len);
  return 0;
}
SL_HOT(insertM, Sgg)(Ctx *ctx, Type elem, Seq *set, const void *x) {
  TypeDesc type = setOf(elem);
  bool added;
  tableSlot(ctx->heap, &type, set, x, &added);
  return 0;
}
SL_HOT(insertM, Mgggg)(Ctx *ctx, Type key, Type value, Seq *map, const void *k, const void *v) {
  TypeDesc type = mapOf(key, value);
  // v may lie in the map, whose buffer may move.
  alignas(16) char small[64];
  bool inside = v >= map->data && v < elementAt(&type, map, map->len);
  if (inside) {
    void *copy = value->size <= sizeof small ? small : arenaAlloc(ctx->scratch, value->size, 16);
    v = memcpy(copy, v, value->size);
  }
  bool added;
  uint32_t slot = tableSlot(ctx->heap, &type, map, k, &added);
  sl_assign(ctx, value, elementAt(&type, map, slot) + type.valueOffset, v);
  return 0;
}

/// Clips a range of indices, both included; false: nothing is in it.
static bool clipRange(const Seq *list, int32_t &from, int32_t &to) {
  if (from < 0)
    from = 0;
  if (int64_t(to) >= list->len)
    to = int32_t(list->len) - 1;
  return from <= to;
}
SL(removeM, Lgii)(Ctx *ctx, Type elem, Seq *list, int32_t from, int32_t to) {
  TypeDesc type = listOf(elem);
  if (clipRange(list, from, to))
    placeErase(ctx->heap, &type, list, uint32_t(from), uint32_t(to) + 1);
  return 0;
}
SL_HOT(removeM, Lgi)(Ctx *ctx, Type elem, Seq *list, int32_t at) {
  return at < 0 ? 0 : sl_removeM_Lgii(ctx, elem, list, at, at);
}
SL_HOT(removeM, Sgg)(Ctx *ctx, Type elem, Seq *set, const void *x) {
  TypeDesc type = setOf(elem);
  uint32_t slot = tableFind(&type, set, x);
  if (slot != kNoSlot)
    tableRemove(ctx->heap, &type, set, slot);
  return 0;
}
SL_HOT(removeM, Mggg)(Ctx *ctx, Type key, Type value, Seq *map, const void *k) {
  TypeDesc type = mapOf(key, value);
  uint32_t slot = tableFind(&type, map, k);
  if (slot != kNoSlot)
    tableRemove(ctx->heap, &type, map, slot);
  return 0;
}

SL_HOT(clearM, Lg)(Ctx *ctx, Type elem, Seq *list) {
  if (elem->plain) {
    list->len = 0;
  } else {
    TypeDesc type = listOf(elem);
    placeClear(ctx->heap, &type, list);
  }
  return 0;
}
SL_HOT(clearM, Sg)(Ctx *ctx, Type elem, Seq *set) {
  TypeDesc type = setOf(elem);
  placeClear(ctx->heap, &type, set);
  return 0;
}
SL_HOT(clearM, Mgg)(Ctx *ctx, Type key, Type value, Seq *map) {
  TypeDesc type = mapOf(key, value);
  placeClear(ctx->heap, &type, map);
  return 0;
}

SL(concatM, LgLg)(Ctx *ctx, Type elem, Seq *list, const Seq *xs) {
  TypeDesc type = listOf(elem);
  placeInsert(ctx->heap, &type, list, list->len, xs->data, xs->len);
  return 0;
}
SL(concatM, SgSg)(Ctx *ctx, Type elem, Seq *set, const Seq *xs) {
  if (set == xs)
    return 0;
  TypeDesc type = setOf(elem);
  bool added;
  for (uint32_t i = 0; i < xs->len; ++i)
    tableSlot(ctx->heap, &type, set, elementAt(&type, xs, i), &added);
  return 0;
}

//===--- ranges -------------------------------------------------------------===//

SL(range, iii)(Ctx *ctx, Seq *result, int32_t from, int32_t to, int32_t step) {
  if (!step)
    return sl_error(ctx, "range: the step is 0");
  int64_t span = step > 0 ? int64_t(to) - from : int64_t(from) - to;
  int64_t by = step > 0 ? int64_t(step) : -int64_t(step);
  uint64_t count = span > 0 ? uint64_t((span + by - 1) / by) : 0;
  *result = scratchList(ctx, count, 4);
  int32_t *data = listData<int32_t>(*result);
  for (uint64_t i = 0; i < count; ++i)
    data[i] = int32_t(from + int64_t(i) * step);
  return 0;
}
SL(range, ii)(Ctx *ctx, Seq *result, int32_t from, int32_t to) {
  return sl_range_iii(ctx, result, from, to, 1);
}
SL(range, i)(Ctx *ctx, Seq *result, int32_t to) { return sl_range_iii(ctx, result, 0, to, 1); }
SL(range, Lg)(Ctx *ctx, Type, Seq *result, const Seq *list) {
  return sl_range_iii(ctx, result, 0, int32_t(list->len), 1);
}

//===--- any value ----------------------------------------------------------===//

SL_HOT(hashCode, g)(Ctx *, Type type, uint64_t *result, const void *v) {
  *result = hashValue(type, v);
  return 0;
}
