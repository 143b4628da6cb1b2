//===- flow.cpp - W1 to W4 as flow graphs of oneTBB -------------------------===//
//
// flow serial|light W1 N F P COUNT         F = 0: skewed
// flow serial|light W2-W50|W2-W100|W3|W4 F COUNT
//   serial  a node runs one tuple at a time and queues the others
//   light   a node runs any number at a time, called by who sends to it
// Tuples lie in a pool, pointers to them go through the graph: a node an operator,
// a node for each split. As many threads as there are hardware threads.
#include "../hand/workload.h"
#include "levels.h"
#include <atomic>
#include <cstdlib>
#include <memory>
#include <oneapi/tbb/flow_graph.h>
#include <string>

using namespace bench;
namespace flow = oneapi::tbb::flow;

namespace {
template <size_t P> class Runner {
public:
  explicit Runner(uint64_t count) : count(count) {}
  template <typename Policy> Sink run(const std::vector<Level> &levels, size_t concurrency);

private:
  struct Slot {
    Tuple<P> tuple;
    std::atomic<bool> taken{false};
  };
  static constexpr size_t kSlots = P >= 16384 ? 64 : 512;

  Slot *next(oneapi::tbb::flow_control &control) {
    if (made == count) {
      control.stop();
      return nullptr;
    }
    while (slots[scan % kSlots].taken.load(std::memory_order_acquire))
      ++scan;
    Slot *slot = &slots[scan++ % kSlots];
    slot->taken.store(true, std::memory_order_relaxed);
    fill(slot->tuple, made++);
    return slot;
  }

  uint64_t count, made = 0, scan = 0;
  std::unique_ptr<Slot[]> slots{new Slot[kSlots]};
};
} // namespace

template <size_t P>
template <typename Policy>
Sink Runner<P>::run(const std::vector<Level> &levels, size_t concurrency) {
  using Node = flow::function_node<Slot *, Slot *, Policy>;
  using Last = flow::function_node<Slot *, flow::continue_msg, flow::lightweight>;
  flow::graph graph;
  Sink sink;
  flow::input_node<Slot *> source(
      graph, [&](oneapi::tbb::flow_control &control) { return next(control); });
  flow::limiter_node<Slot *> limiter(graph, kSlots - 2);
  std::vector<std::vector<std::unique_ptr<Node>>> nodes(levels.size());
  std::vector<std::unique_ptr<Last>> splits;
  for (size_t l = 0; l < levels.size(); ++l)
    for (unsigned k = 0; k < levels[l].width; ++k) {
      double factor = kFactor + 1e-10 * (levels[l].firstNumber + k);
      unsigned flops = levels[l].flops;
      nodes[l].push_back(std::make_unique<Node>(graph, concurrency, [factor, flops](Slot *slot) {
        apply(slot->tuple, flops, factor);
        return slot;
      }));
    }
  Last last(graph, flow::serial, [&](Slot *slot) {
    sink.take(slot->tuple);
    slot->taken.store(false, std::memory_order_release);
    return flow::continue_msg();
  });
  // What leaves operator k of a level of `width`: to the one operator behind it, or
  // through a split.
  auto connect = [&](auto &from, unsigned k, unsigned width, size_t to) {
    auto *next = &nodes[to];
    unsigned wide = levels[to].width;
    if (wide <= width)
      return flow::make_edge(from, *(*next)[k % wide]);
    splits.push_back(std::make_unique<Last>(graph, flow::unlimited, [next, wide](Slot *slot) {
      (*next)[slot->tuple.seq % wide]->try_put(slot);
      return flow::continue_msg();
    }));
    flow::make_edge(from, *splits.back());
  };
  flow::make_edge(source, limiter);
  connect(limiter, 0, 1, 0);
  for (size_t l = 0; l + 1 < levels.size(); ++l)
    for (unsigned k = 0; k < levels[l].width; ++k)
      connect(*nodes[l][k], k, levels[l].width, l + 1);
  for (auto &node : nodes.back())
    flow::make_edge(*node, last);
  flow::make_edge(last, limiter.decrementer());
  source.activate();
  graph.wait_for_all();
  return sink;
}

template <size_t P> static Sink run(bool serial, const std::vector<Level> &levels, uint64_t count) {
  Runner<P> runner(count);
  return serial ? runner.template run<flow::queueing>(levels, flow::serial)
                : runner.template run<flow::lightweight>(levels, flow::unlimited);
}

int main(int argc, char **argv) {
  std::string workload = argc > 2 ? argv[2] : "";
  if (argc != (workload == "W1" ? 7 : 5)) {
    fprintf(stderr,
            "usage: flow serial|light W1 N F P COUNT | W2-W50 F COUNT (or W2-W100, W3, W4)\n");
    return 2;
  }
  bool serial = argv[1] == std::string("serial");
  uint64_t count = strtoull(argv[argc - 1], nullptr, 10);
  Sink sink;
  if (workload == "W1") {
    std::vector<Level> levels;
    for (unsigned flops : flopsOf(unsigned(atoi(argv[3])), unsigned(atoi(argv[4]))))
      levels.push_back({1, flops, 0});
    int payload = atoi(argv[5]);
    sink = payload == 8      ? run<8>(serial, levels, count)
           : payload == 128  ? run<128>(serial, levels, count)
           : payload == 1024 ? run<1024>(serial, levels, count)
                             : run<16384>(serial, levels, count);
  } else
    sink = run<128>(serial, shape(workload, unsigned(atoi(argv[3]))), count);
  sink.print();
  return 0;
}
