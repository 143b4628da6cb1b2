//===- Arena.cpp - blocks of an arena ---------------------------*- C++ -*-===//
//
// Part of the bitcode: no C++ library here.
//
//===----------------------------------------------------------------------===//
#include "memory/Arena.h"
#include "memory/Memory.h"

namespace sluice {

static constexpr uint64_t kBlockBytes = 64 * 1024;

static void enter(Arena *arena, Block *block) {
  arena->block = block;
  arena->ptr = block->begin();
  arena->end = block->end;
}

/// A fresh block of at least `bytes`, linked behind the current one.
static Block *link(Arena *arena, uint64_t bytes) {
  uint64_t size = (bytes + sizeof(Block) + alignof(Block) - 1) & -alignof(Block);
  if (size < kBlockBytes)
    size = kBlockBytes;
  auto *block = static_cast<Block *>(takeMemory(size, alignof(Block)));
  block->end = reinterpret_cast<char *>(block) + size;
  if (Block *last = arena->block) {
    block->next = last->next;
    block->first = last->first;
    last->next = block;
  } else {
    block->next = nullptr;
    block->first = block;
  }
  return block;
}

__attribute__((noinline)) void *arenaGrow(Arena *arena, uint64_t bytes, uint64_t align) {
  Block *next = arena->block ? arena->block->next : nullptr;
  if (!next || uint64_t(next->end - next->begin()) < bytes + align)
    next = link(arena, bytes + align);
  enter(arena, next);
  return arenaAlloc(arena, bytes, align);
}

void arenaReset(Arena *arena) {
  if (arena->block)
    enter(arena, arena->block->first);
}

static void freeFrom(Block *block) {
  while (block) {
    Block *next = block->next;
    giveMemory(block);
    block = next;
  }
}

void arenaTrim(Arena *arena, uint64_t keep) {
  Block *first = arena->block ? arena->block->first : nullptr, *last = nullptr;
  uint64_t kept = 0;
  for (Block *block = first; block && (kept += uint64_t(block->end - block->begin())) <= keep;
       block = block->next)
    last = block;
  if (!last)
    return arenaFree(arena);
  freeFrom(last->next);
  last->next = nullptr;
  enter(arena, first);
}

void arenaFree(Arena *arena) {
  freeFrom(arena->block ? arena->block->first : nullptr);
  *arena = {};
}

} // namespace sluice
