//===- mapped.h - a file in memory ----------------------------------------===//
#pragma once
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace bench {
/// The bytes of a file; ends the program if it cannot be read.
class Mapped {
public:
  explicit Mapped(const char *path) {
    struct stat status;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &status))
      fail(path);
    size = size_t(status.st_size);
    void *bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (bytes == MAP_FAILED)
      fail(path);
    close(file);
    first = static_cast<const char *>(bytes);
  }
  const char *begin() const { return first; }
  const char *end() const { return first + size; }

private:
  [[noreturn]] static void fail(const char *path) {
    perror(path);
    exit(1);
  }
  const char *first;
  size_t size;
};
} // namespace bench
