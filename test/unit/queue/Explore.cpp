//===- Explore.cpp - fibers, choices, clocks ------------------------------===//
#include "Explore.h"
#include <ucontext.h>

namespace sluice::queue::test {

Explorer *Explorer::now = nullptr;
Mutant ExploreSys::active = Mutant::None;

constexpr size_t kStack = 256 << 10;
constexpr uint32_t kMaxSteps = 50'000;

struct Explorer::Thread::Context {
  ucontext_t registers;
};
Explorer::Thread::Thread() = default;
Explorer::Thread::~Thread() = default;

Explorer::Explorer(Search search)
    : search(search), random(search.seed), outside(new Thread::Context) {
  static const uint32_t switches[] = {2, 3, 5, 10, 30}, stales[] = {0, 2, 4, 16};
  switchOneIn = switches[random() % 5];
  staleOneIn = stales[random() % 4];
}
Explorer::~Explorer() = default;

Explorer::Thread &Explorer::me() { return *threads[current]; }

void Explorer::enter() {
  Explorer &e = *now;
  e.me().body();
  e.me().done = true;
  --e.live;
  if (e.live == 0)
    setcontext(&e.outside->registers);
  e.switchTo(e.pickThread());
}

bool Explorer::run(std::vector<Body> bodies) {
  threads.clear();
  sequential = {};
  depth = 0;
  steps = preemptions = stale = 0;
  problem.clear();
  // Fibers that a failure abandoned keep what they own: a failure ends a search.
  for (Body &body : bodies) {
    auto &thread = threads.emplace_back(new Thread);
    thread->clock[threads.size() - 1] = 1;
    thread->body = std::move(body);
    thread->stack.reset(new char[kStack]);
    thread->context.reset(new Thread::Context);
    ucontext_t &registers = thread->context->registers;
    getcontext(&registers);
    registers.uc_stack.ss_sp = thread->stack.get();
    registers.uc_stack.ss_size = kStack;
    registers.uc_link = nullptr;
    makecontext(&registers, enter, 0);
  }
  live = uint32_t(threads.size());
  now = this;
  current = search.depthFirst ? 0 : random() % live;
  swapcontext(&outside->registers, &threads[current]->context->registers);
  now = nullptr;
  return problem.empty();
}

void Explorer::switchTo(uint32_t thread) {
  if (thread == current)
    return;
  Thread &from = me();
  current = thread;
  swapcontext(&from.context->registers, &me().context->registers);
}

void Explorer::fail(const std::string &what) {
  problem = what + " (thread " + std::to_string(current) + ", step " + std::to_string(steps) + ")";
  swapcontext(&me().context->registers, &outside->registers);
}

void ExploreSys::broken(const char *what) {
  if (Explorer::now)
    Explorer::now->fail(what);
  else
    RealSys::broken(what);
}

//===--- choices --------------------------------------------------------------===//

uint32_t Explorer::choose(uint32_t count) {
  if (count == 1)
    return 0;
  if (!search.depthFirst)
    return random() % count;
  if (depth == path.size())
    path.push_back({0, count});
  if (path[depth].count != count)
    fail("the test is not deterministic");
  return path[depth++].taken;
}

bool Explorer::next() {
  while (!path.empty() && path.back().taken + 1 == path.back().count)
    path.pop_back();
  if (path.empty())
    return false;
  ++path.back().taken;
  return true;
}

/// The current thread if it stays, or another; 0 is to stay where that is possible.
uint32_t Explorer::pickThread() {
  bool stay = !me().done && !me().parked && !me().yielded;
  if (stay && (search.depthFirst ? preemptions >= search.preemptions : !chance(switchOneIn)))
    return current;
  std::vector<uint32_t> able, waiting;
  if (stay)
    able.push_back(current);
  for (uint32_t i = 0; i < threads.size(); ++i) {
    const Thread &thread = *threads[i];
    if (thread.done || thread.parked || (i == current && stay))
      continue;
    (thread.yielded ? waiting : able).push_back(i);
  }
  if (able.empty())
    able = waiting;
  if (able.empty())
    fail("nobody can go on: a lost wake-up or a deadlock");
  uint32_t picked = able[choose(uint32_t(able.size()))];
  if (stay && picked != current)
    ++preemptions;
  return picked;
}

void Explorer::point() {
  if (++steps > kMaxSteps)
    fail("no end: a livelock");
  switchTo(pickThread());
  for (auto &thread : threads) // somebody makes a step: who yielded may look again
    if (thread.get() != &me())
      thread->yielded = false;
  me().yielded = false;
}

uint32_t Explorer::pickStore(uint32_t oldest, uint32_t newest) {
  if (oldest == newest)
    return newest;
  if (search.depthFirst) {
    if (stale >= search.staleReads)
      return newest;
    uint32_t back = choose(newest - oldest + 1);
    stale += back != 0;
    return newest - back;
  }
  // Every store is read in the end: not stale for ever.
  if (++stale > 200 || !chance(staleOneIn))
    return newest;
  return oldest + random() % (newest - oldest + 1);
}

//===--- sleeping -------------------------------------------------------------===//

void Explorer::park(const void *token) {
  if (!search.depthFirst && chance(64))
    return; // woken for nothing
  me().parked = token;
  switchTo(pickThread());
}

void Explorer::wake(const void *token, bool all) {
  point();
  std::vector<Thread *> asleep;
  for (auto &thread : threads)
    if (!thread->done && thread->parked == token)
      asleep.push_back(thread.get());
  if (asleep.empty())
    return;
  uint32_t one = all ? 0 : choose(uint32_t(asleep.size()));
  for (uint32_t i = 0; i < asleep.size(); ++i)
    if (all || i == one)
      asleep[i]->parked = nullptr;
}

void Explorer::yield() {
  if (++steps > kMaxSteps)
    fail("no end: a livelock");
  me().yielded = true;
  switchTo(pickThread());
  me().yielded = false;
}

void Explorer::fence() {
  point();
  Thread &thread = me();
  thread.clock.join(thread.pending);
  thread.clock.join(sequential);
  sequential.join(thread.clock);
  thread.fenced = thread.clock;
}

} // namespace sluice::queue::test
