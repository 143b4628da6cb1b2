//===- Keep.cpp - payload and punctuation of a batch ----------------------===//
//
// Part of the bitcode: no C++ library here.
//
//===----------------------------------------------------------------------===//
#include "memory/Arena.h"
#include "sluice/abi.h"

using namespace sluice;

/// True if the arena holds as much as a batch may. More than fits into the nearest cache is
/// worthwhile only if code processes as many rows at once.
static bool isFull(const Batch *batch) {
  const Arena &arena = batch->arena;
  uint64_t bytes = uint64_t(arena.ptr - arena.block->begin());
  if (__builtin_expect(arena.block == arena.block->first && bytes <= kArenaBytes, 1))
    return false;
  if (batch->rows + 1 >= batch->least)
    return true;
  for (Block *block = arena.block->first; block != arena.block; block = block->next)
    bytes += uint64_t(block->end - block->begin());
  return bytes > kMostArenaBytes;
}

/// The arena has grown. If it is full, the row that is being written becomes the last one. relaxed:
/// as resetBatch() in Batches.h.
static void checkFull(Batch *batch) {
  batch->payload = 0;
  if (__builtin_expect(isFull(batch), 0))
    __atomic_store_n(&batch->limit, batch->rows + 1, __ATOMIC_RELAXED);
}

extern "C" Punctuation *sl_take_puncts(Batch *batch) {
  Punctuation *puncts = batch->puncts;
  if (__builtin_expect(batch->punctCount == 0, 1))
    return puncts;
  uint32_t capacity = batch->punctCapacity;
  batch->puncts = batch->otherPuncts;
  batch->punctCapacity = batch->otherCapacity;
  batch->punctCount = 0;
  batch->otherPuncts = puncts;
  batch->otherCapacity = capacity;
  return puncts;
}

/// Copies bytes that were just written. Word by word: a processor that loads what several stores
/// have written waits until all of them are in the cache, and the ends that memcpy copies are such
/// loads. volatile: neither does the compiler make wider loads of it. More than kWords words are
/// written by the time they are copied, but for the last ones.
static void copyWritten(void *to, const void *from, uint64_t bytes) {
  typedef uint64_t Word __attribute__((aligned(1), may_alias)); // of elements of any type
  constexpr uint64_t kWords = 64;
  uint64_t words = bytes / sizeof(Word);
  if (words > kWords)
    words = 0;
  auto *target = static_cast<Word *>(to);
  auto *source = static_cast<const volatile Word *>(from);
  for (uint64_t i = 0; i < words; ++i)
    target[i] = source[i];
  __builtin_memcpy(target + words, static_cast<const Word *>(from) + words,
                   bytes - words * sizeof(Word));
}

/// Copies what a list of plain elements points to. The row that was just written is not read as a
/// whole, for the same reason.
static void keepPlain(Arena *arena, const TypeDesc *type, Seq *list) {
  const uint64_t bytes = uint64_t(list->len) * type->stride;
  void *copy = arenaAlloc(arena, bytes, 16);
  copyWritten(copy, list->data, bytes);
  list->cap = 0;
  list->data = copy;
}

extern "C" void sl_batch_keep(Batch *batch, const TypeDesc *type, void *value) {
  if (storageOf(type->kind) == Storage::Text) {
    auto *s = static_cast<Str *>(value);
    if (s->len <= Str::kInline)
      return;
    auto *copy = static_cast<char *>(arenaAlloc(&batch->arena, s->len, 1));
    __builtin_memcpy(copy, s->far.ptr, s->len);
    s->far.ptr = copy;
    return checkFull(batch);
  }
  if (type->plain)
    return;
  if (static_cast<Seq *>(value)->len == 0) {
    *static_cast<Seq *>(value) = {};
    return;
  }
  if (type->kind == Kind::List && type->elem->plain) {
    keepPlain(&batch->arena, type, static_cast<Seq *>(value));
    return checkFull(batch);
  }
  Seq copy;
  sl_copy_to(&batch->arena, type, &copy, value);
  *static_cast<Seq *>(value) = copy;
  checkFull(batch);
}
