//===- Await.h - waiting for several sockets ---------------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <vector>

namespace sluice::exchange {

struct Watched {
  int fd;
  bool writes = false; // wait until it can be written as well
};

/// Waits until one of them can be read (or written), or its other end is gone, or `nanos` ns are
/// over; below 0: for ever. False: the time is over.
bool await(const std::vector<Watched> &, int64_t nanos);

} // namespace sluice::exchange
