//===- OrderFunctions.cpp - spl.collection: sorting, comparing, sequences -*- C++ -*-===//
#include "stdlib/native/Library.h"
#include "value/Numbers.h"
#include "value/Text.h"
#include <algorithm>

using namespace sluice;

namespace {

/// The stable order of a list's elements.
uint32_t *sortedIndices(Ctx *ctx, Type elem, const Seq *list) {
  TypeDesc type = listOf(elem);
  auto *order = static_cast<uint32_t *>(arenaAlloc(ctx->scratch, uint64_t(list->len) * 4, 4));
  for (uint32_t i = 0; i < list->len; ++i)
    order[i] = i;
  std::sort(order, order + list->len, [&](uint32_t a, uint32_t b) {
    int32_t c = compareValue(elem, elementAt(&type, list, a), elementAt(&type, list, b));
    return c ? c < 0 : a < b;
  });
  return order;
}

void sortInPlace(Ctx *ctx, Type elem, Seq *list) {
  bool number = withNumber(elem->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    T *data = listData<T>(*list);
    std::sort(data, data + list->len, [](const T &a, const T &b) {
      if constexpr (T(0.5) != T(0))
        return compareFloat<T>(&a, &b) < 0;
      else
        return a < b;
    });
  });
  if (number || !list->len)
    return;
  ArenaCheckpoint checkpoint = arenaCheckpoint(ctx->scratch);
  TypeDesc type = listOf(elem);
  uint32_t *order = sortedIndices(ctx, elem, list);
  Seq copy = scratchList(ctx, list->len, type.stride);
  for (uint32_t i = 0; i < list->len; ++i)
    memcpy(elementAt(&type, &copy, i), elementAt(&type, list, order[i]), type.stride);
  memcpy(list->data, copy.data, uint64_t(list->len) * type.stride);
  arenaRelease(ctx->scratch, checkpoint);
}

} // namespace

SL(sort, Lg)(Ctx *ctx, Type elem, Seq *result, const Seq *list) {
  TypeDesc type = listOf(elem);
  Seq copy;
  sl_make_list(ctx, &type, &copy, list->data, list->len);
  sortInPlace(ctx, elem, &copy);
  *result = copy;
  return 0;
}
/// The same elements in another order: ownership does not change.
SL(sortM, Lg)(Ctx *ctx, Type elem, Seq *list) {
  sortInPlace(ctx, elem, list);
  return 0;
}
SL(sortIndices, Lg)(Ctx *ctx, Type elem, Seq *result, const Seq *list) {
  *result = {list->len, 0, sortedIndices(ctx, elem, list)};
  return 0;
}

SL(lexicographicalCompare, LgLg)(Ctx *, Type elem, int32_t *result, const Seq *a, const Seq *b) {
  TypeDesc type = listOf(elem);
  *result = compareValue(&type, a, b);
  return 0;
}

//===--- pairwise: the shorter list counts ----------------------------------===//

static Seq compareAll(Ctx *ctx, Type elem, uint32_t count, const char *a, uint32_t stepA,
                      const char *b, uint32_t stepB) {
  Seq result = scratchList(ctx, count, 4);
  for (uint32_t i = 0; i < count; ++i, a += stepA, b += stepB)
    listData<int32_t>(result)[i] = compareValue(elem, a, b);
  return result;
}
SL(pairwiseCompare, LgLg)(Ctx *ctx, Type elem, Seq *result, const Seq *a, const Seq *b) {
  uint32_t stride = listOf(elem).stride;
  *result = compareAll(ctx, elem, std::min(a->len, b->len), listData<char>(*a), stride,
                       listData<char>(*b), stride);
  return 0;
}
SL(pairwiseCompare, Lgg)(Ctx *ctx, Type elem, Seq *result, const Seq *a, const void *b) {
  *result = compareAll(ctx, elem, a->len, listData<char>(*a), listOf(elem).stride,
                       static_cast<const char *>(b), 0);
  return 0;
}
SL(pairwiseCompare, gLg)(Ctx *ctx, Type elem, Seq *result, const void *a, const Seq *b) {
  *result = compareAll(ctx, elem, b->len, static_cast<const char *>(a), 0, listData<char>(*b),
                       listOf(elem).stride);
  return 0;
}
static int32_t chooseAll(Ctx *ctx, Type elem, Seq *result, const Seq *a, const Seq *b, int sign) {
  TypeDesc type = listOf(elem);
  Seq list = scratchList(ctx, std::min(a->len, b->len), type.stride);
  for (uint32_t i = 0; i < list.len; ++i) {
    const char *x = elementAt(&type, a, i), *y = elementAt(&type, b, i);
    memcpy(elementAt(&type, &list, i), compareValue(elem, x, y) * sign > 0 ? x : y, type.stride);
  }
  *result = list;
  return 0;
}
SL(pairwiseMin, LgLg)(Ctx *ctx, Type elem, Seq *result, const Seq *a, const Seq *b) {
  return chooseAll(ctx, elem, result, a, b, -1);
}
SL(pairwiseMax, LgLg)(Ctx *ctx, Type elem, Seq *result, const Seq *a, const Seq *b) {
  return chooseAll(ctx, elem, result, a, b, 1);
}

//===--- sequences ----------------------------------------------------------===//

static int32_t negativeCount(Ctx *ctx, int32_t count) {
  return sl_error(ctx, "makeSequence: the count is %d", count);
}
SL(makeSequence, gig)(Ctx *ctx, Type type, Seq *result, const void *from, int32_t count,
                      const void *step) {
  if (count < 0)
    return negativeCount(ctx, count);
  *result = scratchList(ctx, uint64_t(count), type->size);
  withAnyNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    T *data = listData<T>(*result), v = load<T>(from), by = load<T>(step);
    for (int32_t i = 0; i < count; ++i, v = T(v + by))
      data[i] = v;
  });
  return 0;
}
SL(makeSequence, gi)(Ctx *ctx, Type type, Seq *result, const void *from, int32_t count) {
  char one[16] = {};
  withAnyNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    store(one, numberOf<T>(1));
  });
  return sl_makeSequence_gig(ctx, type, result, from, count, one);
}
/// a0, a1, a2 ...
SL(makeSequence, ri)(Ctx *ctx, Seq *result, const Str *prefix, int32_t count) {
  if (count < 0)
    return negativeCount(ctx, count);
  Seq list = scratchList(ctx, uint64_t(count), sizeof(Str));
  TextOut text;
  for (int32_t i = 0; i < count; ++i) {
    text.clear();
    text.put(viewOf(*prefix));
    printInteger(text, int64_t(i));
    listData<Str>(list)[i] = keepText(ctx, text.data, text.size);
  }
  *result = list;
  return 0;
}
