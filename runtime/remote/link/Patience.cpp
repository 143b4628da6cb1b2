//===- Patience.cpp - carries out what a waiting policy says --------------===//
#include "runtime/remote/link/Patience.h"
#include "runtime/base/os.h"
#include <utility>

namespace sluice::remote {

/// ns of a wait while something is pending.
static constexpr int64_t kMoment = 200'000;
/// Looks of Wait::Poll between two looks at the control sockets, and between two that let others
/// run.
static constexpr uint32_t kControlEvery = 1024, kYieldEvery = 64;
/// How often a worker may have something to do in a row until the control sockets are looked at.
static constexpr uint32_t kBusy = 16;

void Patience::clear() {
  workers.clear();
  files.assign({{stop, POLLIN, 0}});
  controls = 0;
}

void Patience::add(Worker *worker, int control, bool onlyEnd) {
  if (control >= 0) {
    files.insert(files.begin() + 1, {control, short(onlyEnd ? POLLRDHUP : POLLIN), 0});
    ++controls;
  }
  if (worker) {
    workers.push_back(worker);
    files.push_back({worker->descriptor(), POLLIN, 0});
  }
}

Patience::Woken Patience::pollFor(int64_t nanos) {
  timespec time = {nanos / os::kNanos, nanos % os::kNanos};
  // Only who blocks wants to be woken by workers: their descriptors are the last ones.
  bool all = nanos != 0;
  ppoll(files.data(), all ? files.size() : 1 + controls, nanos < 0 ? nullptr : &time, nullptr);
  if (files[0].revents)
    return Woken::Stopped;
  for (size_t i = 1; i <= controls; ++i)
    if (files[i].revents)
      return Woken::Control;
  return Woken::Again;
}

Patience::Woken Patience::look() { return pollFor(0); }

/// A wait that may be long.
Patience::Woken Patience::rest(int64_t nanos) {
  if (sleeper)
    sleeper->beginSleep();
  Woken woken = pollFor(nanos);
  if (sleeper)
    sleeper->endSleep();
  return woken;
}

Patience::Woken Patience::block(bool pending) {
  for (Worker *worker : workers)
    if (!worker->arm()) {
      // There is something, or what was begun has no room: only time helps then.
      if (++busy % kBusy)
        return Woken::Again;
      return pending ? sleep(kMoment) : look();
    }
  busy = 0;
  for (size_t i = 0; i < workers.size(); ++i)
    files[1 + controls + i].events = workers[i]->events();
  return rest(pending ? kMoment : -1);
}

/// Sleeps without being woken by messages.
Patience::Woken Patience::sleep(int64_t nanos) {
  for (size_t i = 1 + controls; i < files.size(); ++i)
    files[i].fd = ~files[i].fd; // left out by poll
  Woken woken = rest(nanos);
  for (size_t i = 1 + controls; i < files.size(); ++i)
    files[i].fd = ~files[i].fd;
  return woken;
}

Patience::Woken Patience::wait(bool pending) {
  Step step = policy.idle(os::now());
  switch (step.kind) {
  case Step::Kind::Spin:
    ++spins;
    if (spins % kYieldEvery == 0)
      os::yieldThread();
    else
      os::spinPause();
    return spins % kControlEvery == 0 ? look() : Woken::Again;
  case Step::Kind::Block:
    return block(pending);
  case Step::Kind::Sleep:
    if (!std::exchange(exact, true))
      os::waitExactly();
    return sleep(pending ? std::min(step.nanos, kMoment) : step.nanos);
  }
  __builtin_unreachable();
}

} // namespace sluice::remote
