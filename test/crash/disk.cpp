//===- disk.cpp - a disk that fails, or that remembers -------------------------===//
//
// A library to be preloaded. Of the calls for files below the folders DISK_ROOTS (separated by
// colons), in their order:
//
//   DISK_FAIL=FIRST:COUNT:ERRNO   the call FIRST, counted from 1, and COUNT - 1 behind it fail. A
//                                 write writes half before it fails, as on a disk that is full
//   DISK_LOG=FILE                 what changes files and folders is noted in FILE, when it is done
//
// A record of the log is a letter, three numbers of 8 bytes (a file's number, an offset, a length)
// and two texts with their lengths: see cuts.py.
//
//===----------------------------------------------------------------------===//
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace {
template <typename F> F *real(F *, const char *name) {
  return reinterpret_cast<F *>(dlsym(RTLD_NEXT, name));
}
#define REAL(name) real(static_cast<decltype(&::name)>(nullptr), #name)

struct Disk {
  std::recursive_mutex lock; // one call at a time: the log is in their order
  std::vector<std::string> roots;
  long first = 0, count = 0, calls = 0;
  int error = 0, log = -1;
  int halfWritten = -1; // a descriptor whose next write fails

  Disk() {
    std::string all = getenv("DISK_ROOTS") ? getenv("DISK_ROOTS") : "";
    for (size_t at = 0; at < all.size();
         at = all.find(':', at) == all.npos ? all.size() : all.find(':', at) + 1)
      roots.push_back(all.substr(at, all.find(':', at) - at));
    if (const char *fail = getenv("DISK_FAIL"))
      sscanf(fail, "%ld:%ld:%d", &first, &count, &error);
    if (const char *file = getenv("DISK_LOG"))
      log = REAL(open)(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  }
};

/// Never destroyed: files are written until the very end.
Disk &disk() {
  static Disk &all = *new Disk;
  return all;
}

std::string pathOf(int fd) {
  char name[40], path[4096];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  ssize_t size = readlink(name, path, sizeof path);
  return size < 0 ? "" : std::string(path, size_t(size));
}

std::string pathAt(int folder, const char *path) {
  if (*path == '/' || folder == AT_FDCWD)
    return path;
  return pathOf(folder) + "/" + path;
}

bool isWatched(const std::string &path) {
  for (const std::string &root : disk().roots)
    if (path == root || path.starts_with(root + "/"))
      return true;
  return false;
}

/// Counts a call. True: it fails, with errno.
bool fails() {
  Disk &d = disk();
  long call = ++d.calls;
  if (call < d.first || call >= d.first + d.count)
    return false;
  errno = d.error;
  return true;
}

void note(char what, uint64_t number, uint64_t offset, const std::string &one,
          std::string_view two = "") {
  Disk &d = disk();
  if (d.log < 0)
    return;
  int before = errno;
  uint64_t numbers[] = {number, offset, one.size(), two.size()};
  std::string record(1, what);
  record.append(reinterpret_cast<const char *>(numbers), sizeof numbers);
  record += one;
  record += two;
  (void)!REAL(write)(d.log, record.data(), record.size());
  errno = before;
}

uint64_t numberOf(int fd) {
  struct stat s;
  return fstat(fd, &s) ? 0 : s.st_ino;
}

using Lock = std::lock_guard<std::recursive_mutex>;

int openAt(int folder, const char *name, int flags, mode_t mode) {
  auto call = REAL(openat);
  std::string path = pathAt(folder, name);
  if (!isWatched(path))
    return call(folder, name, flags, mode);
  Lock held(disk().lock);
  if (fails())
    return -1;
  struct stat s;
  bool isNew = (flags & O_CREAT) && stat(path.c_str(), &s) < 0;
  int fd = call(folder, name, flags, mode);
  if (fd >= 0 && isNew)
    note('c', numberOf(fd), 0, path);
  else if (fd >= 0 && (flags & O_TRUNC))
    note('t', numberOf(fd), 0, path);
  return fd;
}

/// A call that changes a path.
template <typename Call> int change(char what, const std::string &path, Call call) {
  if (!isWatched(path))
    return call();
  Lock held(disk().lock);
  if (fails())
    return -1;
  int result = call();
  if (!result)
    note(what, 0, 0, path);
  return result;
}

int sync(int fd, int (*call)(int)) {
  std::string path = pathOf(fd);
  if (!isWatched(path))
    return call(fd);
  Lock held(disk().lock);
  if (fails())
    return -1;
  struct stat s;
  int result = call(fd);
  if (!result && !fstat(fd, &s))
    note(S_ISDIR(s.st_mode) ? 'S' : 's', s.st_ino, 0, path);
  return result;
}
} // namespace

extern "C" {
int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
  va_end(list);
  return openAt(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
  va_end(list);
  return openAt(folder, path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int folder, const char *path, int flags, ...) __attribute__((alias("openat")));

ssize_t write(int fd, const void *bytes, size_t size) {
  auto call = REAL(write);
  std::string path = pathOf(fd);
  if (!isWatched(path))
    return call(fd, bytes, size);
  Lock held(disk().lock);
  Disk &d = disk();
  if (d.halfWritten == fd) {
    d.halfWritten = -1;
    errno = d.error;
    return -1;
  }
  if (fails()) {
    if (size < 2)
      return -1;
    d.halfWritten = fd;
    size /= 2;
  }
  ssize_t written = call(fd, bytes, size);
  if (written > 0)
    note('w', numberOf(fd), uint64_t(lseek(fd, 0, SEEK_CUR) - written), path,
         {static_cast<const char *>(bytes), size_t(written)});
  return written;
}

ssize_t read(int fd, void *bytes, size_t size) {
  if (isWatched(pathOf(fd))) {
    Lock held(disk().lock);
    if (fails())
      return -1;
  }
  return REAL(read)(fd, bytes, size);
}

int ftruncate(int fd, off_t size) {
  std::string path = pathOf(fd);
  if (!isWatched(path))
    return REAL(ftruncate)(fd, size);
  Lock held(disk().lock);
  if (fails())
    return -1;
  int result = REAL(ftruncate)(fd, size);
  if (!result)
    note('t', numberOf(fd), uint64_t(size), path);
  return result;
}
int ftruncate64(int fd, off_t size) __attribute__((alias("ftruncate")));

// A file that comes back with a loss of power was changed last when it was. Tests cannot set that
// time, so here it is that of its content.
int stat(const char *path, struct stat *s) {
  int result = REAL(stat)(path, s);
  if (!result && isWatched(path))
    s->st_ctim = s->st_mtim;
  return result;
}
int stat64(const char *path, struct stat64 *s) {
  int result = REAL(stat64)(path, s);
  if (!result && isWatched(path))
    s->st_ctim = s->st_mtim;
  return result;
}

int fsync(int fd) { return sync(fd, REAL(fsync)); }
int fdatasync(int fd) { return sync(fd, REAL(fdatasync)); }

int mkdir(const char *path, mode_t mode) {
  return change('m', path, [&] { return REAL(mkdir)(path, mode); });
}

int unlink(const char *path) {
  return change('u', path, [&] { return REAL(unlink)(path); });
}

int rmdir(const char *path) {
  return change('u', path, [&] { return REAL(rmdir)(path); });
}

int remove(const char *path) {
  return change('u', path, [&] { return REAL(remove)(path); });
}

int unlinkat(int folder, const char *path, int flags) {
  return change('u', pathAt(folder, path), [&] { return REAL(unlinkat)(folder, path, flags); });
}

int rename(const char *from, const char *to) {
  if (!isWatched(from) && !isWatched(to))
    return REAL(rename)(from, to);
  Lock held(disk().lock);
  if (fails())
    return -1;
  int result = REAL(rename)(from, to);
  if (!result)
    note('r', 0, 0, from, to);
  return result;
}
}
