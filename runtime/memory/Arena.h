//===- Arena.h - bump allocation with checkpoints --------------*- C++ -*-===//
//
// An Arena (abi.h) hands out bytes from a chain of blocks. Blocks behind a
// release stay in the chain and are used again, so a steady state allocates
// nothing. An all-zero Arena is empty and valid.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/abi.h"

namespace sluice {

/// The header of a block; its bytes follow, from the beginning of a cache line, so that it is not
/// left to malloc how many lines what is copied there touches.
struct alignas(64) Block {
  Block *next, *first; // the chain, and its beginning
  char *end;
  char *begin() { return reinterpret_cast<char *>(this + 1); }
};

/// Takes the next block that fits, or a new one; then allocates from it.
void *arenaGrow(Arena *, uint64_t bytes, uint64_t align);
/// Forgets everything, keeps the blocks.
void arenaReset(Arena *);
/// The same; blocks beyond the first `keep` bytes go back to malloc.
void arenaTrim(Arena *, uint64_t keep);
/// Gives the blocks back to malloc.
void arenaFree(Arena *);

inline void *arenaAlloc(Arena *arena, uint64_t bytes, uint64_t align) {
  auto at = (reinterpret_cast<uint64_t>(arena->ptr) + align - 1) & ~(align - 1);
  if (__builtin_expect(at + bytes > reinterpret_cast<uint64_t>(arena->end), 0))
    return arenaGrow(arena, bytes, align);
  arena->ptr = reinterpret_cast<char *>(at + bytes);
  return reinterpret_cast<void *>(at);
}

inline ArenaCheckpoint arenaCheckpoint(const Arena *arena) { return {arena->ptr, arena->block}; }

inline void arenaRelease(Arena *arena, const ArenaCheckpoint &checkpoint) {
  if (__builtin_expect(arena->block == checkpoint.block, 1)) {
    arena->ptr = checkpoint.ptr;
    return;
  }
  if (!checkpoint.block)
    return arenaReset(arena);
  arena->block = checkpoint.block;
  arena->ptr = checkpoint.ptr;
  arena->end = checkpoint.block->end;
}

} // namespace sluice
