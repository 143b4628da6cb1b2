//===- scratch.cpp - files that only this process sees --------------------===//
#include "runtime/base/scratch.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/uio.h>
#include <unistd.h>

namespace sluice::os {

int openScratch(const char *directory, bool direct) {
  const int flags = O_CLOEXEC | (direct ? O_DIRECT : 0);
  int fd = open(directory, O_TMPFILE | O_RDWR | flags, 0600);
  if (fd >= 0)
    return fd;
  if (errno != EOPNOTSUPP && errno != EISDIR)
    return -errno;
  // The file system has no files without a name: make one, and take its name away.
  std::string path = std::string(directory) + "/sluice-XXXXXX"; // mkostemp() fills it in
  fd = mkostemp(path.data(), flags);
  if (fd < 0)
    return -errno;
  unlink(path.c_str());
  return fd;
}

/// Calls `move(pieces, count, done)` until all parts are read or written. It returns a number of
/// bytes, 0: the end of the file, or -1 with errno.
template <typename Move>
static int moveAll(std::span<const Part> parts, size_t &done, const Move &move) {
  size_t skip = 0; // of the first part
  for (done = 0; !parts.empty();) {
    iovec pieces[256];
    int count = 0;
    for (const Part &part : parts.first(std::min(parts.size(), std::size(pieces)))) {
      size_t gone = count ? 0 : skip;
      pieces[count++] = {static_cast<char *>(part.at) + gone, part.bytes - gone};
    }
    ssize_t n = move(pieces, count, done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return n < 0 ? -errno : -EIO;
    done += size_t(n);
    for (skip += size_t(n); !parts.empty() && skip >= parts[0].bytes; parts = parts.subspan(1))
      skip -= parts[0].bytes;
  }
  return 0;
}

int readAt(int fd, std::span<const Part> parts, uint64_t offset, size_t &read) {
  return moveAll(parts, read, [&](const iovec *pieces, int count, size_t done) {
    return preadv(fd, pieces, count, off_t(offset + done));
  });
}

int writeAt(int fd, std::span<const Part> parts, uint64_t offset, size_t &written) {
  return moveAll(parts, written, [&](const iovec *pieces, int count, size_t done) {
    return pwritev(fd, pieces, count, off_t(offset + done));
  });
}

int writeParts(int fd, std::span<const Part> parts) {
  size_t written;
  return moveAll(parts, written,
                 [&](const iovec *pieces, int count, size_t) { return writev(fd, pieces, count); });
}

const char *scratchDirectory() {
  const char *named = getenv("TMPDIR");
  return named && *named ? named : "/var/tmp";
}

} // namespace sluice::os
