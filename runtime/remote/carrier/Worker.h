//===- Worker.h - messages between two processes ----------------*- C++ -*-===//
//
// A Worker is one end of a connection between two processes, over which a link sends its messages
// (Wire.h). There are two: messages over a stream of bytes (StreamWorker.h), which is a ring in
// shared memory or a socket, and UCX (UcxWorker.h).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/Piece.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <poll.h>
#include <span>

namespace sluice::remote {

/// The same at both ends.
struct WorkerOptions {
  size_t room = 65536; // bytes of a frame that fits a buffer
  size_t ahead = 100;  // such frames that may come while nobody looks
};

/// An operation that was begun. Its memory is the worker's until it is done.
struct Operation {
  void *handle = nullptr;
  bool failed = false;
};
enum class Progress { Pending, Done, Failed };

/// Messages have tags and come in order for each tag. One thread at a time uses a worker. The
/// destructor abandons what is pending: its memory is free afterwards.
class Worker {
public:
  virtual ~Worker() = default;

  /// The memory that the pieces point to is used until the operation is done; the pieces are not.
  virtual Operation send(uint64_t tag, std::span<const Piece> message) = 0;
  virtual Operation receive(uint64_t tag, uint64_t mask, void *to, size_t bytes) = 0;
  /// Of send. Once it is not Pending the operation is empty.
  virtual Progress check(Operation &) = 0;
  /// Of receive.
  struct Received {
    uint64_t tag;
    size_t bytes;
  };
  virtual Progress check(Operation &, Received &) = 0;

  /// Moves messages on. False: there was nothing to do, or what has come just now is seen at the
  /// next call.
  virtual bool progress() = 0;
  /// The other end has closed, and all that came before was received. It may be that only the end
  /// of the control socket tells that.
  virtual bool isGone() const = 0;
  /// Whether what is sent may stay here in part until somebody looks again, though it is done.
  virtual bool lingers() const = 0;

  /// Has one of `events()` when there is something to do, after arm() returned true.
  virtual int descriptor() const = 0;
  virtual short events() const { return POLLIN; }
  /// False: there is something to do now.
  virtual bool arm() = 0;
};

} // namespace sluice::remote
