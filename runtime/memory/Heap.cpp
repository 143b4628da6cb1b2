//===- Heap.cpp - slabs behind the free lists -------------------*- C++ -*-===//
//
// Part of the bitcode: no C++ library here.
//
//===----------------------------------------------------------------------===//
#include "memory/Heap.h"
#include "memory/Memory.h"
#include <sys/mman.h>

namespace sluice {

static_assert(sizeof(Heap) < 512);
static constexpr uint64_t kSlabBytes = 64 * 1024;

struct Slab {
  Slab *next;
  uint64_t pad;
};

static constexpr uint64_t kHugePage = 2 << 20;

/// Allocates a large buffer, on large pages if the kernel has some: large tables are read at
/// random, and on small pages nearly each look-up would also miss the TLB.
static void *allocateLarge(uint64_t bytes) {
  if (bytes < kHugePage / 2)
    return takeMemory(bytes);
  uint64_t size = (bytes + kHugePage - 1) & ~(kHugePage - 1);
  void *p = takeMemory(size, kHugePage);
  madvise(p, size, MADV_HUGEPAGE); // nothing depends on it
  return p;
}

__attribute__((noinline)) void *heapSlow(Heap *heap, uint64_t bytes) {
  if (SLUICE_PLAIN_HEAP || bytes > Heap::kMaxPooled)
    return allocateLarge(bytes);
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
    auto *slab = static_cast<Slab *>(takeMemory(kSlabBytes));
    slab->next = heap->slabs;
    heap->slabs = slab;
    heap->ptr = reinterpret_cast<char *>(slab + 1);
    heap->end = reinterpret_cast<char *>(slab) + kSlabBytes;
  }
  char *p = heap->ptr;
  heap->ptr += bytes;
  return p;
}

void heapFreeLarge(void *p) { giveMemory(p); }

Heap *heapCreate() {
  auto *heap = static_cast<Heap *>(takeMemory(sizeof(Heap)));
  *heap = {};
  return heap;
}

/// Buffers beyond kMaxPooled belong to places: sl_destroy frees them.
void heapEmpty(Heap &heap) {
  for (Slab *slab = heap.slabs; slab;) {
    Slab *next = slab->next;
    giveMemory(slab);
    slab = next;
  }
  heap = {};
}
void heapDestroy(Heap *heap) {
  heapEmpty(*heap);
  giveMemory(heap);
}

} // namespace sluice
