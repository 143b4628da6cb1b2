//===- Net.h - a small graph that checks what the protocol promises -*- C++ -*-===//
//
// Ports with edges between them, run by the code under test with any Sys. Every
// edge numbers what is pushed along it, every port checks the numbers: nothing
// lost, nothing twice, nothing out of order. The numbers are not atomic: behind
// the tokens of both ends one thread at a time may touch them.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/Scheduler.h"
#include <deque>
#include <functional>

namespace sluice::queue::test {

enum class Kind { Push, Loop, Timer };

template <class Sys> class Net {
public:
  template <class T> using Plain = typename Sys::template Plain<T>;
  using SelfT = Self<Sys>;
  using PortT = Port<Sys>;
  using TokenT = OwnershipToken<Sys>;
  using SchedulerT = Scheduler<Sys, Net>;
  using Saved = int;
  static constexpr uint32_t kMostShards = 3;

  struct Edge {
    uint32_t to;
    Kind kind;
    Plain<uint64_t> sent{}, received{};    // behind the token of either end
    Plain<uint64_t> due[kMostShards] = {}; // by shard
  };
  struct Message {
    Edge *edge;
    Plain<uint64_t> number{};
    uint32_t hops;                           // how often it still goes round
    Plain<uint64_t> parts[kMostShards] = {}; // by shard: number + 1 of one that has run
  };
  struct Node {
    TokenT *token;
    std::unique_ptr<PortT> port;
    Edge *next = nullptr, *back = nullptr;
    uint32_t aloneEvery =
        0; // where there is a window: so many messages of an edge bring one that must run alone
    Plain<bool> split{};  // state is shards'
    uint32_t outputs = 1; // what the run of a ticket puts out, the message itself last
  };
  using RunT = Run<Sys>;

  explicit Net(uint32_t wordCount) : tokens(wordCount), inside(wordCount) {
    for (uint32_t i = 0; i < wordCount; ++i)
      tokens[i].user = &inside[i];
  }

  uint32_t addPort(uint32_t token, Bounds bounds, Mode mode) {
    nodes.push_back({&tokens[token], std::make_unique<PortT>(tokens[token], bounds, mode)});
    nodes.back().port->user = reinterpret_cast<void *>(nodes.size() - 1);
    return uint32_t(nodes.size() - 1);
  }
  Edge *addEdge(uint32_t to, Kind kind = Kind::Push) { return &edges.emplace_back(Edge{to, kind}); }
  void connect(uint32_t from, uint32_t to) { nodes[from].next = addEdge(to); }
  /// A back edge; both ports are in the loop.
  void connectBack(uint32_t from, uint32_t to) {
    nodes[from].back = addEdge(to, Kind::Loop);
    Loop<Sys> &loop = loops.emplace_back();
    loop.ports.push_back(nodes[to].port.get());
    nodes[to].port->loop = &loop;
  }
  PortT &port(uint32_t i) { return *nodes[i].port; }
  /// Several threads may run what is behind the token; each run keeps so many outputs of
  /// ten bytes.
  void share(uint32_t token, uint32_t size, uint64_t bytes, uint32_t outputs = 1,
             uint32_t aloneEvery = 0) {
    windows.push_back(std::make_unique<ReorderWindow<Sys>>(size, bytes));
    tokens[token].reorder = windows.back().get();
    for (Node &node : nodes)
      if (node.token == &tokens[token]) {
        node.outputs = outputs;
        node.aloneEvery = aloneEvery;
      }
  }

  /// The same with state by key: the port behind the token, the only one, is run in parts.
  void shareByKey(uint32_t token, uint32_t size, uint32_t shards, uint32_t aloneEvery = 0) {
    windows.push_back(std::make_unique<ReorderWindow<Sys>>(size, 1000, shards));
    tokens[token].reorder = windows.back().get();
    for (Node &node : nodes)
      if (node.token == &tokens[token])
        node.aloneEvery = aloneEvery;
  }

  void start(SchedulerT &use, uint64_t messages) {
    scheduler = &use;
    expected = messages;
  }
  /// All edges are there.
  void findSole() {
    for (uint32_t i = 0; i < nodes.size(); ++i)
      nodes[i].port->sole = hasOneProducer(i);
  }
  bool hasOneProducer(uint32_t i) const {
    uint32_t into = 0;
    for (const Edge &edge : edges)
      if (edge.to == i)
        into += edge.kind == Kind::Push ? 1 : 2;
    const PortT &port = *nodes[i].port;
    return into == 1 && !port.loop && port.next == &port;
  }

  /// For tests that stop in the middle: what is queued belongs to the client.
  void dropQueued() {
    for (Node &node : nodes)
      while (node.port->ring.pub())
        delete static_cast<Message *>(node.port->ring.pop().item);
  }

  /// What a source, a timer or a handler does.
  int32_t send(SelfT &self, Edge &edge, uint32_t hops = 0, uint32_t bytes = 10) {
    auto *message = new Message{&edge, {}, hops};
    uint64_t number = edge.sent;
    edge.sent = number + 1;
    message->number = number;
    PortT &to = port(edge.to);
    int32_t status = 0;
    if (edge.kind == Kind::Timer) {
      scheduler->pushTimer(self, to, message, bytes);
    } else if (edge.kind == Kind::Loop) {
      if (!scheduler->pushLoop(self, to, message, bytes)) {
        overflowed = true;
        delete message;
        return -1;
      }
    } else if (scheduler->push(self, to, message, bytes, status) == Pushed::Ran) {
      drop(message);
    }
    return status;
  }

  //===--- the client -------------------------------------------------------===//

  Saved enter(SelfT &, TokenT &token) {
    Sys::check(static_cast<std::atomic<int> *>(token.user)->exchange(1) == 0,
               "two threads behind a token");
    return 1;
  }
  void leave(SelfT &, TokenT &token, Saved) {
    static_cast<std::atomic<int> *>(token.user)->store(0);
  }
  int32_t run(SelfT &self, PortT &port, Item item) {
    Sys::check(!isAlone(port, item) || port.token.reorder->idle(),
               "what must run alone runs beside a ticket");
    runAllParts(port, *static_cast<Message *>(item), isAlone(port, item));
    int32_t status = handle(self, port, static_cast<Message *>(item));
    drop(static_cast<Message *>(item));
    return status;
  }
  int32_t runInline(SelfT &self, PortT &port, Item item) {
    ++inlineRuns;
    runAllParts(port, *static_cast<Message *>(item), false);
    return handle(self, port, static_cast<Message *>(item));
  }

  int32_t runTicket(SelfT &self, RunT &run, Item item) {
    ++ticketRuns;
    auto *message = static_cast<Message *>(item);
    Sys::check(!isAlone(*run.port, item), "a ticket for what must run alone");
    Sys::check(message->number != kGone, "a message run twice");
    Node &node = nodes[message->edge->to];
    atMost(highest, ++atOnce);
    if (onTicket)
      onTicket();
    bool now = false;
    for (uint32_t i = 0; i < node.outputs; ++i)
      now = scheduler->pushes(self, run, 10);
    --atOnce;
    if (!now) {
      run.outputs = message;
      return 0;
    }
    return emit(self, *run.port, message);
  }
  int32_t handOut(SelfT &self, RunT &run) {
    return run.outputs ? emit(self, *run.port, static_cast<Message *>(run.outputs)) : 0;
  }

  //===--- state by key -----------------------------------------------------===//

  bool isAlone(PortT &port, Item item) {
    auto *message = static_cast<Message *>(item);
    uint32_t every = nodeOf(port).aloneEvery;
    return every && message->number % every == every - 1;
  }
  void split(SelfT &, TokenT &token) {
    Node &node = nodeOf(*token.ports);
    Sys::check(!node.split, "state is partitioned to shards twice");
    node.split = true;
  }
  void unite(SelfT &, TokenT &token) {
    Node &node = nodeOf(*token.ports);
    Sys::check(node.split, "shards are put together twice");
    Sys::check(token.reorder->idle(), "shards are put together while a ticket is out");
    node.split = false;
  }
  void partition(SelfT &, RunT &run, Item item) {
    ++ticketRuns;
    run.outputs = item;
    atMost(highest, ++atOnce);
  }
  int32_t runPart(SelfT &, RunT &run, uint32_t shard) {
    if (onPart)
      onPart(shard);
    runPart(*static_cast<Message *>(run.outputs), shard);
    return 0;
  }
  void join(SelfT &, RunT &run) {
    --atOnce;
    auto *message = static_cast<Message *>(run.outputs);
    for (uint32_t shard = 0; shard < run.port->token.reorder->shards->count(); ++shard)
      Sys::check(message->parts[shard] == message->number + 1, "a ticket ends before its parts");
  }

  std::function<void(uint32_t shard)> onPart;
  std::atomic<uint64_t> sunk{0}, inlineRuns{0}, ticketRuns{0};
  std::atomic<uint32_t> atOnce{0}, highest{0}; // runs of tickets
  std::atomic<bool> overflowed{false};
  std::function<void()> onTicket;
  std::function<int32_t(SelfT &, uint32_t port, uint64_t number)>
      onSink; // what a handler without next returns

private:
  /// Explored mistakes may run a message again: it must still be there to be noticed.
  void drop(Message *message) {
    if constexpr (requires { Sys::active; })
      ran.emplace_back(message); // its threads are fibers of one
    else
      delete message;
  }
  static constexpr uint64_t kGone = ~0ull;
  Node &nodeOf(PortT &port) { return nodes[reinterpret_cast<uintptr_t>(port.user)]; }
  void runPart(Message &message, uint32_t shard) {
    Plain<uint64_t> &due = message.edge->due[shard];
    Sys::check(message.number == due, "a shard runs parts out of order");
    due = message.number + 1;
    message.parts[shard] = message.number + 1;
  }
  /// By one thread, as behind a token without shards, or alone.
  void runAllParts(PortT &port, Message &message, bool alone) {
    ReorderWindow<Sys> *reorder = port.token.reorder;
    if (!reorder || !reorder->shards)
      return;
    Sys::check(alone || !nodeOf(port).split, "state is used as a whole that is shards'");
    for (uint32_t shard = 0; shard < reorder->shards->count(); ++shard)
      runPart(message, shard);
  }
  static void atMost(std::atomic<uint32_t> &most, uint32_t value) {
    for (uint32_t old = most; old < value && !most.compare_exchange_weak(old, value);)
      ;
  }
  /// In its turn: behind no token, but one thread at a time.
  int32_t emit(SelfT &self, PortT &port, Message *message) {
    int32_t status = handle(self, port, message);
    message->number = kGone;
    drop(message);
    return status;
  }
  int32_t handle(SelfT &self, PortT &port, Message *message) {
    Edge &edge = *message->edge;
    uint64_t number = message->number, due = edge.received;
    edge.received = due + 1;
    Sys::check(&port == nodes[edge.to].port.get(), "a message at the wrong port");
    Sys::check(number == due,
               number < due ? "a message overtaken or run twice" : "a message lost or early");
    Node &node = nodes[edge.to];
    if (message->hops && node.back)
      return send(self, *node.back, message->hops - 1);
    if (node.next)
      return send(self, *node.next, message->hops);
    int32_t status = onSink ? onSink(self, edge.to, number) : 0;
    if (++sunk == expected)
      scheduler->finish();
    return status;
  }

  std::vector<std::unique_ptr<Message>> ran;
  std::vector<TokenT> tokens;
  std::vector<std::atomic<int>> inside;
  std::vector<Node> nodes;
  std::deque<Edge> edges;
  std::deque<Loop<Sys>> loops;
  std::vector<std::unique_ptr<ReorderWindow<Sys>>> windows;
  SchedulerT *scheduler = nullptr;
  uint64_t expected = 0;
};

/// RealSys whose checks are on in every build, to end a test rather than the process' data.
struct CheckedSys : RealSys {
  static void check(bool holds, const char *what) {
    if (!holds)
      broken(what);
  }
};

} // namespace sluice::queue::test
