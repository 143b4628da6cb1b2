//===- Boundaries.cpp - which ports may be queues ---------------------===//
//
// Operators that direct boundaries connect are a **domain**: one thread at a time
// is inside. A source's thread runs the domain of the source; any other domain
// has a word (runtime/queue), and all its ports that other domains lead to are
// switchable or queues. A replica of a @parallel region is a domain of its own,
// or several. What config threadedPort and @threading say of a port comes before
// what this pass thinks of it.
//
//===----------------------------------------------------------------------===//
#include "ir/Kinds.h"
#include "passes/Passes.h"
#include "passes/analyze/Cost.h"
#include "passes/analyze/Graph.h"
#include "passes/analyze/Lookups.h"
#include "llvm/Support/FormatVariadic.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMPLACEBOUNDARIES
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using stream::Boundary;
using stream::Edge;
using stream::Sharing;

/// A segment of less than this, in ns a tuple, is not worth a queue of its own:
/// a boundary costs about 11 ns a batch and 0.03 ns a row and column.
static constexpr double kWorthwhile = 16;
/// A side of a boundary that takes less than this part of the other side is not worth a thread of
/// its own: the thread saves no more than that part. A sink that prints behind a long wait is one.
static constexpr double kVisibleShare = 1e-6;
/// What several workers are to share must take so many ns a tuple: handing a batch to
/// them and back into order costs some thousand.
static constexpr double kWorthSharing = 100;
static const char kOrdered[] =
    "the order of what arrives can be seen outside: never queued by a policy";

namespace {
class Placement {
public:
  Placement(const Graph &graph, CostEstimate cost) : graph(graph), order(graph.producersFirst()) {
    for (unsigned op = 0; op < graph.size(); ++op) {
      cut.emplace_back(graph[op].inputPorts());
      told.emplace_back(graph[op].inputPorts());
      why.emplace_back(graph[op].inputPorts(), "nobody asked for a boundary");
      Cost one = cost.of(graph[op]);
      if (graph[op].isSource())
        one.waited = cost.ofSource(graph[op]).waited;
      costs.push_back(one.inside());
      waits.push_back(one.waited > 0);
      saved.push_back(one.saved);
      sideBySide.push_back(one.sideBySide && !graph[op].isSource());
      kind.emplace_back(graph[op].inputPorts(), Boundary::Switchable);
    }
  }

  void cutAsTold();
  void cutEverywhere();
  void cutWhereItPays();
  void cutAroundShared();
  void cutAroundKeyed();
  void cutAroundLoops();
  void cutBeforeForks();
  void cutBeforeLookups();
  void cutWhereThreadsMeet();
  unsigned write();

private:
  void cutBetween(llvm::function_ref<bool(unsigned)> apart, ArrayRef<double> worth, double least,
                  const char *text);
  bool isBack(const Connection &edge) const {
    return graph[edge.consumer].edge(edge.operand) == Edge::Back;
  }
  /// Whether a policy may put a queue at this port: no stream into it is ordered.
  bool mayQueue(unsigned op, unsigned port) const;
  /// Nothing is there yet, and something may be.
  bool mayCut(const Connection &edge) const {
    return !isBack(edge) && !told[edge.consumer][edge.input] && !cut[edge.consumer][edge.input] &&
           mayQueue(edge.consumer, edge.input);
  }
  void tell(unsigned op, unsigned port);
  void meet(const Connection &edge);
  void cutAs(unsigned op, unsigned port, Boundary boundary, StringRef reason) {
    cut[op][port] = told[op][port] = true;
    kind[op][port] = boundary;
    why[op][port] = reason;
  }

  const Graph &graph;
  SmallVector<unsigned> order;               // producers first
  SmallVector<SmallVector<bool>> cut;        // by operator, by input port
  SmallVector<SmallVector<bool>> told;       // likewise: the program says what is to be there
  SmallVector<SmallVector<Boundary>> kind;   // likewise, where it is cut
  SmallVector<SmallVector<std::string>> why; // likewise, in words
  SmallVector<double> costs, saved;          // by operator: Cost; with the time that it waits
  SmallVector<bool> waits;                   // by operator
  SmallVector<bool> sideBySide;
};

bool Placement::mayQueue(unsigned op, unsigned port) const {
  return llvm::none_of(graph.in(op), [&](const Connection &edge) {
    return edge.input == port && graph[edge.producer].order(edge.output) == stream::Order::All;
  });
}

/// What config threadedPort and @threading say of a port.
void Placement::tell(unsigned op, unsigned port) {
  stream::OperatorOp item = graph[op];
  if (item.is(stream::OperatorTrait::delays))
    return cutAs(op, port, Boundary::Queue, "tuples wait here for their time");
  if (item.threadedPort(port))
    return cutAs(op, port, Boundary::Queue, "config threadedPort");
  switch (item.threadingModel()) {
  case stream::ThreadingModel::Automatic:
    return;
  case stream::ThreadingModel::Manual:
    told[op][port] = true;
    kind[op][port] = Boundary::Exclusive;
    why[op][port] = "@threading(model = manual)";
    return;
  case stream::ThreadingModel::Dedicated:
    return cutAs(op, port, Boundary::Queue, "@threading(model = dedicated)");
  case stream::ThreadingModel::Dynamic:
    if (mayQueue(op, port))
      cutAs(op, port, item.getThreading()->getElastic() ? Boundary::Switchable : Boundary::Queue,
            "@threading(model = dynamic)");
    return;
  }
}

void Placement::cutAsTold() {
  for (unsigned op = 0; op < graph.size(); ++op)
    for (unsigned port = 0; port < cut[op].size(); ++port)
      tell(op, port);
}

void Placement::cutEverywhere() {
  for (unsigned op = 0; op < graph.size(); ++op)
    for (unsigned port = 0; port < cut[op].size(); ++port) {
      if (told[op][port])
        continue;
      cut[op][port] = mayQueue(op, port);
      why[op][port] = cut[op][port] ? "--boundaries=all" : kOrdered;
    }
}

/// Cuts a path where what is before the cut and what is behind it are both worth
/// a thread.
void Placement::cutWhereItPays() {
  SmallVector<double> behind(graph.size()), before(graph.size());
  SmallVector<bool> waitsBehind(waits), waitsBefore(waits);
  for (unsigned op : llvm::reverse(order)) {
    for (const Connection &edge : graph.out(op)) {
      behind[op] = std::max(behind[op], behind[edge.consumer]);
      waitsBehind[op] |= waitsBehind[edge.consumer];
    }
    behind[op] += costs[op];
  }
  for (unsigned op : order) {
    for (const Connection &edge : graph.in(op)) {
      if (isBack(edge) || told[op][edge.input])
        continue;
      auto [least, most] = std::minmax(before[edge.producer], behind[op]);
      bool pays = least >= kWorthwhile && least >= kVisibleShare * most;
      bool may = mayQueue(op, edge.input);
      cut[op][edge.input] = cut[op][edge.input] || (pays && may);
      std::string figures = llvm::formatv(
          "{0:f0} ns before it and {1:f0} ns behind it, {2}by estimate", before[edge.producer],
          behind[op], waitsBefore[edge.producer] || waitsBehind[op] ? "waits included, " : "");
      why[op][edge.input] =
          !may ? kOrdered
               : (pays ? "both sides are worth a thread: " : "one side is not worth a thread: ") +
                     figures;
    }
    for (const Connection &edge : graph.in(op))
      if (!isBack(edge) && !cut[op][edge.input]) {
        before[op] = std::max(before[op], before[edge.producer]);
        waitsBefore[op] |= waitsBefore[edge.producer];
      }
    before[op] += costs[op];
  }
}

/// Cuts where operators that are `apart` meet others, if what the others are worth together, along
/// a path, is at least `least`. `text` says of how much, and on which side, to the reader.
void Placement::cutBetween(llvm::function_ref<bool(unsigned)> apart, ArrayRef<double> worth,
                           double least, const char *text) {
  SmallVector<double> ahead(graph.size()),
      past(graph.size()); // of the others: the longest path, this one included
  for (unsigned op : llvm::reverse(order))
    if (!apart(op)) {
      for (const Connection &edge : graph.out(op))
        ahead[op] = std::max(ahead[op], ahead[edge.consumer]);
      ahead[op] += worth[op];
    }
  for (unsigned op : order)
    if (!apart(op)) {
      for (const Connection &edge : graph.in(op))
        past[op] = std::max(past[op], past[edge.producer]);
      past[op] += worth[op];
    }
  for (unsigned op : order)
    for (const Connection &edge : graph.in(op)) {
      if (!mayCut(edge) || apart(edge.producer) == apart(op))
        continue;
      double all = apart(op) ? past[edge.producer] : ahead[op];
      if (all < least)
        continue;
      cut[op][edge.input] = true;
      why[op][edge.input] = llvm::formatv(text, all, apart(op) ? "before" : "behind");
    }
}

/// Cuts where operators that any number of workers may run at once meet one that only
/// one may, if they take long enough: a light source would keep a heavy operator to
/// its own thread.
void Placement::cutAroundShared() {
  cutBetween([&](unsigned op) { return graph[op].sharing() != Sharing::Any; }, costs, kWorthSharing,
             "several workers may share the {0:f0} ns {1} it, by estimate");
}

/// The same for an operator whose state is by key: what lanes run begins with it, and holds nothing
/// that has to be run by one thread.
void Placement::cutAroundKeyed() {
  auto cutHere = [&](const Connection &edge, const Twine &reason) {
    if (!mayCut(edge))
      return;
    cut[edge.consumer][edge.input] = true;
    why[edge.consumer][edge.input] = reason.str();
  };
  for (unsigned op : order) {
    if (graph[op].sharing() != Sharing::ByKey || costs[op] < kWorthSharing)
      continue;
    std::string nanos = llvm::formatv("{0:f0} ns", costs[op]);
    for (const Connection &edge : graph.in(op))
      cutHere(edge, "several workers may share its " + nanos + " by key, by estimate");
    for (const Connection &edge : graph.out(op))
      if (stream::OperatorOp next = graph[edge.consumer];
          next.sharing() != Sharing::Any || !next.getBounded())
        cutHere(edge, "several workers may share the " + nanos + " before it by key, by estimate");
  }
}

/// Cuts where rows that can be done side by side meet others: together they would all be done one
/// by one.
void Placement::cutAroundLoops() {
  cutBetween([&](unsigned op) { return !sideBySide[op]; }, saved, kWorthwhile,
             "rows {1} it can be done side by side, which saves {0:f0} ns, by estimate");
}

/// Cuts before a fork whose branches have rows that can be done side by side: a segment selects the
/// rows of each branch only from a batch that comes to it.
void Placement::cutBeforeForks() {
  SmallVector<double> behind(graph.size()); // by operator: saved along its ordered streams
  for (unsigned op : llvm::reverse(order))
    for (const Connection &edge : graph.out(op))
      if (!isBack(edge) && graph[op].order(edge.output) == stream::Order::All)
        behind[op] =
            std::max(behind[op], behind[edge.consumer] +
                                     (sideBySide[edge.consumer] ? saved[edge.consumer] : 0));
  for (unsigned op : order)
    for (const Connection &edge : graph.in(op)) {
      if (!mayCut(edge) || behind[op] < kWorthwhile)
        continue;
      cut[op][edge.input] = true;
      why[op][edge.input] = llvm::formatv(
          "rows of each branch behind it can be done side by side, which saves {0:f0} ns, "
          "by estimate",
          behind[op]);
    }
}

/// Whether a set or map of this type may be larger than the cache.
static bool mayBeLarge(mlir::Type table) {
  static constexpr unsigned kFew = 4096; // entries
  mlir::Type key = spl::elementOf(table);
  if (isa<spl::EnumType>(key) || (isa<IntegerType>(key) && key.getIntOrFloatBitWidth() <= 8))
    return false;
  unsigned bound = spl::boundOf(table);
  return bound == 0 || bound > kFew;
}

/// Cuts before an operator that looks up a table by a field of its input: a segment can look up
/// many rows at once only where they come as a batch.
void Placement::cutBeforeLookups() {
  auto isLarge = [](const KeyedLookup &lookup) { return mayBeLarge(lookup.table); };
  for (unsigned op : order)
    for (const Connection &edge : graph.in(op)) {
      if (!mayCut(edge) || llvm::none_of(keyedLookups(graph[op], edge.input), isLarge))
        continue;
      cut[op][edge.input] = true;
      why[op][edge.input] = "many rows can be looked up at once by their keys";
    }
}

/// An operator belongs to its producers' domain if they have one in common and
/// nothing else leads to it. Otherwise it begins a domain of its own, and every
/// port of it is a way in.
void Placement::cutWhereThreadsMeet() {
  SmallVector<unsigned> domain(graph.size());
  for (unsigned op : order) {
    domain[op] = op;
    std::optional<unsigned> common;
    bool alone = graph[op].isSource();
    for (const Connection &edge : graph.in(op)) {
      alone |= isBack(edge) || graph.crossesRegion(edge) || cut[op][edge.input] ||
               (common && *common != domain[edge.producer]);
      common = domain[edge.producer];
    }
    if (!alone && common) {
      domain[op] = *common;
      continue;
    }
    for (const Connection &edge : graph.in(op)) {
      if (!cut[op][edge.input])
        meet(edge);
      cut[op][edge.input] = true;
    }
  }
}

/// A boundary that is there because threads meet. Tuples of an ordered stream must not wait at it
/// while others overtake them on another way, so no policy makes it a queue. In a loop they wait
/// anyway.
void Placement::meet(const Connection &edge) {
  unsigned op = edge.consumer, port = edge.input;
  why[op][port] =
      told[op][port]
          ? "@threading(model = manual), and another thread may enter the operator as well"
      : isBack(edge)              ? "it closes a loop"
      : graph.crossesRegion(edge) ? "channels of a parallel region run by themselves"
                                  : "another thread may enter the operator as well";
  bool inLoop = llvm::any_of(graph.in(op), [&](const Connection &in) { return isBack(in); });
  if (mayQueue(op, port) || inLoop)
    return;
  kind[op][port] = Boundary::Exclusive;
  why[op][port] += "; no queue, as its order could be seen";
}

unsigned Placement::write() {
  unsigned switchable = 0;
  for (unsigned op = 0; op < graph.size(); ++op) {
    SmallVector<Boundary> boundaries;
    for (bool isCut : cut[op])
      boundaries.push_back(isCut ? kind[op][boundaries.size()] : Boundary::Direct);
    // What only back edges lead to is always a queue.
    for (unsigned port = 0; port < cut[op].size(); ++port) {
      bool any = false, all = true;
      for (const Connection &edge : graph.in(op))
        if (edge.input == port)
          any = true, all &= isBack(edge);
      if (any && all)
        boundaries[port] = Boundary::Queue;
    }
    switchable += llvm::count(boundaries, Boundary::Switchable);
    stream::OperatorOp target = graph[op];
    target.setBoundaries(boundaries);
    SmallVector<StringRef> reasons(why[op].begin(), why[op].end());
    target.setReasonsAttr(Builder(target.getContext()).getStrArrayAttr(reasons));
  }
  return switchable;
}

struct PlaceBoundaries : sluice::impl::StreamPlaceBoundariesBase<PlaceBoundaries> {
  using Base::Base;

  void runOnOperation() override {
    for (auto op : getOperation().getOps<stream::GraphOp>()) {
      Graph graph(op);
      Placement placement(graph, CostEstimate(getOperation()));
      placement.cutAsTold();
      if (boundaries == BoundaryChoice::All) {
        placement.cutEverywhere();
      } else if (boundaries == BoundaryChoice::Auto) {
        placement.cutWhereItPays();
        placement.cutAroundLoops();
        placement.cutBeforeForks();
        placement.cutAroundShared();
        placement.cutAroundKeyed();
        placement.cutBeforeLookups();
      }
      placement.cutWhereThreadsMeet();
      switchable += placement.write();
    }
  }
};
} // namespace
