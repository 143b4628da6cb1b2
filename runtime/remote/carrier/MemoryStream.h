//===- MemoryStream.h - a stream in shared memory ---------------*- C++ -*-===//
//
// Two rings, one for each direction. The receiver of a link makes them, and the sender opens them.
// Each end has a bell, a pipe, by which the other one wakes it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/carrier/Ring.h"
#include "runtime/remote/carrier/SharedMemory.h"
#include "runtime/remote/carrier/Stream.h"
#include "runtime/remote/peer/Hello.h"
#include <memory>

namespace sluice::remote {

class MemoryStream : public Stream {
public:
  /// By the receiver, for `bytes` bytes that come to it. Null, and `error` says why.
  static std::unique_ptr<MemoryStream> make(size_t bytes, std::string &error);
  /// What the sender needs to open it, and the number in it that both ends know then.
  Bytes address() const;
  uint64_t nonce() const;
  /// By the sender. Null, and `error` says why.
  static std::unique_ptr<MemoryStream> open(std::span<const std::byte> address, std::string &error);

  size_t write(std::span<const Piece>) override;
  size_t read(void *to, size_t bytes) override;
  bool isGone() const override { return false; } // the control socket tells
  int descriptor() const override { return bells.own.descriptor(); }
  short events(bool) const override;
  bool arm(bool reading, bool writing) override;

private:
  struct Head;
  /// What both ends have mapped.
  struct Memory {
    Mapping head, toReceiver, toSender;
    size_t capacity = 0; // of the ring to the receiver

    int map(const Socket &file, size_t bytes);
    Head &common() const;
    RingBytes bytes(bool ofReceiver) const;
    RingHead &ring(bool ofReceiver) const;
  };
  struct Bells {
    Socket own, other;
  };
  MemoryStream(Socket file, Memory memory, Bells bells, bool receives);

  Socket file;
  Memory memory;
  Bells bells;
  RingReader reader;
  RingWriter writer;
  bool armed = false; // the bell of this end may be rung
};

} // namespace sluice::remote
