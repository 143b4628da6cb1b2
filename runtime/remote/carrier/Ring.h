//===- Ring.h - bytes from one process to another in memory -----*- C++ -*-===//
//
// A ring of bytes in memory that two processes share. One of them writes, the other one reads. Each
// takes what the other one has put there as numbers of a stranger: they cannot make it leave the
// ring. Nothing here calls the operating system.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/Piece.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice::remote {

static_assert(std::atomic<uint64_t>::is_always_lock_free); // two processes have no lock in common

/// What both ends share besides the bytes. The memory is zero at first.
struct RingHead {
  alignas(64) std::atomic<uint64_t> written; // bytes, by the writer
  alignas(64) std::atomic<uint64_t> taken;   // bytes, by the reader
  /// 1: that end is to be woken. Set by itself, and taken back by who wakes it.
  alignas(64) std::atomic<uint32_t> readerSleeps;
  alignas(64) std::atomic<uint32_t> writerSleeps;
};

/// The bytes of a ring. They are mapped twice, one mapping behind the other, so that any `capacity`
/// of them lie in a row. `capacity` is a power of two.
struct RingBytes {
  std::byte *data = nullptr;
  size_t capacity = 0;

  std::byte *at(uint64_t position) const { return data + (position & (capacity - 1)); }
};

class RingWriter {
public:
  RingWriter(RingHead &head, RingBytes bytes) : head(head), bytes(bytes) {}
  /// Writes as much as there is room for; how many bytes. `wake`: the reader sleeps.
  size_t write(std::span<const Piece> pieces, bool &wake);
  /// Says that this end is going to sleep until half of the ring is free. False: it is now.
  bool arm();

private:
  size_t room();

  RingHead &head;
  RingBytes bytes;
  uint64_t written = 0, taken = 0; // `taken`: as it was when it was looked at last
};

class RingReader {
public:
  RingReader(RingHead &head, RingBytes bytes) : head(head), bytes(bytes) {}
  /// Reads up to `count` bytes; how many. `wake`: the writer sleeps, and there is room for it.
  size_t read(void *to, size_t count, bool &wake);
  /// Says that this end is going to sleep until there is something to read. False: there is.
  bool arm();

private:
  size_t available();

  RingHead &head;
  RingBytes bytes;
  uint64_t written = 0, taken = 0; // `written`: as it was when it was looked at last
  uint64_t told = 0;               // of `taken`, to the writer
};

} // namespace sluice::remote
