//===- Heap.cpp - slabs behind the free lists -------------------*- C++ -*-===//
//
// Part of the bitcode: no C++ library here.
//
//===----------------------------------------------------------------------===//
#include "memory/Heap.h"
#include "memory/Memory.h"
#include <string.h>

namespace sluice {

static_assert(sizeof(Heap) < 512);
static constexpr uint64_t kSlabBytes = 64 * 1024;
/// A heap whose slabs hold so many bytes takes large pages as slabs: many small buffers, such as
/// the rings of windows by key, are read at random as a large table is.
static constexpr uint64_t kManySlabs = 2 * kLargePage;

/// Buffers follow. On large pages they begin at a cache line, so that those of whole lines do.
struct alignas(64) Slab {
  Slab *next;
  uint64_t bytes;
};

/// Whether a buffer has whole pages of its own.
static bool hasPages(uint64_t rounded) { return !SLUICE_PLAIN_HEAP && rounded >= kLargePage / 2; }

static void takeSlab(Heap *heap) {
  uint64_t bytes = heap->inSlabs < kManySlabs ? kSlabBytes : kLargePage;
  auto *slab =
      static_cast<Slab *>(hasPages(bytes) ? takePages(bytes) : takeMemory(bytes, alignof(Slab)));
  *slab = {heap->slabs, bytes};
  heap->slabs = slab;
  heap->inSlabs += bytes;
  heap->ptr = reinterpret_cast<char *>(slab + 1);
  heap->end = reinterpret_cast<char *>(slab) + bytes;
}

static void giveSlab(Slab *slab) {
  if (hasPages(slab->bytes))
    givePages(slab, slab->bytes);
  else
    giveMemory(slab);
}

void *heapGrow(Heap *heap, void *p, uint64_t bytes, uint64_t larger) {
  if (hasPages(bytes))
    return growPages(p, bytes, larger);
  void *grown = heapAlloc(heap, larger);
  memcpy(grown, p, bytes);
  heapFree(heap, p, bytes);
  return grown;
}

__attribute__((noinline)) void *heapSlow(Heap *heap, uint64_t bytes) {
  if (SLUICE_PLAIN_HEAP || bytes > Heap::kMaxPooled)
    return hasPages(bytes) ? takePages(bytes) : takeMemory(bytes);
  if (uint64_t(heap->end - heap->ptr) < bytes) {
    // What is left of the old slab is too small for this class only; give it
    // to the class that it fills.
    uint64_t rest = uint64_t(heap->end - heap->ptr);
    while (rest >= 16) {
      uint32_t cls = heapClass(rest);
      uint64_t size = heapClassBytes(cls);
      if (size > rest)
        size = heapClassBytes(--cls);
      heapFree(heap, heap->ptr, size);
      heap->ptr += size;
      rest -= size;
    }
    takeSlab(heap);
  }
  char *p = heap->ptr;
  heap->ptr += bytes;
  return p;
}

void heapFreeLarge(void *p, uint64_t bytes) {
  if (hasPages(heapRound(bytes)))
    givePages(p, heapRound(bytes));
  else
    giveMemory(p);
}

Heap *heapCreate() {
  auto *heap = static_cast<Heap *>(takeMemory(sizeof(Heap)));
  *heap = {};
  return heap;
}

/// Buffers beyond kMaxPooled belong to places: sl_destroy frees them.
void heapEmpty(Heap &heap) {
  for (Slab *slab = heap.slabs; slab;) {
    Slab *next = slab->next;
    giveSlab(slab);
    slab = next;
  }
  heap = {};
}
void heapDestroy(Heap *heap) {
  heapEmpty(*heap);
  giveMemory(heap);
}

} // namespace sluice
