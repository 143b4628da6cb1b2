//===- TicketScenes.h - graphs with windows, for the explorer ---*- C++ -*-===//
#pragma once
#include "Scene.h"

namespace sluice::queue::test {

//===--- several threads behind one token ----------------------------------------===//

/// Two sources, a port that two workers share in the way given, a port behind it.
template <class Share> void sharing(Scene &s, uint32_t variant, uint32_t width, Share share) {
  s.net.reset(new TestNet(2));
  uint32_t last = s.net->addPort(0, {2, 1000}, mode(variant / 2)),
           first = s.net->addPort(1, {2, 1000}, mode(variant));
  s.net->connect(first, last);
  share(*s.net);
  s.begin(2, 2, 6);
  s.scheduler->setWidth(*s.self, s.net->port(first), width);
  s.source(s.net->addEdge(first), 3);
  s.source(s.net->addEdge(first), 3);
}

inline void shared(Scene &s, uint32_t variant) {
  sharing(s, variant, 1 + variant % 4, [&](TestNet &net) { net.share(1, 1 << variant % 3, 1000); });
}

/// The same with one source: batches that were taken may run while the next one could be called.
inline void sharedOneProducer(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(2));
  uint32_t last = s.net->addPort(0, {2, 1000}, mode(variant / 2)),
           first = s.net->addPort(1, {2, 1000}, Mode::Queued);
  s.net->connect(first, last);
  s.net->share(1, 2, 1000);
  s.begin(2, 1 + variant / 4 % 2, 5);
  s.scheduler->setWidth(*s.self, s.net->port(first), 1 + variant % 3);
  s.source(s.net->addEdge(first), 5);
  s.switcher({first}, 1 + variant % 3);
}

/// Its width and mode change; everything is queued before that.
inline void sharedWidths(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(2));
  uint32_t last = s.net->addPort(0, {1, 1000}, mode(variant / 2)),
           first = s.net->addPort(1, {1, 1000}, Mode::Queued);
  s.net->connect(first, last);
  s.net->share(1, 4, 1000);
  s.begin(2, 2, 5);
  s.source(s.net->addEdge(first, Kind::Timer), 4);
  s.source(s.net->addEdge(first), 1);
  s.switcher({first}, variant % 3);
  s.threads.push_back([&s, first] {
    auto self = s.scheduler->makeSelf();
    for (uint32_t width : {2, 1, 3, 1, 2})
      s.scheduler->setWidth(self, s.net->port(first), width);
  });
}

/// Handlers come back only when three run at the same time: the width is raised to that.
inline void sharedRaised(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(1));
  uint32_t port = s.net->addPort(0, {2, 1000}, Mode::Queued);
  s.net->share(0, 4, 1000);
  s.begin(1, 3, 3 + variant % 2);
  s.net->onTicket = [&s] {
    while (s.net->highest < 3)
      ExploreSys::yield();
  };
  s.scheduler->setWidth(*s.self, s.net->port(port), 2);
  s.source(s.net->addEdge(port, Kind::Timer), 3 + variant % 2);
  s.threads.push_back([&s, port] {
    auto self = s.scheduler->makeSelf();
    s.scheduler->setWidth(self, s.net->port(port), 3);
  });
}

/// The second batch comes while the first runs as the only one that may. The rest is
/// kept together, or the stale reads that matter would be rare.
inline void sharedNarrow(Scene &s, uint32_t) {
  s.net.reset(new TestNet(1));
  uint32_t port = s.net->addPort(0, {2, 1000}, Mode::Queued);
  s.net->share(0, 2, 1000);
  s.begin(1, 2, 2);
  s.scheduler->setWidth(*s.self, s.net->port(port), 2);
  auto await = [&s](uint32_t phase) {
    while (s.phase < phase)
      ExploreSys::yield();
  };
  s.net->onTicket = [&s, port, await] {
    s.net->port(port).token.reorder->setWidth(1);
    s.phase = std::max(s.phase, 1u);
    await(2);
  };
  s.threads[1] = [&s, await] {
    await(2);
    s.scheduler->work(1);
  };
  auto *edge = s.net->addEdge(port, Kind::Timer);
  s.threads.push_back([&s, edge, await] {
    s.net->send(*s.self, *edge);
    await(1);
    s.phase = 2;
    s.net->send(*s.self, *edge);
  });
}

/// Runs keep little: those whose turn has not come wait. Tiny rings: sources help.
inline void sharedBytes(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(2));
  uint32_t last = s.net->addPort(0, {1, 1000}, mode(variant)),
           first = s.net->addPort(1, {1, 1000}, Mode::Queued);
  s.net->connect(first, last);
  s.net->share(1, 4, variant % 3 * 10, 1 + variant % 2);
  s.begin(2, 1 + variant / 2 % 2, 5);
  s.scheduler->setWidth(*s.self, s.net->port(first), 2 + variant % 3);
  s.source(s.net->addEdge(first), 3);
  s.source(s.net->addEdge(first), 2);
}

/// Some messages run alone.
inline void sharedAlone(Scene &s, uint32_t variant) {
  sharing(s, variant, 2 + variant % 3,
          [&](TestNet &net) { net.share(1, 2 << variant % 2, 1000, 1, 1 + variant / 2 % 3); });
}

/// The only worker waits for room behind a token, and who has made it pushes to another port there:
/// nobody else is there to be told.
inline void sharedBehind(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(2));
  uint32_t a = s.net->addPort(0, {1, 1000}, Mode::Queued),
           b = s.net->addPort(0, {1, 1000}, Mode::Queued);
  uint32_t first = s.net->addPort(1, {2, 1000}, Mode::Queued);
  s.net->connect(first, b);
  s.net->share(0, 2, 1000, 1, 2 + variant % 2);
  s.begin(2, 1, 6);
  s.scheduler->setWidth(*s.self, s.net->port(a), 2);
  s.source(s.net->addEdge(a), 2);
  s.source(s.net->addEdge(first, Kind::Timer), 4);
}

/// Two ports behind a token that is shared, timers alone: nobody helps.
inline void sharedPorts(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(2));
  uint32_t last = s.net->addPort(0, {1, 1000}, Mode::Direct);
  uint32_t a = s.net->addPort(1, {1, 1000}, Mode::Queued),
           b = s.net->addPort(1, {2, 1000}, Mode::Queued);
  s.net->connect(a, last);
  s.net->connect(b, last);
  s.net->share(1, 2, 15, 1 + variant % 2);
  s.begin(2, 2 + variant / 2 % 2, 6);
  s.scheduler->setWidth(*s.self, s.net->port(a), 2);
  s.source(s.net->addEdge(a, Kind::Timer), 3);
  s.source(s.net->addEdge(b, Kind::Timer), 3);
}

//===--- state by key ----------------------------------------------------------===//

/// Some messages run alone.
inline void shards(Scene &s, uint32_t variant) {
  sharing(s, variant, 2 + variant % 3, [&](TestNet &net) {
    net.shareByKey(1, 2 << variant % 2, 1 + variant / 2 % 3, variant / 4 % 3);
  });
}

/// One source, its port is called and queued by turns; the width changes.
inline void shardsOneProducer(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(2));
  uint32_t last = s.net->addPort(0, {2, 1000}, Mode::Direct),
           first = s.net->addPort(1, {2, 1000}, mode(variant));
  s.net->connect(first, last);
  s.net->shareByKey(1, 2, 2, variant / 2 % 2 * 3);
  s.begin(2, 1 + variant / 4 % 2, 5);
  s.source(s.net->addEdge(first), 5);
  s.switcher({first}, 1 + variant % 3);
  s.threads.push_back([&s, first] {
    auto self = s.scheduler->makeSelf();
    for (uint32_t width : {2, 1, 2})
      s.scheduler->setWidth(self, s.net->port(first), width);
  });
}

/// Shards are put together and partitioned again while batches wait.
inline void shardsWidths(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(2));
  uint32_t last = s.net->addPort(0, {2, 1000}, mode(variant)),
           first = s.net->addPort(1, {2, 1000}, Mode::Queued);
  s.net->connect(first, last);
  s.net->shareByKey(1, 2, 1 + variant / 2 % 2, variant / 4 % 2 * 4);
  s.begin(2, 2, 6);
  s.scheduler->setWidth(*s.self, s.net->port(first), 2);
  s.source(s.net->addEdge(first, Kind::Timer), 3);
  s.source(s.net->addEdge(first), 3);
  s.threads.push_back([&s, first] {
    auto self = s.scheduler->makeSelf();
    for (uint32_t width : {1, 2, 1})
      s.scheduler->setWidth(self, s.net->port(first), width);
  });
}

/// Three workers, timers alone: nobody helps. Tiny window: slots are used again.
inline void shardsTimers(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(1));
  uint32_t port = s.net->addPort(0, {2, 1000}, Mode::Queued);
  s.net->shareByKey(0, 2, 2 + variant % 2, variant / 2 % 4);
  s.begin(1, 2 + variant / 2 % 2, 5);
  s.scheduler->setWidth(*s.self, s.net->port(port), 2);
  s.source(s.net->addEdge(port, Kind::Timer), 5);
}

} // namespace sluice::queue::test
