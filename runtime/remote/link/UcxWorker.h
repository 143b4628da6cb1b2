//===- UcxWorker.h - messages by UCX, loaded when they are needed -----*- C++ -*-===//
//
// Ucx.cpp is the only file that sees UCX's header. The library is opened at run time, so that a
// program of one process neither needs nor links it. It must be opened after fork(), in the PE.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/Piece.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace sluice::remote {

/// What UCX may use: what is fastest (shared memory on one host, TCP otherwise), or one of them.
enum class Transport { Auto, Shm, Tcp };

/// Opens UCX. What is wrong, if it cannot be used. Sets environment variables of UCX that the user
/// has not set, so no other thread may run when it is called first.
std::optional<std::string> loadUcx();

/// The same at both ends: UCX takes the memory of the other end to be as its own.
struct WorkerOptions {
  Transport transport = Transport::Auto;
  size_t eager = 65536; // a message of more bytes than this is fetched by who receives it
  size_t ahead = 0;     // messages of that size that shared memory holds for a receiver that does
                        // not look
};

/// An operation that was begun. Its memory is UCX's until it is done.
struct Operation {
  void *handle = nullptr;
  bool failed = false;
};
enum class Progress { Pending, Done, Failed };

/// One end of a connection between two processes: messages with tags, in order for each tag. One
/// thread at a time uses it.
class Worker {
public:
  /// Null, and `error` says why. Sets environment variables, as loadUcx() does.
  static std::unique_ptr<Worker> make(const WorkerOptions &, std::string &error);
  ~Worker(); // abandons what is pending: its memory is free afterwards

  /// What the other end needs for connect().
  std::span<const std::byte> address() const;
  /// What is wrong, if there is no way to the other end.
  std::optional<std::string> connect(std::span<const std::byte> address);
  bool connected() const;

  Operation send(uint64_t tag, std::span<const Piece> message);
  Operation receive(uint64_t tag, uint64_t mask, void *to, size_t bytes);
  /// Of send. Once it is not Pending the operation is empty.
  Progress check(Operation &);
  /// Of receive.
  struct Received {
    uint64_t tag;
    size_t bytes;
  };
  Progress check(Operation &, Received &);

  /// Moves messages on. False: there was nothing to do.
  bool progress();
  /// Can be read when there is something to do, after arm() returned true.
  int descriptor() const;
  /// False: there is something to do now.
  bool arm();

private:
  Worker();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace sluice::remote
