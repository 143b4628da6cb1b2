//===- SharedMemory.h - memory of two processes -----------------*- C++ -*-===//
//
// Memory that one process makes and another one of the same user opens by the number of the process
// and of its descriptor. It has no name, so nothing is left of it when both have ended.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/peer/Socket.h"
#include <cstddef>
#include <cstdint>

namespace sluice::remote {

/// Part of a file in memory, unmapped by the destructor.
class Mapping {
public:
  Mapping() = default;
  Mapping(Mapping &&other) noexcept
      : memory(std::exchange(other.memory, nullptr)), bytes(std::exchange(other.bytes, 0)) {}
  Mapping &operator=(Mapping &&other) noexcept {
    std::swap(memory, other.memory);
    std::swap(bytes, other.bytes);
    return *this;
  }
  ~Mapping();
  std::byte *data() const { return memory; }

  /// Maps `count` bytes from `offset` on; `times` times, one behind the other. 0, or a negative
  /// errno.
  static int map(const Socket &file, size_t offset, size_t count, size_t times, Mapping &to);

private:
  std::byte *memory = nullptr;
  size_t bytes = 0;
};

// The functions below return 0, or a negative errno.

/// Memory of zeros, whose size never changes.
int makeMemory(size_t bytes, Socket &file);
/// A pipe by which another process wakes this one: both its ends.
int makeBell(Socket &bell);
/// Opens the memory, or the bell, that `process` has open under that number. -EPROTO: it is
/// something else, or memory that may be made smaller.
int openMemory(int64_t process, int descriptor, Socket &file);
int openBell(int64_t process, int descriptor, Socket &bell);

/// Wakes who polls that bell.
void ring(const Socket &bell);
/// Forgets that it was rung.
void silence(const Socket &bell);

} // namespace sluice::remote
