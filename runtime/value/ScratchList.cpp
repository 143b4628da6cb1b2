//===- ScratchList.cpp - lists built in scratch -----------------*- C++ -*-===//
//
// Part of the bitcode: no C++ library here. The header is passed by value, so that it is in
// registers where all functions on a list are inlined.
//
//===----------------------------------------------------------------------===//
#include "memory/Arena.h"
#include "memory/Memory.h"
#include "value/Value.h"

namespace sluice {

static constexpr uint64_t kFirstBytes = 128;

/// Makes room for `cap` elements of `size` bytes, which is more than there is now.
static SLUICE_INLINE Seq scratchMove(Arena *arena, Seq list, uint64_t size, uint32_t cap) {
  void *data = arenaAlloc(arena, cap * size, 16);
  if (list.len)
    memcpy(data, list.data, list.len * size);
  return {list.len, cap, data};
}

/// Grows geometrically; in place if it is the newest allocation of the arena.
__attribute__((noinline)) static Seq scratchGrow(Arena *arena, Seq list, uint64_t size,
                                                 uint64_t least) {
  if (least > UINT32_MAX) // more than a list can have
    outOfMemory(least * size);
  uint64_t cap = list.cap                 ? 2 * uint64_t(list.cap)
                 : size < kFirstBytes / 4 ? kFirstBytes / size
                                          : 4;
  cap = cap < least ? least : cap > UINT32_MAX ? UINT32_MAX : cap;
  char *begin = static_cast<char *>(list.data);
  if (list.cap && begin + list.cap * size == arena->ptr &&
      uint64_t(arena->end - begin) >= cap * size) {
    arena->ptr = begin + cap * size;
    return {list.len, uint32_t(cap), begin};
  }
  return scratchMove(arena, list, size, uint32_t(cap));
}

extern "C" {
SLUICE_ENTRY int32_t sl_scratch_append(Ctx *ctx, const TypeDesc *elem, Seq *place, const void *x) {
  Seq list = *place;
  if (__builtin_expect(list.len == list.cap, 0))
    list = scratchGrow(ctx->scratch, list, elem->size, uint64_t(list.len) + 1);
  memcpy(static_cast<char *>(list.data) + uint64_t(list.len) * elem->size, x, elem->size);
  ++list.len;
  *place = list;
  return 0;
}

SLUICE_ENTRY int32_t sl_scratch_reserve(Ctx *ctx, const TypeDesc *elem, Seq *place, int64_t more) {
  Seq list = *place;
  if (more <= 0 || list.len + uint64_t(more) <= list.cap)
    return 0;
  // The room of a new list is made inline, so that its capacity is known where `more` is known.
  if (list.cap || more > UINT32_MAX)
    list = scratchGrow(ctx->scratch, list, elem->size, list.len + uint64_t(more));
  else
    list = scratchMove(ctx->scratch, list, elem->size, uint32_t(more));
  *place = list;
  return 0;
}

SLUICE_ENTRY int32_t sl_scratch_push(Ctx *, const TypeDesc *elem, Seq *place, const void *x) {
  uint32_t at = place->len;
  __builtin_assume(at < UINT32_MAX);
  memcpy(static_cast<char *>(place->data) + uint64_t(at) * elem->size, x, elem->size);
  place->len = at + 1;
  return 0;
}

SLUICE_ENTRY void sl_scratch_assign(Ctx *ctx, const TypeDesc *type, void *place, const void *src) {
  auto *to = static_cast<Seq *>(place);
  Seq list = *to, value = *static_cast<const Seq *>(src);
  if (value.len > list.cap) {
    list.len = 0;
    list = scratchGrow(ctx->scratch, list, type->stride, value.len);
  }
  if (value.len)
    memmove(list.data, value.data, uint64_t(value.len) * type->stride);
  list.len = value.len;
  *to = list;
}
}

} // namespace sluice
