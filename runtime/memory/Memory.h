//===- Memory.h - memory of the system --------------------------*- C++ -*-===//
//
// Heaps, arenas and batches get their memory here, a block at a time. No caller sees a failure:
// when there is no more memory the program ends.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>

namespace sluice {

/// Allocates bytes; `align` is a power of two. Any thread.
void *takeMemory(uint64_t bytes, uint64_t align = 16);
void giveMemory(void *);
/// Makes `p`, of takeMemory() or null, as large as that and keeps what is in it. tryGrowMemory()
/// returns null, and changes nothing, where there is no memory.
void *growMemory(void *p, uint64_t bytes);
void *tryGrowMemory(void *p, uint64_t bytes);
/// Gives to the system what was given back and is kept to be taken again: after much of it.
void dropSpareMemory();
/// Memory for large tables, which are read at random: on large pages if the kernel has some, as on
/// small ones nearly each look-up would also miss the TLB. Sizes are rounded up to kLargePage.
constexpr uint64_t kLargePage = 2 << 20;
void *takePages(uint64_t bytes);
void givePages(void *, uint64_t bytes);
/// Makes `bytes` of takePages() `larger`. The system moves them page by page: nothing is copied,
/// and at no moment both are held.
void *growPages(void *, uint64_t bytes, uint64_t larger);

/// Says how much all takers may hold together, in bytes; 0: no limit. Before the first of them
/// takes any, or when the program ends.
void limitMemory(uint64_t bytes);
/// Bytes that all takers hold together; 0 where there is no limit. Any thread.
uint64_t heldMemory();

/// Ends the program, because there is no memory for `bytes` bytes; 0: how many is not known.
[[noreturn]] void outOfMemory(uint64_t bytes);
/// Sets what outOfMemory() calls first; null: nothing.
void onOutOfMemory(void (*call)(uint64_t bytes));

} // namespace sluice
