//===- Arena.h - bump allocation with checkpoints --------------*- C++ -*-===//
//
// An Arena (abi.h) gives bytes from a chain of blocks. Blocks behind a release stay in the chain
// and are used again, so that a steady state allocates nothing. An all-zero Arena is empty and
// valid. One thread at a time uses an arena.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/abi.h"

namespace sluice {

/// The header of a block. Its bytes follow and begin at a cache line: how many lines a copy touches
/// does not depend on malloc.
struct alignas(64) Block {
  Block *next, *first; // the next block of the chain, and its first
  char *end;           // of the bytes
  char *begin() { return reinterpret_cast<char *>(this + 1); }
};

/// Takes the next block that fits, or a new one; then allocates from it.
void *arenaGrow(Arena *, uint64_t bytes, uint64_t align);
/// Frees all that was allocated; keeps the blocks.
void arenaReset(Arena *);
/// The same; gives blocks beyond the first `keep` bytes back to malloc.
void arenaTrim(Arena *, uint64_t keep);
/// Frees all, and gives the blocks back to malloc.
void arenaFree(Arena *);

/// Allocates bytes; `align` is a power of two.
inline void *arenaAlloc(Arena *arena, uint64_t bytes, uint64_t align) {
  auto at = (reinterpret_cast<uint64_t>(arena->ptr) + align - 1) & ~(align - 1);
  if (__builtin_expect(at + bytes > reinterpret_cast<uint64_t>(arena->end), 0))
    return arenaGrow(arena, bytes, align);
  arena->ptr = reinterpret_cast<char *>(at + bytes);
  return reinterpret_cast<void *>(at);
}

/// Where the arena is now, for arenaRelease().
inline ArenaCheckpoint arenaCheckpoint(const Arena *arena) { return {arena->ptr, arena->block}; }

/// Frees all that was allocated since the checkpoint.
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
