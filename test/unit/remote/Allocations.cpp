//===- Allocations.cpp - how often this process asked for memory ----------===//
//
// The functions of this file replace those of the C library in the process of the tests.
//
//===----------------------------------------------------------------------===//
#include "test/unit/remote/Allocations.h"
#include <atomic>
#include <cstddef>

#if SLUICE_COUNTS_ALLOCATIONS
// relaxed: each test looks at what its own thread has counted.
static std::atomic<uint64_t> counted{0};
static void count() { counted.fetch_add(1, std::memory_order_relaxed); }

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void *malloc(size_t size) { return count(), __libc_malloc(size); }
void *calloc(size_t items, size_t size) { return count(), __libc_calloc(items, size); }
void *realloc(void *old, size_t size) { return count(), __libc_realloc(old, size); }
void *aligned_alloc(size_t align, size_t size) { return count(), __libc_memalign(align, size); }
}

uint64_t sluice::remote::test::allocations() { return counted.load(std::memory_order_relaxed); }
#endif
