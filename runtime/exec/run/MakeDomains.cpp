//===- MakeDomains.cpp - the domains and boundaries of a program ---------===//
#include "runtime/exec/run/MakeDomains.h"
#include "runtime/exec/table/Facts.h"
#include <algorithm>
#include <numeric>

namespace sluice {

/// Finds the domains: operators that direct boundaries connect.
static void join(Domains &d, const ProgramDesc &desc) {
  std::vector<uint32_t> root(desc.operatorCount);
  std::iota(root.begin(), root.end(), 0);
  auto find = [&](uint32_t op) {
    while (root[op] != op)
      op = root[op] = root[root[op]];
    return op;
  };
  forEachEdge(desc, [&](uint32_t out, uint32_t, uint32_t in) {
    if (desc.inPorts[in].boundary == BoundaryKind::Direct)
      root[find(desc.inPorts[in].op)] = find(desc.outPorts[out].op);
  });
  std::vector<Domain *> byRoot(desc.operatorCount);
  for (uint32_t op = 0; op < desc.operatorCount; ++op) {
    Domain *&domain = byRoot[find(op)];
    if (!domain) {
      d.list.push_back(std::make_unique<Domain>());
      domain = d.list.back().get();
    }
    d.ofOperator.push_back(domain);
    const OperatorDesc &facts = desc.operators[op];
    for (uint32_t out = facts.firstOut; out < facts.firstOut + facts.outputs; ++out)
      if (desc.outPorts[out].batchBytes)
        domain->outPorts.push_back(out);
    if (isSource(facts)) {
      d.valid &= domain->source == ~0u;
      domain->source = op;
    }
  }
}

static void makePorts(Domains &d, const ProgramDesc &desc) {
  std::vector<bool> ticks = fedByDaemons(desc);
  d.inPorts.resize(desc.inPortCount);
  auto boundaries = uint32_t(
      std::count_if(desc.inPorts, desc.inPorts + desc.inPortCount,
                    [](const InPortDesc &in) { return in.boundary != BoundaryKind::Direct; }));
  for (uint32_t in = 0; in < desc.inPortCount; ++in) {
    Domain &domain = *d.ofOperator[desc.inPorts[in].op];
    if (desc.inPorts[in].boundary == BoundaryKind::Direct)
      continue;
    if (domain.source != ~0u) {
      d.valid = false;
      return;
    }
    if (!domain.hasToken) {
      domain.hasToken = true;
      ++d.tokens;
    }
    d.inPorts[in] = std::make_unique<InPort>(
        domain, queue::Bounds{.items = ticks[in] ? 1 : queueItems(desc.inPorts[in], boundaries)});
    d.inPorts[in]->id = in;
    d.inPorts[in]->inPlaceOutput = desc.inPorts[in].inPlaceOutput;
    if (desc.inPorts[in].policy != QueuePolicy::Wait || desc.inPorts[in].delays)
      d.inPorts[in]->drops =
          std::make_unique<DropQueue>(desc.inPorts[in].policy, desc.inPorts[in].queueSize);
    domain.ownThread |= desc.inPorts[in].ownThread != 0;
    d.inPorts[in]->finalBatch.puncts = &d.inPorts[in]->finalPunct;
    d.inPorts[in]->finalBatch.punctCount = 1;
    d.inPorts[in]->switchable = desc.inPorts[in].boundary == BoundaryKind::Switchable;
    if (desc.inPorts[in].boundary == BoundaryKind::Queue)
      d.inPorts[in]->port.setMode(queue::Mode::Queued);
  }
  for (uint32_t op = 0; op < desc.operatorCount; ++op)
    d.ofOperator[op]->waits |= desc.operators[op].waits != 0;
  for (auto &domain : d.list) {
    d.ownThreads += domain->ownThread;
    d.waiting += domain->waits && domain->hasToken && !domain->ownThread;
  }
  forEachEdge(desc, [&](uint32_t out, uint32_t i, uint32_t in) {
    if (d.inPorts[in])
      d.inPorts[in]->code = {desc.outPorts[out].segments[i], desc.inPorts[in].rows};
  });
}

namespace {
/// Strongly connected components (Tarjan), without recursion: chains are long.
class Components {
public:
  explicit Components(const std::vector<std::vector<uint32_t>> &next)
      : of(next.size(), ~0u), next(next), index(next.size(), ~0u), low(next.size()) {
    for (uint32_t node = 0; node < next.size(); ++node)
      if (index[node] == ~0u)
        visit(node);
  }
  std::vector<uint32_t> of; // by node: the number of its component

private:
  void open(uint32_t node) {
    index[node] = low[node] = counter++;
    path.push_back({node, 0});
    stack.push_back(node);
  }
  void visit(uint32_t root) {
    open(root);
    while (!path.empty()) {
      auto [node, at] = path.back();
      if (at < next[node].size()) {
        ++path.back().second;
        uint32_t to = next[node][at];
        if (index[to] == ~0u)
          open(to);
        else if (of[to] == ~0u)
          low[node] = std::min(low[node], index[to]);
        continue;
      }
      path.pop_back();
      if (!path.empty())
        low[path.back().first] = std::min(low[path.back().first], low[node]);
      if (low[node] == index[node])
        close(node);
    }
  }
  void close(uint32_t root) {
    uint32_t node;
    do {
      node = stack.back();
      stack.pop_back();
      of[node] = count;
    } while (node != root);
    ++count;
  }

  const std::vector<std::vector<uint32_t>> &next;
  std::vector<uint32_t> index, low, stack;
  std::vector<std::pair<uint32_t, size_t>> path;
  uint32_t counter = 0, count = 0;
};

} // namespace

/// Finds the feedback loops. Two domains are in the same loop if each can be reached from the
/// other; a domain is in one if it can be reached from itself through a queue.
static void findLoops(Domains &d, const ProgramDesc &desc) {
  for (uint32_t i = 0; i < d.list.size(); ++i)
    d.list[i]->number = i;
  auto home = [&](uint32_t op) { return d.ofOperator[op]->number; };
  std::vector<std::vector<uint32_t>> next(d.list.size());
  forEachEdge(desc, [&](uint32_t out, uint32_t, uint32_t in) {
    if (d.inPorts[in])
      next[home(desc.outPorts[out].op)].push_back(home(desc.inPorts[in].op));
  });
  Components components(next);
  d.inLoop.resize(desc.outPortCount);
  for (uint32_t out = 0; out < desc.outPortCount; ++out)
    d.inLoop[out].resize(desc.outPorts[out].consumerCount);
  std::vector<FeedbackLoop *> loopOf(d.list.size());
  forEachEdge(desc, [&](uint32_t out, uint32_t i, uint32_t in) {
    uint32_t component = components.of[home(desc.inPorts[in].op)];
    if (!d.inPorts[in] || component != components.of[home(desc.outPorts[out].op)])
      return;
    d.inLoop[out][i] = true;
    if (!loopOf[component]) {
      d.loops.push_back(std::make_unique<FeedbackLoop>());
      loopOf[component] = d.loops.back().get();
    }
    auto &ports = loopOf[component]->ports; // ports that edges inside the loop lead to
    if (std::find(ports.begin(), ports.end(), &d.inPorts[in]->port) == ports.end())
      ports.push_back(&d.inPorts[in]->port);
  });
  for (auto &in : d.inPorts)
    if (in)
      if (FeedbackLoop *loop = loopOf[components.of[in->domain.number]]) {
        in->loop = loop;
        in->port.loop = loop;
        loop->inPorts.push_back(in.get());
      }
  forEachEdge(desc, [&](uint32_t out, uint32_t i, uint32_t in) {
    if (d.inPorts[in] && d.inPorts[in]->loop && !d.inLoop[out][i] && !d.inPorts[in]->outside++)
      d.inPorts[in]->loop->open.fetch_add(1, std::memory_order_relaxed); // before any thread runs
  });
}

/// Finds the ports to which one thread at a time pushes (Port::sole): the one that is inside the
/// domain of the only stream that leads there, or has the turn there.
static void findSole(Domains &d, const ProgramDesc &desc) {
  std::vector<uint32_t> edges(desc.inPortCount);
  forEachEdge(desc, [&](uint32_t, uint32_t, uint32_t in) { ++edges[in]; });
  for (auto &in : d.inPorts)
    if (in)
      in->port.sole = edges[in->id] == 1 && in->port.next == &in->port && !in->loop && !in->drops;
}

/// Finds the domains that several threads may run at the same time: generated code without state or
/// effects, in no loop. The consumers of each stream are all inside the domain or all outside.
static void findShared(Domains &d, const ProgramDesc &desc) {
  for (auto &domain : d.list)
    domain->shared = domain->hasToken;
  auto leaves = [&](const OutPortDesc &out, uint32_t i) {
    return d.inPorts[out.consumers[i]] != nullptr;
  };
  for (uint32_t op = 0; op < desc.operatorCount; ++op)
    d.ofOperator[op]->shared &= desc.operators[op].shared != 0 && desc.operators[op].native < 0;
  for (uint32_t out = 0; out < desc.outPortCount; ++out) {
    const OutPortDesc &port = desc.outPorts[out];
    bool &shared = d.ofOperator[port.op]->shared;
    shared &= !port.backEdge && port.ordered != OrderKind::All;
    for (uint32_t i = 1; port.batchBytes && i < port.segmentCount; ++i)
      shared &= leaves(port, i) == leaves(port, 0);
  }
  for (auto &in : d.inPorts)
    if (in && (in->loop || in->drops))
      in->domain.shared = false;
}

/// Finds the domains that shards may run: one port leads to an operator with keyed state, which
/// does not forward in place. All other operators have no state, all streams leave the domain, and
/// a row makes a bounded number of others. Outputs are joined port by port, so the order between
/// several ports must not be seen.
static void findByKey(Domains &d, const ProgramDesc &desc) {
  for (auto &in : d.inPorts)
    if (in)
      in->domain.byKey = desc.inPorts[in->id].keyed && !in->inPlaceOutput &&
                         in->port.next == &in->port && !in->loop && !in->drops;
  for (uint32_t op = 0; op < desc.operatorCount; ++op) {
    const OperatorDesc &facts = desc.operators[op];
    Domain &domain = *d.ofOperator[op];
    const InPort *in = domain.byKey ? static_cast<InPort *>(domain.ports->user) : nullptr;
    domain.byKey =
        in && facts.native < 0 && facts.bounded && (facts.shared || desc.inPorts[in->id].op == op);
  }
  for (uint32_t out = 0; out < desc.outPortCount; ++out) {
    const OutPortDesc &port = desc.outPorts[out];
    bool &byKey = d.ofOperator[port.op]->byKey;
    byKey &= !port.backEdge && (!port.batchBytes || port.columnCount) &&
             (port.ordered == OrderKind::None ||
              (port.ordered == OrderKind::Puncts && d.ofOperator[port.op]->outPorts.size() == 1));
    for (uint32_t i = 0; port.batchBytes && i < port.segmentCount; ++i)
      byKey &= d.inPorts[port.consumers[i]] != nullptr;
  }
}

Domains makeDomains(const ProgramDesc &desc) {
  Domains d;
  join(d, desc);
  makePorts(d, desc);
  if (!d.valid)
    return d;
  findLoops(d, desc);
  findSole(d, desc);
  findShared(d, desc);
  findByKey(d, desc);
  return d;
}

} // namespace sluice
