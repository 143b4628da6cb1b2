//===- StressTest.cpp - real threads, random switches and levels ----------===//
//
// Short by itself; SLUICE_STRESS_SECONDS=N runs every test that long.
//
//===----------------------------------------------------------------------===//
#include "Net.h"
#include "runtime/queue/Team.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

namespace sluice::queue::test {
namespace {

using Sys = CheckedSys;
using TestNet = Net<Sys>;
using TestScheduler = TestNet::SchedulerT;

struct Setting {
  uint32_t sources, workers, perSource;
  bool loops;
  bool shared = false; // every token has a window, widths change
  bool byKey = false;  // and some of them have shards
};

/// Ends the process when nothing moves for a minute: a lost wake-up.
class Watch {
public:
  explicit Watch(TestNet &net)
      : thread(
            [this, &net] {
              uint64_t last = ~0ull;
              for (int still = 0; !done.sleep(os::kNanos);) {
                still = net.sunk == last ? still + 1 : 0;
                last = net.sunk;
                if (still == 60)
                  RealSys::broken("nothing has moved for a minute");
              }
            },
            1 << 20) {}
  ~Watch() { done.raise(); }

private:
  os::Event done;
  os::Thread thread;
};

/// sources -> one port each (pairs of them share a token) -> one port each -> a port each, all
/// behind one token -> one port with tiny bounds; a timer beside; optionally the
/// middle goes round.
struct Graph {
  TestNet net;
  std::vector<TestNet::Edge *> entry;
  TestNet::Edge *timer;
  std::vector<uint32_t> ports;
  static uint32_t tokens(const Setting &setting) { return 2 * setting.sources + 2; }

  Graph(const Setting &setting, std::mt19937 &random) : net(tokens(setting)) {
    auto bounds = [&] { return Bounds{2u << random() % 3, 15 + random() % 100}; };
    auto mode = [&] { return random() % 2 ? Mode::Direct : Mode::Queued; };
    uint32_t last = net.addPort(0, bounds(), mode());
    ports.push_back(last);
    for (uint32_t i = 0; i < setting.sources; ++i) {
      uint32_t middle = net.addPort(1, bounds(), mode());
      uint32_t first = net.addPort(2 + i / 2, bounds(), mode());
      uint32_t second = net.addPort(2 + setting.sources + i, bounds(), mode());
      net.connect(first, second);
      net.connect(second, middle);
      net.connect(middle, last);
      if (setting.loops && i == 0) {
        uint32_t back = net.addPort(1, bounds(), Mode::Queued);
        net.connectBack(middle, back);
        net.connectBack(back, back);
        net.connect(back, last);
        net.port(middle).loop = net.port(back).loop;
      }
      entry.push_back(net.addEdge(first));
      ports.push_back(middle);
      ports.push_back(second);
      ports.push_back(first);
    }
    timer = net.addEdge(last, Kind::Timer);
    net.findSole();
    for (uint32_t token = 0; setting.shared && token < tokens(setting); ++token)
      net.share(token, 1u << random() % 4, random() % 60, 1 + random() % 3);
    for (uint32_t i = 0; setting.byKey && i < setting.sources; ++i) // the second ports
      net.shareByKey(2 + setting.sources + i, 1u << random() % 4,
                     1 + random() % TestNet::kMostShards, random() % 6);
  }
};

/// Returns how often a mode was switched; adds how many batches were run by ticket.
uint64_t runOnce(const Setting &setting, uint32_t seed, uint64_t &tickets) {
  std::mt19937 random(seed);
  Graph graph(setting, random);
  SchedulerOptions options;
  options.workers = setting.workers;
  options.tokens = Graph::tokens(setting);
  options.helpers = setting.sources;
  options.cpus = seed % 2 ? 1 : 8;
  options.quantumBatches = 1 + random() % 8;
  options.quantumNanos = 20'000;
  options.wakeNanos = seed % 4 * 2000;
  options.budget = seed % 3 ? 1 << 20 : 100;
  if (setting.loops)
    options.budget = 1 << 20;
  TestScheduler scheduler(options, graph.net);
  constexpr uint32_t timers = 200;
  graph.net.start(scheduler, uint64_t(setting.sources) * setting.perSource + timers);
  Watch watch(graph.net);

  auto team = makeTeam();
  team->open(setting.workers);
  team->run([&](uint32_t worker) { scheduler.work(worker); });
  std::vector<os::Thread> sources;
  for (uint32_t i = 0; i < setting.sources; ++i)
    sources.emplace_back(
        [&, i] {
          auto self = scheduler.makeHelper();
          scheduler.setRunning(true);
          std::mt19937 mine(seed * 31 + i);
          auto any = [](const OwnershipToken<Sys> &) { return true; };
          os::Event never;
          for (uint32_t n = 0; n < setting.perSource; ++n) {
            bool sleeps = mine() % 256 == 0;
            if (sleeps)
              scheduler.beginLinger(self);
            graph.net.send(self, *graph.entry[i], setting.loops ? mine() % 4 : 0, 1 + mine() % 30);
            if (uint32_t turns = mine() % 64; turns < 4)
              scheduler.assist(self, [&] { return turns-- == 0; }, any);
            if (!sleeps)
              continue;
            scheduler.linger(self);
            scheduler.setRunning(false);
            never.sleep(50'000);
            scheduler.setRunning(true);
          }
          scheduler.setRunning(false);
        },
        1 << 20);
  sources.emplace_back(
      [&] {
        auto self = scheduler.makeSelf();
        os::Event never;
        for (uint32_t n = 0; n < timers; ++n) {
          graph.net.send(self, *graph.timer);
          never.sleep(20'000);
        }
      },
      1 << 20);

  std::atomic<bool> stop{false};
  uint64_t flips = 0;
  os::Thread switcher(
      [&] {
        os::Event never;
        auto self = scheduler.makeSelf();
        while (!stop) {
          if (uint32_t port = graph.ports[random() % graph.ports.size()]; setting.shared)
            scheduler.setWidth(self, graph.net.port(port), 1 + random() % 5);
          graph.net.port(graph.ports[random() % graph.ports.size()])
              .setMode(random() % 2 ? Mode::Direct : Mode::Queued);
          if (++flips % 16 == 0)
            scheduler.setLevel(1 + random() % setting.workers);
          never.sleep(50'000); // and the kernel's slack: 5 to 7 kHz
        }
      },
      1 << 20);

  sources.clear();
  team->join();
  stop = true;
  switcher.join();
  EXPECT_EQ(graph.net.sunk, uint64_t(setting.sources) * setting.perSource + timers);
  EXPECT_FALSE(graph.net.overflowed);
  for (uint32_t port : graph.ports)
    EXPECT_TRUE(graph.net.port(port).ring.empty());
  tickets += graph.net.ticketRuns;
  return flips;
}

void runFor(const Setting &setting) {
  const char *text = getenv("SLUICE_STRESS_SECONDS");
  int64_t end = os::now() + (text ? atoll(text) * os::kNanos : 0);
  uint64_t flips = 0, rounds = 0, tickets = 0;
  do {
    flips += runOnce(setting, uint32_t(++rounds), tickets);
    if (testing::Test::HasFailure())
      break;
  } while (rounds < 4 || os::now() < end);
  testing::Test::RecordProperty("flips", int(flips));
  if (text)
    printf("%llu rounds, %llu switches of mode, %llu batches by ticket\n",
           (unsigned long long)rounds, (unsigned long long)flips, (unsigned long long)tickets);
  if (setting.shared) {
    EXPECT_GT(tickets, 0u);
  }
}

TEST(QueueStress, TwoSourcesTwoWorkers) { runFor({2, 2, 8000, false}); }
TEST(QueueStress, EightSourcesTwoWorkers) { runFor({8, 2, 2000, false}); }
TEST(QueueStress, EightSourcesOneWorker) { runFor({8, 1, 2000, false}); }
TEST(QueueStress, Loops) { runFor({3, 3, 3000, true}); }
TEST(QueueStress, ManyWorkers) { runFor({2, 6, 4000, false}); }
TEST(QueueStress, Shared) { runFor({2, 3, 8000, false, true}); }
TEST(QueueStress, SharedManySources) { runFor({8, 2, 2000, false, true}); }
TEST(QueueStress, SharedOneWorker) { runFor({3, 1, 4000, false, true}); }
TEST(QueueStress, SharedManyWorkers) { runFor({1, 6, 10000, false, true}); }
TEST(QueueStress, ByKey) { runFor({2, 3, 8000, false, true, true}); }
TEST(QueueStress, ByKeyManyWorkers) { runFor({1, 6, 10000, false, true, true}); }

} // namespace
} // namespace sluice::queue::test
