//===- files.h - the length of files ----------------------------*- C++ -*-===//
//
// As os.h, but separate: few need it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>

namespace sluice::os {

/// Bytes of a regular file, or a negative errno.
int64_t sizeOfFile(int fd);
/// Ends the file there. 0, or a negative errno.
int cutFile(int fd, uint64_t bytes);

} // namespace sluice::os
