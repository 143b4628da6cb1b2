//===- files.h - lengths, numbers and places of open files -------*- C++ -*-===//
//
// As os.h, but separate: few need it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <string>

namespace sluice::os {

/// Bytes of a regular file, or a negative errno.
int64_t sizeOfFile(int fd);
/// Ends the file there. 0, or a negative errno.
int cutFile(int fd, uint64_t bytes);
/// Whether the path leads to another regular file than the descriptor by now.
bool isReplaced(int fd, const char *path);

/// Why this process may not open so many files more; empty: it may. `what` is who needs them.
std::string tooFewFiles(uint32_t needed, const char *what);

} // namespace sluice::os
