//===- countmalloc.cpp - counts calls of malloc and its kin ----------------===//
//
// For LD_PRELOAD: at exit writes the number of allocations to the file that
// SLUICE_COUNT_FILE names. What ld.so itself allocates before is not seen.
//
//===----------------------------------------------------------------------===//
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
}

static std::atomic<unsigned long> count;

extern "C" void *malloc(size_t size) { return ++count, __libc_malloc(size); }
extern "C" void *calloc(size_t n, size_t size) { return ++count, __libc_calloc(n, size); }
extern "C" void *realloc(void *old, size_t size) { return ++count, __libc_realloc(old, size); }
extern "C" void *memalign(size_t align, size_t size) {
  return ++count, __libc_memalign(align, size);
}
extern "C" void *aligned_alloc(size_t align, size_t size) {
  return ++count, __libc_memalign(align, size);
}
extern "C" int posix_memalign(void **result, size_t align, size_t size) {
  ++count;
  *result = __libc_memalign(align, size);
  return *result ? 0 : ENOMEM;
}

__attribute__((destructor)) static void report() {
  unsigned long total = count;
  if (const char *path = getenv("SLUICE_COUNT_FILE"))
    if (FILE *file = fopen(path, "w")) {
      fprintf(file, "%lu\n", total);
      fclose(file);
    }
}
