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

/// Says how much all takers may hold together, in bytes; 0: no limit. Before the first of them
/// takes any, or when the program ends.
void limitMemory(uint64_t bytes);

/// Ends the program, because there is no memory for `bytes` bytes; 0: how many is not known.
[[noreturn]] void outOfMemory(uint64_t bytes);
/// Sets what outOfMemory() calls first; null: nothing.
void onOutOfMemory(void (*call)(uint64_t bytes));

} // namespace sluice
