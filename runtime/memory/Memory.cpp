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

void *takeMemory(uint64_t bytes, uint64_t align) {
  uint64_t most = limit.load(std::memory_order_relaxed);
  if (most && (bytes > most || held.load(std::memory_order_relaxed) > most - bytes))
    outOfMemory(bytes);
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

} // namespace sluice
