//===- Patience.h - carries out what a waiting policy says ------*- C++ -*-===//
//
// The sleep that loses no wake-up: arm each worker, which fails if there is something; then block
// on the descriptors of all workers, of control sockets and of the stop.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/carrier/Worker.h"
#include "runtime/remote/link/Waiting.h"
#include <algorithm>
#include <poll.h>
#include <vector>

namespace sluice::remote {

/// Told of each sleep of a thread, before and after it.
class Sleeper {
public:
  virtual ~Sleeper() = default;
  virtual void beginSleep() = 0;
  virtual void endSleep() = 0;
};

class Patience {
public:
  Patience(const WaitOptions &options, int stop) : policy(options), stop(stop) {}

  /// What is waited for, besides the stop. A worker and a control socket of -1 are left out.
  /// `onlyEnd`: who reads the control socket is somebody else.
  void clear();
  void add(Worker *, int control, bool onlyEnd = false);
  void tell(Sleeper *told) { sleeper = told; }
  /// A look found a frame.
  void found() { policy.found(); }
  /// A look found nothing: waits as the policy says. `pending`: something that was begun moves on
  /// only if it is looked at, so that no wait is long.
  enum class Woken { Again, Stopped, Control }; // Control: look at the control sockets
  Woken wait(bool pending);
  /// Looks at the stop and the control sockets.
  Woken look();

private:
  Woken block(bool pending);
  Woken sleep(int64_t nanos);
  Woken pollFor(int64_t nanos);
  Woken rest(int64_t nanos);

  Waiting policy;
  int stop;
  Sleeper *sleeper = nullptr;
  uint32_t spins = 0; // of Wait::Poll
  uint32_t busy = 0;  // how often arm() failed in a row
  bool exact = false; // timed waits of this thread are (os::waitExactly)
  std::vector<Worker *> workers;
  std::vector<pollfd> files; // stop, control sockets, workers
  size_t controls = 0;
};

} // namespace sluice::remote
