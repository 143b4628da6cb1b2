//===- Copy.cpp - deep copies into arenas -----------------------*- C++ -*-===//
#include "value/Copy.h"
#include "value/Table.h"

namespace sluice {

static void keepSeq(Arena *arena, const TypeDesc *type, Seq *seq) {
  Seq from = *seq;
  seq->cap = 0;
  seq->data = nullptr;
  if (!from.len)
    return;
  uint64_t bytes = uint64_t(from.len) * type->stride;
  if (isHashed(type)) {
    auto *header = static_cast<SeqHeader *>(arenaAlloc(arena, bytes + sizeof(SeqHeader), 16));
    *header = {};
    const SeqHeader *old = tableHeader(&from);
    if (old->index || isTracked(old))
      header->index = copyIndex(arena, type, &from, &header->mask);
    seq->data = header + 1;
  } else {
    seq->data = arenaAlloc(arena, bytes, 16);
  }
  memcpy(seq->data, from.data, bytes);
  bool isMap = type->kind == Kind::Map;
  if (type->elem->plain && !(isMap && !type->value->plain))
    return;
  for (uint32_t i = 0; i < seq->len; ++i) {
    char *entry = elementAt(type, seq, i);
    keepPayload(arena, type->elem, entry);
    if (isMap)
      keepPayload(arena, type->value, entry + type->valueOffset);
  }
}

__attribute__((noinline)) void keepSlow(Arena *arena, const TypeDesc *type, void *v) {
  switch (storageOf(type->kind)) {
  case Storage::Scalar:
  case Storage::Plain:
    return;
  case Storage::Text: {
    auto *s = static_cast<Str *>(v);
    auto *text = static_cast<char *>(arenaAlloc(arena, s->len, 1));
    memcpy(text, s->far.ptr, s->len);
    s->far.ptr = text;
    return;
  }
  case Storage::Sequence:
    return keepSeq(arena, type, static_cast<Seq *>(v));
  case Storage::Parts:
    for (uint32_t i = 0; i < type->count; ++i)
      keepPayload(arena, type->fields[i].type, static_cast<char *>(v) + type->fields[i].offset);
    return;
  }
}

extern "C" {
SLUICE_ENTRY void sl_copy_to(Arena *arena, const TypeDesc *type, void *result, const void *src) {
  memmove(result, src, type->size);
  keepPayload(arena, type, result);
}
SLUICE_ENTRY void sl_copy(Ctx *ctx, const TypeDesc *type, void *result, const void *src) {
  memmove(result, src, type->size);
  keepPayload(ctx->scratch, type, result);
}

SLUICE_ENTRY void *sl_scratch(Ctx *ctx, uint64_t bytes, uint64_t align) {
  return arenaAlloc(ctx->scratch, bytes, align);
}
SLUICE_ENTRY void sl_arena_checkpoint(Ctx *ctx, ArenaCheckpoint *checkpoint) {
  *checkpoint = arenaCheckpoint(ctx->scratch);
}
SLUICE_ENTRY void sl_arena_release(Ctx *ctx, const ArenaCheckpoint *checkpoint) {
  arenaRelease(ctx->scratch, *checkpoint);
}
}

} // namespace sluice
