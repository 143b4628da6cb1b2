//===- BatchPool.h - batches that wait to be filled again --------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"
#include <cstddef>

namespace sluice {

/// Batches of one size that a thread moves between its spares and the shared pool at a time; it
/// keeps up to twice as many. If it took all of the pool it would go on to batches that no cache
/// holds, before it saw those that were given back since.
constexpr uint32_t kSpareBatches = 8;

/// The drained batches of one size that all threads share. A thread keeps some of its own
/// (Spares), so that the next batch it fills is in its cache; what is more than those goes here.
struct BatchPool {
  BatchPool(size_t bytes, bool keeps) : bytes(bytes), keeps(keeps) {}

  const size_t bytes; // of each batch, header and columns
  const bool keeps;   // batches that nobody uses; else they are freed (`pool=off`)
  uint32_t mostSpares() const { return keeps ? 2 * kSpareBatches : 1; }
  os::Lock lock;           // protects `shared`
  Batch *shared = nullptr; // a list by Batch::next; the batch that came last is first
};

/// The drained batches of one size that one thread keeps. By that thread only.
struct Spares {
  Batch *list = nullptr; // by Batch::next; the batch that came last is first
  uint32_t count = 0;    // of the list
  uint32_t most = 0;     // of it, until some go back to the pool
};

} // namespace sluice
