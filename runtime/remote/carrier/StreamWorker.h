//===- StreamWorker.h - messages over a stream of bytes ---------*- C++ -*-===//
//
// A message is [u64 tag][u64 bytes][bytes], little-endian. It is read when somebody looks, and only
// into memory that waits for it. One that nobody waits for stays in the stream, and so does what is
// behind it. One that is too long breaks the worker: all its operations fail.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/carrier/Stream.h"
#include "runtime/remote/carrier/Worker.h"
#include <deque>
#include <vector>

namespace sluice::remote {

class StreamWorker : public Worker {
public:
  static constexpr size_t kHead = 16; // bytes before those of a message

  explicit StreamWorker(std::unique_ptr<Stream> stream) : stream(std::move(stream)) {}

  Operation send(uint64_t tag, std::span<const Piece> message) override;
  Operation receive(uint64_t tag, uint64_t mask, void *to, size_t bytes) override;
  Progress check(Operation &) override;
  Progress check(Operation &, Received &) override;
  /// Receives one message at most: what it is for may be needed before the next one.
  bool progress() override;
  bool isGone() const override { return broken || stream->isGone(); }
  bool lingers() const override { return false; }
  int descriptor() const override { return stream->descriptor(); }
  short events() const override;
  bool arm() override { return stream->arm(!isUnclaimed(), !unsent.empty()); }

private:
  struct Head {
    uint64_t tag, bytes;
  };
  static_assert(sizeof(Head) == kHead);
  struct Receive {
    uint64_t tag, mask;
    std::byte *to;
    size_t bytes;
    Receive *next = nullptr; // of those that wait, or that are free
    Received received = {};
    bool done = false;
  };
  struct Send {
    Head head;
    std::vector<Piece> left; // what is not written
    bool done = false;
    Send *next = nullptr; // of those that are free
  };

  size_t write(std::span<const Piece> pieces);
  bool flush();
  /// The next message has come, and nobody waits for it.
  bool isUnclaimed() const { return had == kHead && !into; }
  bool readHead();
  bool readBody();
  Receive *takeWaiting(uint64_t tag);

  std::unique_ptr<Stream> stream;
  bool broken = false;
  std::deque<Receive> receives; // all there are; they keep their places
  Receive *free = nullptr, *first = nullptr, **last = &first;
  std::deque<Send> sends;
  Send *freeSend = nullptr;
  std::vector<Send *> unsent; // the oldest one first
  std::vector<Piece> pieces;  // of the message that is being sent
  Head head = {};             // of the message that is being read
  size_t had = 0;             // bytes of it, its head counted
  Receive *into = nullptr;    // null: its head is not complete, or it is unclaimed
};

} // namespace sluice::remote
