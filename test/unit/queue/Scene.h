//===- Scene.h - a small graph and its threads, explored ---------*- C++ -*-===//
#pragma once
#include "Explore.h"
#include "Net.h"

namespace sluice::queue::test {

using TestNet = Net<ExploreSys>;
using TestScheduler = TestNet::SchedulerT;

/// One execution's objects and threads.
struct Scene {
  std::unique_ptr<TestNet> net;
  std::unique_ptr<TestScheduler> scheduler;
  std::unique_ptr<Self<ExploreSys>> self; // to set up with
  std::vector<Explorer::Body> threads;
  uint32_t phase = 0; // for scenes that wait for each other; nothing that the explorer sees

  void begin(uint32_t tokens, uint32_t workers, uint64_t messages, uint32_t quantum = 2,
             uint32_t helpers = 0, uint32_t spares = 0) {
    SchedulerOptions options;
    options.spares = spares;
    options.helpers = helpers;
    options.tokens = tokens;
    options.workers = workers;
    options.quantumBatches = quantum;
    options.quantumNanos = 1;
    options.wakeNanos = 0; // no spinning: nothing changes while we spin
    scheduler.reset(new TestScheduler(options, *net));
    net->start(*scheduler, messages);
    self.reset(new Self<ExploreSys>(scheduler->makeSelf()));
    for (uint32_t i = 0; i < scheduler->threads(); ++i)
      threads.push_back([this, i] { scheduler->work(i); });
  }
  void source(TestNet::Edge *edge, uint32_t messages, uint32_t hops = 0, uint32_t bytes = 10) {
    threads.push_back([=, this] {
      auto self = scheduler->makeSelf();
      for (uint32_t i = 0; i < messages; ++i)
        net->send(self, *edge, hops, bytes);
    });
  }
  void switcher(std::vector<uint32_t> ports, uint32_t times) {
    threads.push_back([=, this] {
      for (uint32_t i = 0; i < times; ++i)
        for (uint32_t port : ports)
          net->port(port).setMode(i % 2 ? Mode::Queued : Mode::Direct);
    });
  }
};

using MakeScene = void (*)(Scene &, uint32_t variant);
inline Mode mode(uint32_t variant) { return variant % 2 ? Mode::Queued : Mode::Direct; }

} // namespace sluice::queue::test
