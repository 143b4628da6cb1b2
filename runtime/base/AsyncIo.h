//===- AsyncIo.h - reads and writes that go on meanwhile --------*- C++ -*-===//
#pragma once
#include "runtime/base/scratch.h"
#include <memory>
#include <vector>

namespace sluice::os {

/// Reads and writes of files go on while the caller does something else. One thread at a time uses
/// it.
class AsyncIo {
public:
  struct Request {
    bool writes;
    int fd;
    uint64_t offset;
    std::vector<Part> parts; // one behind the other; their memory belongs to this until finish()
  };
  struct Result {
    Request request;
    int error = 0;    // a negative errno; -EIO: the file ends before
    size_t bytes = 0; // that were moved
  };
  /// The kernel's io_uring, or threads where it is refused.
  static std::unique_ptr<AsyncIo> make();
  static std::unique_ptr<AsyncIo> byKernel(); // null: it is refused
  static std::unique_ptr<AsyncIo> byThreads();
  /// Waits for all that was begun.
  virtual ~AsyncIo() = default;

  virtual void begin(Request) = 0;
  /// Waits for the oldest request that was begun and not finished.
  virtual Result finish() = 0;
  /// How many were begun and not finished. No more than kMostPending may be.
  virtual size_t pending() const = 0;
  static constexpr size_t kMostPending = 8;
};

} // namespace sluice::os
