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
/// Makes this process the only one that writes a regular file, among those that ask so. Returns a
/// descriptor, which is to be closed in the end; or a negative errno: -EWOULDBLOCK if another one
/// writes it. Nothing is held of a file that has no locks, or whose descriptor this process was
/// given (`/dev/stderr`): -EOPNOTSUPP.
int lockFile(const char *path);
/// The file, or what a directory lists, outlives a loss of power. 0, or a negative errno.
int syncFile(int fd);
int syncDirectory(const char *path);
/// Another descriptor of the same file, or a negative errno.
int copyDescriptor(int fd);
/// Ends the file there. 0, or a negative errno.
int cutFile(int fd, uint64_t bytes);
/// What is read next is at that byte. 0, or a negative errno.
int goToByte(int fd, uint64_t byte);
/// Whether the path leads to another regular file than the descriptor by now.
bool isReplaced(int fd, const char *path);

/// Why this process may not open so many files more; empty: it may. `what` is who needs them.
std::string tooFewFiles(uint32_t needed, const char *what);

} // namespace sluice::os
