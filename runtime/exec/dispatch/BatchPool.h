//===- BatchPool.h - batches that wait to be filled again --------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"
#include <cstddef>

namespace sluice {

/// The drained batches of one size that all threads share. A thread keeps some of its own
/// (Spares), so that the next batch it fills is in its cache; what is more than those goes here.
struct BatchPool {
  explicit BatchPool(size_t bytes) : bytes(bytes) {}

  const size_t bytes;      // of each batch, header and columns
  os::Lock lock;           // protects `shared`
  Batch *shared = nullptr; // a list by Batch::next; the batch that came last is first
};

/// The drained batches of one size that one thread keeps. By that thread only.
struct Spares {
  Batch *list = nullptr; // by Batch::next; the batch that came last is first
  uint32_t count = 0;    // of the list
};

} // namespace sluice
