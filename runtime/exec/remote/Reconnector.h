//===- Reconnector.h - connects senders to PEs that were started again ----===//
#pragma once
#include "runtime/base/os.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace sluice {

/// Connects senders whose receivers call, in a thread of its own: who answers other PEs must not
/// wait for one of them, as they may wait for each other.
class Reconnector {
public:
  /// `attempt(sender)` tries for a moment. True: that sender need not be connected any more.
  explicit Reconnector(std::function<bool(uint32_t sender)> attempt);
  ~Reconnector(); // makes one more attempt for each that is called
  /// The receiver of the sender is gone, or was started again. Any thread.
  void call(uint32_t sender);

private:
  struct Call {
    uint32_t sender;
    int64_t until; // ns: then it is given up. Who was started once more calls once more
  };
  void run();
  bool next(Call &);

  const std::function<bool(uint32_t)> attempt;
  os::Lock lock;
  std::vector<Call> calls; // guarded; one that has failed goes to the end
  os::Event wake;
  std::atomic<bool> ending{false};
  os::Thread thread;
};

} // namespace sluice
