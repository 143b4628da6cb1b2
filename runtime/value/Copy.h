//===- Copy.h - values made independent of what they pointed to -*- C++ -*-===//
#pragma once
#include "memory/Arena.h"
#include "value/Value.h"

namespace sluice {

void keepSlow(Arena *, const TypeDesc *, void *);

/// For bytes that were copied bit by bit from a value: copies what they point to into the arena.
SLUICE_INLINE void keepPayload(Arena *arena, const TypeDesc *type, void *v) {
  if (type->plain)
    return;
  if (storageOf(type->kind) == Storage::Text && static_cast<Str *>(v)->len <= Str::kInline)
    return;
  keepSlow(arena, type, v);
}

} // namespace sluice
