//===- CollectionFunctions.cpp - spl.collection, the rest -------*- C++ -*-===//
#include "stdlib/native/Library.h"

using namespace sluice;

namespace {

/// A list that is built in scratch, of at most `room` elements.
struct ListBuilder {
  TypeDesc type;
  Seq list;
  ListBuilder(Ctx *ctx, Type elem, uint64_t room)
      : type(listOf(elem)), list(scratchList(ctx, room, type.stride)) {
    list.len = 0;
  }
  void add(const void *elem) { memcpy(elementAt(&type, &list, list.len++), elem, type.elem->size); }
  /// Elements [from, to) of another list of this type.
  void addRange(const Seq *other, uint64_t from, uint64_t to) {
    if (from >= to)
      return;
    memcpy(elementAt(&type, &list, list.len), elementAt(&type, other, from),
           (to - from) * type.stride);
    list.len += uint32_t(to - from);
  }
};

uint32_t clip(const Seq *list, int32_t at) {
  return at < 0 ? 0 : uint32_t(at) < list->len ? uint32_t(at) : list->len;
}

/// A set or map in scratch that begins as a copy of another one.
struct TableBuilder {
  const TypeDesc &type;
  Seq table;
  TableBuilder(Ctx *ctx, const TypeDesc &type, uint32_t room) : type(type) {
    tableReserve(ctx->scratch, &type, &table, room);
  }
  char *add(const void *key) {
    bool added;
    return elementAt(&type, &table, tableAdd(&type, &table, key, &added));
  }
  void addEntry(const char *entry) {
    char *to = add(entry);
    if (type.kind == Kind::Map)
      memcpy(to + type.valueOffset, entry + type.valueOffset, type.value->size);
  }
  void addAll(const Seq *other, uint32_t skip = kNoSlot) {
    for (uint32_t i = 0; i < other->len; ++i)
      if (i != skip)
        addEntry(elementAt(&type, other, i));
  }
};

} // namespace

//===--- insert, remove -----------------------------------------------------===//

SL(insert, LgLgi)(Ctx *ctx, Type elem, Seq *result, const Seq *list, const Seq *xs, int32_t at) {
  ListBuilder b(ctx, elem, uint64_t(list->len) + xs->len);
  uint32_t split = clip(list, at);
  b.addRange(list, 0, split);
  b.addRange(xs, 0, xs->len);
  b.addRange(list, split, list->len);
  *result = b.list;
  return 0;
}
SL(insert, Lggi)(Ctx *ctx, Type elem, Seq *result, const Seq *list, const void *x, int32_t at) {
  Seq one = {1, 0, const_cast<void *>(x)};
  return sl_insert_LgLgi(ctx, elem, result, list, &one, at);
}
SL(insert, Sgg)(Ctx *ctx, Type elem, Seq *result, const Seq *set, const void *x) {
  TypeDesc type = setOf(elem);
  TableBuilder b(ctx, type, set->len + 1);
  b.addAll(set);
  b.add(x);
  *result = b.table;
  return 0;
}
SL(insert, Mgggg)(Ctx *ctx, Type key, Type value, Seq *result, const Seq *map, const void *k,
                  const void *v) {
  TypeDesc type = mapOf(key, value);
  TableBuilder b(ctx, type, map->len + 1);
  b.addAll(map);
  memcpy(b.add(k) + type.valueOffset, v, value->size);
  *result = b.table;
  return 0;
}

SL(remove, Lgii)(Ctx *ctx, Type elem, Seq *result, const Seq *list, int32_t from, int32_t to) {
  ListBuilder b(ctx, elem, list->len);
  uint32_t first = clip(list, from), last = to < 0 ? 0 : clip(list, to == INT32_MAX ? to : to + 1);
  if (last < first)
    last = first;
  b.addRange(list, 0, first);
  b.addRange(list, last, list->len);
  *result = b.list;
  return 0;
}
SL(remove, Lgi)(Ctx *ctx, Type elem, Seq *result, const Seq *list, int32_t at) {
  if (at < 0) {
    *result = *list;
    return 0;
  }
  return sl_remove_Lgii(ctx, elem, result, list, at, at);
}
SL(remove, LgLi)(Ctx *ctx, Type elem, Seq *result, const Seq *list, const Seq *indices) {
  auto *gone = static_cast<uint8_t *>(arenaAlloc(ctx->scratch, list->len, 1));
  memset(gone, 0, list->len);
  for (uint32_t i = 0; i < indices->len; ++i)
    if (uint32_t at = uint32_t(listData<int32_t>(*indices)[i]); at < list->len)
      gone[at] = 1;
  ListBuilder b(ctx, elem, list->len);
  for (uint32_t i = 0; i < list->len; ++i)
    if (!gone[i])
      b.addRange(list, i, i + 1);
  *result = b.list;
  return 0;
}
SL(remove, Sgg)(Ctx *ctx, Type elem, Seq *result, const Seq *set, const void *x) {
  TypeDesc type = setOf(elem);
  TableBuilder b(ctx, type, set->len);
  b.addAll(set, tableFind(&type, set, x));
  *result = b.table;
  return 0;
}
SL(remove, Mggg)(Ctx *ctx, Type key, Type value, Seq *result, const Seq *map, const void *k) {
  TypeDesc type = mapOf(key, value);
  TableBuilder b(ctx, type, map->len);
  b.addAll(map, tableFind(&type, map, k));
  *result = b.table;
  return 0;
}

//===--- parts, joins -------------------------------------------------------===//

SL(concat, LgLg)(Ctx *ctx, Type elem, Seq *result, const Seq *a, const Seq *b) {
  return sl_insert_LgLgi(ctx, elem, result, a, b, INT32_MAX);
}

/// `count` runs of 1 + `more` elements, `skip` elements apart.
SL(slice, Lgiiii)(Ctx *ctx, Type elem, Seq *result, const Seq *list, int32_t from, int32_t count,
                  int32_t skip, int32_t more) {
  int64_t run = 1 + int64_t(more < 0 ? 0 : more), step = run + (skip < 0 ? 0 : skip), at = from;
  if (at < 0) { // as if the list were longer at its front
    int64_t lost = (-at + step - 1) / step;
    count = lost > count ? 0 : int32_t(count - lost);
    at += lost * step;
  }
  ListBuilder b(ctx, elem, list->len);
  for (; count > 0 && at < list->len; --count, at += step)
    b.addRange(list, uint64_t(at), uint64_t(at + run < list->len ? at + run : list->len));
  *result = b.list;
  return 0;
}
SL(slice, Lgiii)(Ctx *ctx, Type elem, Seq *result, const Seq *list, int32_t from, int32_t count,
                 int32_t skip) {
  return sl_slice_Lgiiii(ctx, elem, result, list, from, count, skip, 0);
}
SL(slice, Lgii)(Ctx *ctx, Type elem, Seq *result, const Seq *list, int32_t from, int32_t count) {
  return sl_slice_Lgiiii(ctx, elem, result, list, from, count, 0, 0);
}

/// Leaves bad indices out.
SL(at, LgLj)(Ctx *ctx, Type elem, Seq *result, const Seq *list, const Seq *indices) {
  ListBuilder b(ctx, elem, indices->len);
  for (uint32_t i = 0; i < indices->len; ++i)
    if (uint32_t at = listData<uint32_t>(*indices)[i]; at < list->len)
      b.addRange(list, at, uint64_t(at) + 1);
  *result = b.list;
  return 0;
}

SL(selectFromList, LbLgLg)(Ctx *ctx, Type elem, Seq *result, const Seq *which, const Seq *a,
                           const Seq *b) {
  if (which->len != a->len || which->len != b->len)
    return sl_error(ctx, "selectFromList: the lists have %u, %u and %u elements", which->len,
                    a->len, b->len);
  ListBuilder builder(ctx, elem, which->len);
  for (uint32_t i = 0; i < which->len; ++i)
    builder.addRange(listData<uint8_t>(*which)[i] ? a : b, i, i + 1);
  *result = builder.list;
  return 0;
}

SL(reverse, Lg)(Ctx *ctx, Type elem, Seq *result, const Seq *list) {
  ListBuilder b(ctx, elem, list->len);
  for (uint32_t i = list->len; i-- > 0;)
    b.addRange(list, i, uint64_t(i) + 1);
  *result = b.list;
  return 0;
}
SL(reverseM, Lg)(Ctx *ctx, Type elem, Seq *list) {
  ArenaCheckpoint checkpoint = arenaCheckpoint(ctx->scratch);
  Seq turned;
  sl_reverse_Lg(ctx, elem, &turned, list);
  if (list->len) // the same elements: ownership does not change
    memcpy(list->data, turned.data, uint64_t(list->len) * listOf(elem).stride);
  arenaRelease(ctx->scratch, checkpoint);
  return 0;
}

//===--- searching ----------------------------------------------------------===//

namespace {

/// Whether the elements from `i` on are those of `what`.
bool matches(const TypeDesc *type, const Seq *list, uint64_t i, const Seq *what) {
  for (uint32_t k = 0; k < what->len; ++k)
    if (!equalValue(type->elem, elementAt(type, list, i + k), elementAt(type, what, k)))
      return false;
  return true;
}
int32_t findSubList(Type elem, const Seq *list, const Seq *what, int64_t from, bool forward) {
  TypeDesc type = listOf(elem);
  int64_t last = int64_t(list->len) - what->len;
  if (forward) {
    for (int64_t i = from < 0 ? 0 : from; i <= last; ++i)
      if (matches(&type, list, uint64_t(i), what))
        return int32_t(i);
  } else {
    for (int64_t i = from < last ? from : last; i >= 0; --i)
      if (matches(&type, list, uint64_t(i), what))
        return int32_t(i);
  }
  return -1;
}
int32_t findMember(Type elem, const Seq *list, const Seq *of, int64_t from, bool forward, bool in) {
  TypeDesc type = listOf(elem);
  auto hit = [&](int64_t i) {
    return (sl_contains(&type, of, elementAt(&type, list, uint64_t(i))) != 0) == in;
  };
  if (forward) {
    for (int64_t i = from < 0 ? 0 : from; i < list->len; ++i)
      if (hit(i))
        return int32_t(i);
  } else {
    for (int64_t i = from < list->len ? from : int64_t(list->len) - 1; i >= 0; --i)
      if (hit(i))
        return int32_t(i);
  }
  return -1;
}
void findAll(Ctx *ctx, Type elem, Seq *result, const Seq *list, const Seq *of, bool in) {
  TypeDesc type = listOf(elem);
  Seq found = scratchList(ctx, list->len, 4);
  uint32_t count = 0;
  for (uint32_t i = 0; i < list->len; ++i)
    if ((sl_contains(&type, of, elementAt(&type, list, i)) != 0) == in)
      listData<int32_t>(found)[count++] = int32_t(i);
  *result = {count, 0, found.data};
}
Seq single(const void *x) { return {1, 0, const_cast<void *>(x)}; }

} // namespace

SL(find, Lgg)(Ctx *ctx, Type elem, Seq *result, const Seq *list, const void *x) {
  Seq one = single(x);
  findAll(ctx, elem, result, list, &one, true);
  return 0;
}
SL(findOf, LgLg)(Ctx *ctx, Type elem, Seq *result, const Seq *list, const Seq *of) {
  findAll(ctx, elem, result, list, of, true);
  return 0;
}
SL(findNotOf, LgLg)(Ctx *ctx, Type elem, Seq *result, const Seq *list, const Seq *of) {
  findAll(ctx, elem, result, list, of, false);
  return 0;
}

#define SLUICE_FIND(name, body)                                                                    \
  SL(name, LgLgi)(Ctx *, Type elem, int32_t *result, const Seq *list, const Seq *what,             \
                  int32_t from) {                                                                  \
    *result = body;                                                                                \
    return 0;                                                                                      \
  }
SLUICE_FIND(findFirst, findSubList(elem, list, what, from, true))
SLUICE_FIND(findLast, findSubList(elem, list, what, from, false))
SLUICE_FIND(findFirstOf, findMember(elem, list, what, from, true, true))
SLUICE_FIND(findLastOf, findMember(elem, list, what, from, false, true))
SLUICE_FIND(findFirstNotOf, findMember(elem, list, what, from, true, false))
SLUICE_FIND(findLastNotOf, findMember(elem, list, what, from, false, false))
SL(findFirst, LgLg)(Ctx *ctx, Type elem, int32_t *result, const Seq *list, const Seq *what) {
  return sl_findFirst_LgLgi(ctx, elem, result, list, what, 0);
}
SL(findFirst, Lggi)(Ctx *ctx, Type elem, int32_t *result, const Seq *list, const void *x,
                    int32_t from) {
  Seq one = single(x);
  return sl_findFirst_LgLgi(ctx, elem, result, list, &one, from);
}
SL(findFirst, Lgg)(Ctx *ctx, Type elem, int32_t *result, const Seq *list, const void *x) {
  return sl_findFirst_Lggi(ctx, elem, result, list, x, 0);
}
SL(findLast, Lggi)(Ctx *ctx, Type elem, int32_t *result, const Seq *list, const void *x,
                   int32_t from) {
  Seq one = single(x);
  return sl_findLast_LgLgi(ctx, elem, result, list, &one, from);
}
SL(findFirstOf, LgLg)(Ctx *ctx, Type elem, int32_t *result, const Seq *list, const Seq *of) {
  return sl_findFirstOf_LgLgi(ctx, elem, result, list, of, 0);
}
SL(findFirstNotOf, LgLg)(Ctx *ctx, Type elem, int32_t *result, const Seq *list, const Seq *of) {
  return sl_findFirstNotOf_LgLgi(ctx, elem, result, list, of, 0);
}

//===--- sets, maps ---------------------------------------------------------===//

SL(toSet, Lg)(Ctx *ctx, Type elem, Seq *result, const Seq *list) {
  TypeDesc type = setOf(elem);
  sl_make_set(ctx, &type, result, list->data, list->len);
  return 0;
}
SL(countDistinct, Lg)(Ctx *ctx, Type elem, int32_t *result, const Seq *list) {
  ArenaCheckpoint checkpoint = arenaCheckpoint(ctx->scratch);
  Seq set;
  sl_toSet_Lg(ctx, elem, &set, list);
  *result = int32_t(set.len);
  arenaRelease(ctx->scratch, checkpoint);
  return 0;
}
SL(keys, Mgg)(Ctx *ctx, Type key, Type value, Seq *result, const Seq *map) {
  TypeDesc type = mapOf(key, value);
  ListBuilder b(ctx, key, map->len);
  for (uint32_t i = 0; i < map->len; ++i)
    b.add(elementAt(&type, map, i));
  *result = b.list;
  return 0;
}
SL(setUnion, SgSg)(Ctx *ctx, Type elem, Seq *result, const Seq *a, const Seq *b) {
  TypeDesc type = setOf(elem);
  TableBuilder builder(ctx, type, a->len + b->len);
  builder.addAll(a);
  builder.addAll(b);
  *result = builder.table;
  return 0;
}
static int32_t filterSet(Ctx *ctx, Type elem, Seq *result, const Seq *a, const Seq *b, bool in) {
  TypeDesc type = setOf(elem);
  TableBuilder builder(ctx, type, a->len);
  for (uint32_t i = 0; i < a->len; ++i)
    if ((tableFind(&type, b, elementAt(&type, a, i)) != kNoSlot) == in)
      builder.add(elementAt(&type, a, i));
  *result = builder.table;
  return 0;
}
SL(setIntersection, SgSg)(Ctx *ctx, Type elem, Seq *result, const Seq *a, const Seq *b) {
  return filterSet(ctx, elem, result, a, b, true);
}
SL(setDifference, SgSg)(Ctx *ctx, Type elem, Seq *result, const Seq *a, const Seq *b) {
  return filterSet(ctx, elem, result, a, b, false);
}
