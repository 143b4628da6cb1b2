//===- Memory.cpp - memory of the system ----------------------------------===//
#include "runtime/memory/Memory.h"
#include "runtime/base/os.h"
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>

namespace sluice {

// relaxed: sums and settings, which publish nothing.
static std::atomic<uint64_t> limit{0}; // 0: none, and nothing is counted
static std::atomic<uint64_t> held{0};
static std::atomic<void (*)(uint64_t)> atEnd{nullptr};

void limitMemory(uint64_t bytes) { limit.store(bytes, std::memory_order_relaxed); }
uint64_t heldMemory() { return held.load(std::memory_order_relaxed); }
void onOutOfMemory(void (*call)(uint64_t)) { atEnd.store(call, std::memory_order_relaxed); }

void outOfMemory(uint64_t bytes) {
  if (auto *call = atEnd.load(std::memory_order_relaxed))
    call(bytes);
  fprintf(stderr, "error: out of memory: %llu bytes were asked for\n",
          static_cast<unsigned long long>(bytes));
  os::endProcess(1);
}

static void *allocate(uint64_t bytes, uint64_t align) {
  if (align <= alignof(max_align_t))
    return malloc(bytes);
  uint64_t size = (bytes + align - 1) & -align;
  return size < bytes ? nullptr : aligned_alloc(align, size);
}

/// Whether `more` bytes do not exceed the limit.
static bool isWithin(uint64_t most, uint64_t more) {
  return !most || (more <= most && held.load(std::memory_order_relaxed) <= most - more);
}

/// Ends the program if `more` bytes exceed the limit. Returns the limit.
static uint64_t checkLimit(uint64_t more) {
  uint64_t most = limit.load(std::memory_order_relaxed);
  if (!isWithin(most, more))
    outOfMemory(more);
  return most;
}

void *takeMemory(uint64_t bytes, uint64_t align) {
  uint64_t most = checkLimit(bytes);
  void *p = allocate(bytes, align);
  if (!p)
    outOfMemory(bytes);
  if (most)
    held.fetch_add(malloc_usable_size(p), std::memory_order_relaxed);
  return p;
}

void giveMemory(void *p) {
  if (p && limit.load(std::memory_order_relaxed))
    held.fetch_sub(malloc_usable_size(p), std::memory_order_relaxed);
  free(p);
}

void *tryGrowMemory(void *p, uint64_t bytes) {
  uint64_t most = limit.load(std::memory_order_relaxed);
  uint64_t before = p ? malloc_usable_size(p) : 0;
  if (!isWithin(most, bytes > before ? bytes - before : 0))
    return nullptr;
  void *grown = realloc(p, bytes);
  if (grown && most)
    held.fetch_add(malloc_usable_size(grown) - before, std::memory_order_relaxed);
  return grown;
}

void *growMemory(void *p, uint64_t bytes) {
  void *grown = tryGrowMemory(p, bytes);
  if (!grown)
    outOfMemory(bytes);
  return grown;
}

void dropSpareMemory() { malloc_trim(0); }

//===--- large pages --------------------------------------------------------===//

static uint64_t wholePages(uint64_t bytes) { return (bytes + kLargePage - 1) & -kLargePage; }

static void *map(uint64_t size) {
  void *p = os::mapPages(size, kLargePage);
  if (!p)
    outOfMemory(size);
  return p;
}

void *takePages(uint64_t bytes) {
  uint64_t size = wholePages(bytes);
  if (checkLimit(size))
    held.fetch_add(size, std::memory_order_relaxed);
  return map(size);
}

void givePages(void *p, uint64_t bytes) {
  uint64_t size = wholePages(bytes);
  if (limit.load(std::memory_order_relaxed))
    held.fetch_sub(size, std::memory_order_relaxed);
  os::unmapPages(p, size);
}

void *growPages(void *p, uint64_t bytes, uint64_t larger) {
  uint64_t size = wholePages(bytes), grown = wholePages(larger);
  if (grown == size)
    return p;
  if (checkLimit(grown - size))
    held.fetch_add(grown - size, std::memory_order_relaxed);
  void *to = map(grown);
  os::movePages(p, size, to);
  return to;
}

} // namespace sluice
