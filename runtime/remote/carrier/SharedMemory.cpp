//===- SharedMemory.cpp - memory of two processes -------------------------===//
#include "runtime/remote/carrier/SharedMemory.h"
#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::remote {

Mapping::~Mapping() {
  if (memory)
    munmap(memory, bytes);
}

int Mapping::map(const Socket &file, size_t offset, size_t count, size_t times, Mapping &to) {
  void *place = mmap(nullptr, count * times, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED)
    return -errno;
  Mapping made;
  made.memory = static_cast<std::byte *>(place);
  made.bytes = count * times;
  for (size_t i = 0; i < times; ++i)
    if (mmap(made.memory + i * count, count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
             file.descriptor(), off_t(offset)) == MAP_FAILED)
      return -errno;
  to = std::move(made);
  return 0;
}

int makeMemory(size_t bytes, Socket &file) {
  file = Socket(memfd_create("sluice link", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file || ftruncate(file.descriptor(), off_t(bytes)) ||
      fcntl(file.descriptor(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
    return -errno;
  return 0;
}

/// Opens what `process` has open. 0, or a negative errno.
static int openOf(const std::string &process, int descriptor, Socket &file) {
  std::string path = "/proc/" + process + "/fd/" + std::to_string(descriptor);
  file = Socket(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
  return file ? 0 : -errno;
}

int openMemory(int64_t process, int descriptor, Socket &file) {
  if (int error = openOf(std::to_string(process), descriptor, file))
    return error;
  int seals = fcntl(file.descriptor(), F_GET_SEALS);
  return seals >= 0 && seals & F_SEAL_SHRINK ? 0 : -EPROTO;
}

/// What was opened is to be a pipe: a byte is written to nothing else.
static int checkedBell(const Socket &bell) {
  struct stat file;
  if (fstat(bell.descriptor(), &file))
    return -errno;
  return S_ISFIFO(file.st_mode) ? 0 : -EPROTO;
}

int openBell(int64_t process, int descriptor, Socket &bell) {
  int error = openOf(std::to_string(process), descriptor, bell);
  return error ? error : checkedBell(bell);
}

int makeBell(Socket &bell) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
    return -errno;
  Socket reading(ends[0]), writing(ends[1]);
  int error = openOf("self", reading.descriptor(), bell);
  return error ? error : checkedBell(bell);
}

void ring(const Socket &bell) {
  char byte = 0;
  // A full pipe wakes as well, and one whose other end has gone wakes nobody.
  [[maybe_unused]] ssize_t n = write(bell.descriptor(), &byte, 1);
}

void silence(const Socket &bell) {
  char bytes[64];
  while (read(bell.descriptor(), bytes, sizeof bytes) == ssize_t(sizeof bytes))
    ;
}

} // namespace sluice::remote
