//===- FeedbackLoop.h - domains that lead to each other ---------*- C++ -*-===//
#pragma once
#include "runtime/queue/Port.h"
#include "runtime/queue/Sys.h"
#include <atomic>
#include <cstdint>
#include <vector>

namespace sluice {

struct InPort;

struct FeedbackLoop : queue::Loop<queue::RealSys> {
  std::vector<InPort *> inPorts;
  std::atomic<int64_t> inside{0}; // batches that were pushed into it and have not run to their end
  std::atomic<uint32_t> open{0};  // ports that wait for final punctuation from outside
  bool delays = false;            // a port in it delays; before any thread runs
  std::atomic<bool> closing{false}; // final punctuation has been sent to its ports
};

} // namespace sluice
