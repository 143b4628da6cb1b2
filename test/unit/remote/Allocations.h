//===- Allocations.h - how often this process asked for memory --*- C++ -*-===//
#pragma once
#include <cstdint>

// The sanitizers have an allocator of their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLUICE_COUNTS_ALLOCATIONS 0
#elif __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLUICE_COUNTS_ALLOCATIONS 0
#else
#define SLUICE_COUNTS_ALLOCATIONS 1
#endif

namespace sluice::remote::test {

/// Calls of malloc, calloc, realloc and aligned_alloc by all libraries of the process.
uint64_t allocations();

} // namespace sluice::remote::test
