//===- Heap.h - size-class free lists for places ----------------*- C++ -*-===//
//
// The buffers of mutable variables and of state. A size is rounded up to one of four steps between
// powers of two, its class. A freed buffer goes to the list of its class, so that a steady state
// never calls malloc. Larger buffers come from malloc, the largest have pages of their own. One
// thread at a time uses a heap.
//
// Under AddressSanitizer each buffer comes from malloc, so that misuse is found.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/abi.h"

#if defined(__SANITIZE_ADDRESS__)
#define SLUICE_PLAIN_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLUICE_PLAIN_HEAP 1
#endif
#endif
#ifndef SLUICE_PLAIN_HEAP
#define SLUICE_PLAIN_HEAP 0
#endif

namespace sluice {

struct Heap {
  static constexpr uint32_t kClasses = 40;
  static constexpr uint64_t kMaxPooled = 32 * 1024; // bytes
  struct Free {
    Free *next;
  };
  Free *lists[kClasses] = {};          // freed buffers, by class
  char *ptr = nullptr, *end = nullptr; // the rest of the newest slab
  struct Slab *slabs = nullptr;
  uint64_t inSlabs = 0; // bytes of all slabs
};

/// The class of a size, and the size of a class: 16, 32, 48, 64, then four steps from each power of
/// two to the next.
inline uint32_t heapClass(uint64_t bytes) {
  if (bytes <= 64)
    return bytes ? uint32_t((bytes - 1) / 16) : 0;
  uint32_t log = 63 - uint32_t(__builtin_clzll(bytes - 1)); // 2^log < bytes <= 2^(log+1)
  return 4 * (log - 5) + uint32_t((bytes - 1) >> (log - 2)) - 4;
}
inline uint64_t heapClassBytes(uint32_t cls) {
  if (cls < 4)
    return 16 * (cls + 1);
  return uint64_t(cls % 4 + 5) << (cls / 4 + 3);
}
/// How many bytes heapAlloc(bytes) gives.
inline uint64_t heapRound(uint64_t bytes) {
  return bytes > Heap::kMaxPooled ? (bytes + 4095) & ~uint64_t(4095)
                                  : heapClassBytes(heapClass(bytes));
}

/// Allocates what no free list has; `rounded` is a result of heapRound().
void *heapSlow(Heap *, uint64_t rounded);
/// A buffer of `larger` bytes with the content of one of `bytes` bytes, which is freed; both are
/// results of heapRound().
void *heapGrow(Heap *, void *, uint64_t bytes, uint64_t larger);
/// Frees a buffer of more than kMaxPooled bytes.
void heapFreeLarge(void *, uint64_t bytes);
Heap *heapCreate();
void heapDestroy(Heap *);
/// Frees all slabs, with all buffers in them.
void heapEmpty(Heap &);

/// Allocates a buffer, aligned to 16 bytes, of which heapRound(bytes) bytes may be used.
inline void *heapAlloc(Heap *heap, uint64_t bytes) {
  if (!SLUICE_PLAIN_HEAP && bytes <= Heap::kMaxPooled) {
    uint32_t cls = heapClass(bytes);
    if (Heap::Free *free = heap->lists[cls]) {
      heap->lists[cls] = free->next;
      return free;
    }
  }
  return heapSlow(heap, heapRound(bytes));
}
/// Frees a buffer. `bytes`: what was asked for, or that rounded.
inline void heapFree(Heap *heap, void *p, uint64_t bytes) {
  if (SLUICE_PLAIN_HEAP || bytes > Heap::kMaxPooled)
    return heapFreeLarge(p, bytes);
  uint32_t cls = heapClass(bytes);
  auto *free = static_cast<Heap::Free *>(p);
  free->next = heap->lists[cls];
  heap->lists[cls] = free;
}

} // namespace sluice
