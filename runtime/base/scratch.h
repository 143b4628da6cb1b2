//===- scratch.h - files that only this process sees ------------*- C++ -*-===//
//
// And reading and writing in several parts.
//
// A scratch file has no name, so nothing of it stays when the process ends, however that happens.
// It is read and written at positions, by any thread.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice::os {

/// Makes one in a directory. `direct`: it is read and written without the page cache, so that
/// memory, offsets and lengths have to be multiples of kDirect. A descriptor, or a negative errno.
int openScratch(const char *directory, bool direct);
constexpr size_t kDirect = 4096;

/// Memory that a part of what is read or written is in.
struct Part {
  void *at;
  size_t bytes;
};
/// Writes all parts, one behind the other, from `offset` on. 0, or a negative errno; then `written`
/// says how much was.
int writeAt(int fd, std::span<const Part> parts, uint64_t offset, size_t &written);
/// Reads all parts, one behind the other, from `offset` on. 0, or a negative errno (EIO: the file
/// ends before); then `read` says how much was.
int readAt(int fd, std::span<const Part> parts, uint64_t offset, size_t &read);
/// Writes all parts, one behind the other, to the end of a file that was opened to append. 0, or a
/// negative errno.
int writeParts(int fd, std::span<const Part> parts);
/// The directory for scratch files if nobody names one: $TMPDIR, else /var/tmp.
const char *scratchDirectory();

} // namespace sluice::os
