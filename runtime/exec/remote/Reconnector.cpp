//===- Reconnector.cpp - connects senders to PEs that were started again --===//
#include "runtime/exec/remote/Reconnector.h"
#include <utility>

namespace sluice {

/// ns for which a sender is tried to be connected.
static constexpr int64_t kPatience = 10 * os::kNanos;
static constexpr size_t kStackBytes = 1 << 20;

Reconnector::Reconnector(std::function<bool(uint32_t)> attempt)
    : attempt(std::move(attempt)), thread([this] { run(); }, kStackBytes) {}

Reconnector::~Reconnector() {
  ending.store(true, std::memory_order_relaxed);
  wake.raise();
  thread.join();
}

void Reconnector::call(uint32_t sender) {
  {
    os::Held held(lock);
    std::erase_if(calls, [&](const Call &call) { return call.sender == sender; });
    calls.push_back({sender, os::now() + kPatience});
  }
  wake.raise();
}

bool Reconnector::next(Call &call) {
  os::Held held(lock);
  if (calls.empty())
    return false;
  call = calls.front();
  calls.erase(calls.begin());
  return true;
}

void Reconnector::run() {
  for (;;) {
    Call call;
    bool ends = ending.load(std::memory_order_relaxed);
    if (!next(call)) {
      if (ends)
        return;
      wake.sleep(-1);
      wake.lower(); // before it looks again
      continue;
    }
    if (attempt(call.sender) || ends || os::now() >= call.until)
      continue;
    os::Held held(lock);
    bool again = false; // it was called again meanwhile
    for (const Call &each : calls)
      again |= each.sender == call.sender;
    if (!again)
      calls.push_back(call);
  }
}

} // namespace sluice
