//===- ExploreTest.cpp - interleavings of the real code -------------------===//
//
// Small graphs under many interleavings and stale reads. Then the same with one
// mistake put in: each has to be noticed, or the test has a hole.
// SLUICE_EXPLORE_RUNS=N makes N executions of each graph.
//
//===----------------------------------------------------------------------===//
#include "TicketScenes.h"
#include <cstdlib>
#include <gtest/gtest.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SLUICE_NO_FIBERS 1 // the sanitizers follow threads, not our fibers
#endif
#endif

namespace sluice::queue::test {
namespace {

/// Two sources, one port, a switcher.
void onePort(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(1));
  uint32_t port = s.net->addPort(0, {2, 1000}, mode(variant));
  s.begin(1, 1 + variant / 2 % 2, 6);
  s.source(s.net->addEdge(port), 3);
  s.source(s.net->addEdge(port), 3);
  s.switcher({port}, 2);
}

/// Two sources with a port each behind one token, a port behind another.
void sharedToken(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(2));
  uint32_t last = s.net->addPort(0, {1, 1000}, mode(variant));
  uint32_t a = s.net->addPort(1, {1, 1000}, mode(variant / 2)),
           b = s.net->addPort(1, {2, 15}, Mode::Queued);
  s.net->connect(a, last);
  s.net->connect(b, last);
  s.begin(2, 2, 6);
  s.source(s.net->addEdge(a), 3);
  s.source(s.net->addEdge(b), 3);
  s.switcher({a, last}, 1);
}

/// A chain of three, rings of one.
void chain(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(3));
  uint32_t c = s.net->addPort(0, {1, 1000}, mode(variant));
  uint32_t b = s.net->addPort(1, {1, 1000}, mode(variant / 2));
  uint32_t a = s.net->addPort(2, {1, 1000}, mode(variant / 4));
  s.net->connect(a, b);
  s.net->connect(b, c);
  s.begin(3, 2, 5, 1);
  s.source(s.net->addEdge(a), 3);
  s.source(s.net->addEdge(b), 2);
}

/// A chain of two that one source alone feeds; modes are switched.
void oneProducer(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(2));
  uint32_t b = s.net->addPort(0, {2, 1000}, mode(variant)),
           a = s.net->addPort(1, {2, 1000}, mode(variant / 2));
  s.net->connect(a, b);
  s.begin(2, 1 + variant / 4 % 2, 4, 1 + variant / 8 % 2);
  s.source(s.net->addEdge(a), 4);
  s.switcher({a, b}, 1 + variant % 3);
}

/// The only producer of a port switches it to a call: its next push has run when it is back. Behind
/// the token may be a window whose width comes down to one.
void called(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(2));
  uint32_t last = s.net->addPort(0, {1, 1000}, mode(variant)),
           port = s.net->addPort(1, {2, 1000}, Mode::Queued);
  s.net->connect(port, last);
  if (variant / 2 % 2)
    s.net->share(1, 2, 1000);
  s.begin(2, 1 + variant / 4 % 2, 6);
  s.threads.push_back([&s, port, shares = variant / 2 % 2, edge = s.net->addEdge(port)] {
    auto self = s.scheduler->makeSelf();
    auto send = [&](Mode mode, uint32_t width) {
      if (shares)
        s.scheduler->setWidth(self, s.net->port(port), width);
      s.net->port(port).setMode(mode);
      s.net->send(self, *edge);
    };
    for (uint32_t i = 0; i < 2; ++i) {
      send(Mode::Queued, 2);
      send(Mode::Queued, 2);
      send(Mode::Direct, 1);
      ExploreSys::check(s.net->port(port).ring.empty(), "what is to be called was queued");
    }
  });
}

/// Everything goes round twice; a second source from outside.
void loop(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(3));
  uint32_t last = s.net->addPort(0, {1, 1000}, mode(variant));
  uint32_t back = s.net->addPort(1, {1, 1000}, Mode::Queued),
           in = s.net->addPort(2, {1, 1000}, mode(variant / 2));
  s.net->connectBack(in, back);
  s.net->connect(back, last);
  s.net->connect(in, last);
  s.net->connectBack(back, in);
  s.begin(3, 2, 4);
  s.source(s.net->addEdge(in), 2, 3);
  s.source(s.net->addEdge(in), 2, 2);
}

/// The level goes up and down while a timer and a source push.
void levels(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(2));
  uint32_t a = s.net->addPort(0, {1, 1000}, Mode::Queued),
           b = s.net->addPort(1, {1, 1000}, mode(variant));
  s.begin(2, 2 + variant / 2 % 2, 5);
  s.source(s.net->addEdge(b), 2);
  s.source(s.net->addEdge(a, Kind::Timer), 3);
  s.threads.push_back([&s] {
    for (uint32_t level : {1, 2, 1, 2})
      s.scheduler->setLevel(level);
    s.scheduler->setLevel(1);
  });
}

/// The level goes down while a worker has just pushed.
void lowered(Scene &s, uint32_t) {
  s.net.reset(new TestNet(2));
  uint32_t b = s.net->addPort(0, {2, 1000}, Mode::Queued),
           a = s.net->addPort(1, {2, 1000}, Mode::Queued);
  s.net->connect(a, b);
  s.begin(2, 2, 2);
  s.source(s.net->addEdge(a, Kind::Timer), 2);
  s.threads.push_back([&s] { s.scheduler->setLevel(1); });
}

/// A source that is about to sleep runs what it has pushed, or leaves it to workers; a timer pushes
/// as well.
void lingering(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(2));
  uint32_t last = s.net->addPort(0, {2, 1000}, mode(variant)),
           first = s.net->addPort(1, {2, 1000}, Mode::Queued);
  s.net->connect(first, last);
  s.begin(2, 1 + variant / 4 % 2, 4);
  s.source(s.net->addEdge(first, Kind::Timer), 1);
  s.threads.push_back([&s, variant, edge = s.net->addEdge(first)] {
    auto self = s.scheduler->makeSelf();
    s.scheduler->setRunning(true);
    for (uint32_t sent = 0; sent < 3;) {
      s.scheduler->beginLinger(self);
      for (uint32_t i = 0; i < 1 + variant / 2 % 2 && sent < 3; ++i, ++sent)
        s.net->send(self, *edge);
      s.scheduler->linger(self);
      s.scheduler->setRunning(false);
      while (sent == 1 && !s.net->sunk) // by a worker: how long a turn takes is known then
        ExploreSys::yield();
      s.scheduler->setRunning(true);
    }
    s.scheduler->setRunning(false);
  });
}

/// A source works for a while at what it has pushed, and leaves the rest to workers; or all, as it
/// may not run what is behind the first token. A timer pushes as well.
void assisting(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(3));
  uint32_t last = s.net->addPort(0, {2, 1000}, mode(variant)),
           first = s.net->addPort(1, {2, 1000}, Mode::Queued);
  uint32_t other = s.net->addPort(2, {2, 1000}, Mode::Queued);
  s.net->connect(first, last);
  s.begin(3, 1 + variant / 4 % 2, 4, 1, 1);
  s.source(s.net->addEdge(other, Kind::Timer), 1);
  s.threads.push_back([&s, variant, first, edge = s.net->addEdge(first)] {
    auto self = s.scheduler->makeHelper();
    s.scheduler->setRunning(true);
    for (uint32_t sent = 0; sent < 3;) {
      for (uint32_t i = 0; i < 1 + variant / 2 % 2 && sent < 3; ++i, ++sent)
        s.net->send(self, *edge);
      uint32_t turns = variant % 3;
      s.scheduler->assist(
          self, [&] { return turns-- == 0; },
          [&](const OwnershipToken<ExploreSys> &token) {
            return variant % 5 || &token != &s.net->port(first).token;
          });
    }
    s.scheduler->setRunning(false);
  });
}

/// The only worker waits in the middle of an item for one behind another token, and so does who
/// runs that. A level that moves makes no difference.
void waiting(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(3));
  uint32_t ports[3];
  for (uint32_t i = 0; i < 3; ++i)
    ports[i] = s.net->addPort(i, {2, 1000}, Mode::Queued);
  s.begin(3, 1 + variant / 4 % 2, 6, 1, 0, 2);
  s.net->onSink = [&s, last = ports[2 - variant % 2]](auto &self, uint32_t port, uint64_t number) {
    if (port < last && number == 0) {
      s.scheduler->beginWait(self);
      while (s.phase < last - port)
        ExploreSys::yield();
      s.scheduler->endWait(self);
    }
    if (port <= last && number == 0)
      ++s.phase;
    return 0;
  };
  for (uint32_t port : ports)
    s.source(s.net->addEdge(port, Kind::Timer), 2);
  if (variant / 2 % 2)
    s.threads.push_back([&s] {
      for (uint32_t level : {2, 1})
        s.scheduler->setLevel(level);
    });
}

/// Timers alone, no source that could help: workers must be woken.
void timersOnly(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(2));
  uint32_t a = s.net->addPort(0, {1, 1000}, Mode::Queued),
           b = s.net->addPort(1 - variant % 2, {2, 1000}, Mode::Queued);
  s.begin(2, 2, 5, 1);
  s.source(s.net->addEdge(a, Kind::Timer), 3);
  s.source(s.net->addEdge(b, Kind::Timer), 2);
  if (variant % 4 == 3)
    s.threads.push_back([&s] { s.scheduler->setLevel(1); });
}

/// The only worker may wait for space in a port that two sources run directly.
void blockedWorker(Scene &s, uint32_t variant) {
  s.net.reset(new TestNet(2));
  uint32_t last = s.net->addPort(0, {1, 1000}, Mode::Direct),
           first = s.net->addPort(1, {2, 1000}, Mode::Queued);
  s.net->connect(first, last);
  s.begin(2, 1, 5, 1 + variant % 2);
  s.source(s.net->addEdge(first, Kind::Timer), 2);
  s.source(s.net->addEdge(last), 1);
  s.source(s.net->addEdge(last), 2);
}

/// A handler comes back only when a second worker has run something.
void raisedLevel(Scene &s, uint32_t) {
  s.net.reset(new TestNet(2));
  uint32_t a = s.net->addPort(0, {1, 1000}, Mode::Queued),
           b = s.net->addPort(1, {1, 1000}, Mode::Queued);
  s.begin(2, 2, 2);
  s.scheduler->setLevel(1);
  s.net->onSink = [&s, a](auto &, uint32_t port, uint64_t) {
    while (port == a && s.net->sunk == 0)
      ExploreSys::yield();
    return 0;
  };
  s.source(s.net->addEdge(a, Kind::Timer), 1);
  s.source(s.net->addEdge(b, Kind::Timer), 1);
  s.threads.push_back([&s] { s.scheduler->setLevel(2); });
}

/// The bound in bytes: one thread alone, which has to help itself.
void bytesBound(Scene &s, uint32_t) {
  s.net.reset(new TestNet(1));
  uint32_t port = s.net->addPort(0, {4, 25}, Mode::Queued);
  s.begin(1, 1, 100);
  s.threads.clear();
  s.threads.push_back([&s, port, edge = s.net->addEdge(port)] {
    auto self = s.scheduler->makeSelf();
    for (int i = 0; i < 3; ++i) {
      s.net->send(self, *edge, 0, 20);
      ExploreSys::check(s.net->port(port).ring.size() == 1, "too many bytes");
    }
  });
}

constexpr MakeScene kScenes[] = {onePort,
                                 sharedToken,
                                 chain,
                                 loop,
                                 levels,
                                 timersOnly,
                                 blockedWorker,
                                 raisedLevel,
                                 bytesBound,
                                 shared,
                                 sharedWidths,
                                 sharedRaised,
                                 sharedNarrow,
                                 sharedBytes,
                                 sharedAlone,
                                 sharedBehind,
                                 sharedPorts,
                                 lowered,
                                 lingering,
                                 assisting,
                                 waiting,
                                 oneProducer,
                                 sharedOneProducer,
                                 called,
                                 shards,
                                 shardsOneProducer,
                                 shardsWidths,
                                 shardsTimers};

/// The first failure within `runs` executions of a scene, or nothing.
std::string explore(MakeScene make, uint32_t runs, uint32_t firstSeed = 1) {
  for (uint32_t seed = firstSeed; seed < firstSeed + runs; ++seed) {
    auto scene = std::make_unique<Scene>();
    make(*scene, seed);
    scene->net->findSole();
    Explorer explorer({.seed = seed});
    bool good = explorer.run(scene->threads);
    if (!good) {
      scene.release(); // abandoned fibers refer to it
      return "seed " + std::to_string(seed) + ": " + explorer.failure();
    }
  }
  return {};
}

uint32_t runs(uint32_t usual) {
  const char *text = getenv("SLUICE_EXPLORE_RUNS");
  return text ? uint32_t(atoi(text)) : usual;
}

class QueueExplore : public testing::Test {
  void SetUp() override {
#ifdef SLUICE_NO_FIBERS
    GTEST_SKIP() << "not under a sanitizer";
#endif
  }
};

TEST_F(QueueExplore, RandomInterleavings) {
  for (MakeScene scene : kScenes)
    EXPECT_EQ(explore(scene, runs(700)), "")
        << "scene " << std::find(kScenes, std::end(kScenes), scene) - kScenes;
}

TEST_F(QueueExplore, EveryMistakeIsNoticed) {
  for (uint32_t i = 0; i < uint32_t(Mutant::None); ++i) {
    ExploreSys::active = Mutant(i);
    std::string noticed;
    if (const char *only = getenv("SLUICE_MUTANT"); only && uint32_t(atoi(only)) != i)
      continue;
    for (uint32_t batch = 0; batch < 40 && noticed.empty(); ++batch)
      for (MakeScene scene : kScenes)
        if (noticed.empty())
          noticed = explore(scene, 250, 1 + batch * 250);
    ExploreSys::active = Mutant::None;
    EXPECT_NE(noticed, "") << "mutant " << i << " survives";
    if (getenv("SLUICE_EXPLORE_RUNS"))
      printf("mutant %2u: %s\n", i, noticed.c_str());
  }
}

/// All interleavings of a small scene with at most two preemptions and one stale read.
TEST_F(QueueExplore, DepthFirst) {
  uint64_t executions = 0;
  for (uint32_t variant = getenv("SLUICE_EXPLORE_RUNS") ? 0 : 1; variant < 2; ++variant) {
    Explorer explorer({.depthFirst = true});
    do {
      Scene s;
      s.net.reset(new TestNet(1));
      uint32_t port = s.net->addPort(0, {1, 1000}, mode(variant));
      s.begin(1, 1, 2);
      s.source(s.net->addEdge(port), 1);
      s.source(s.net->addEdge(port), 1);
      ASSERT_TRUE(explorer.run(s.threads)) << explorer.failure();
      ++executions;
    } while (explorer.next());
  }
  RecordProperty("executions", int(executions));
  if (getenv("SLUICE_EXPLORE_RUNS"))
    printf("%llu executions\n", (unsigned long long)executions);
}

} // namespace
} // namespace sluice::queue::test
