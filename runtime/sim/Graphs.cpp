//===- Graphs.cpp - the applications that are simulated --------------------===//
#include "runtime/sim/Graphs.h"
#include <algorithm>
#include <charconv>

namespace sluice::sim {

elastic::Graph Application::graph() const {
  elastic::Graph result;
  result.domains = uint32_t(operators.size());
  for (const Operator &op : operators) {
    elastic::Node &node = result.nodes.emplace_back();
    node.name = op.name;
    node.domain = uint32_t(result.nodes.size() - 1);
    node.source = op.source;
    node.changeable = !op.source;
    for (const Edge &edge : op.to)
      node.to.push_back(edge.to);
  }
  return result;
}

uint32_t Application::sleepers() const {
  return uint32_t(std::count_if(operators.begin(), operators.end(),
                                [](const Operator &op) { return op.sleep > 0; }));
}

std::vector<double> Application::visits() const {
  std::vector<double> result(operators.size());
  for (size_t i = 0; i < operators.size(); ++i) {
    if (operators[i].source)
      result[i] = 1;
    for (const Edge &edge : operators[i].to)
      result[edge.to] += result[i] * edge.rows;
  }
  return result;
}

namespace {

/// Adds operators and streams. Operators cost nothing until a cost is set.
struct Builder {
  Application app;
  uint32_t add(std::string name, double flops = 0) {
    app.operators.push_back({std::move(name), flops, flops, 0, false, {}});
    return uint32_t(app.operators.size() - 1);
  }
  uint32_t source(std::string name) {
    uint32_t result = add(std::move(name));
    app.operators[result].source = true;
    return result;
  }
  void connect(uint32_t from, uint32_t to, double rows = 1) {
    app.operators[from].to.push_back({to, rows});
  }
  /// Adds `count` operators one after the other, the first behind `from`. Returns the last.
  uint32_t chain(uint32_t from, uint32_t count, const std::string &name, double rows = 1) {
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t next = add(name + std::to_string(i));
      connect(from, next, rows);
      from = next;
      rows = 1;
    }
    return from;
  }
  void hand(uint32_t node) { app.hand.push_back(node); }
};

Application pipeline(uint32_t length) {
  Builder b;
  uint32_t last = b.chain(b.source("Source"), length, "Op");
  b.connect(last, b.add("Sink"));
  return std::move(b.app);
}

/// A split that partitions rows to `width` chains of `depth` operators, and a sink for all.
Application parallel(uint32_t width, uint32_t depth) {
  Builder b;
  uint32_t source = b.source("Source");
  std::vector<uint32_t> ends;
  for (uint32_t i = 0; i < width; ++i) {
    b.hand(uint32_t(b.app.operators.size()));
    ends.push_back(b.chain(source, depth, "Op" + std::to_string(i) + "_", 1.0 / width));
  }
  uint32_t sink = b.add("Sink");
  for (uint32_t end : ends)
    b.connect(end, sink);
  b.hand(sink);
  return std::move(b.app);
}

/// 82 operators: source, fan-out in levels of 1, 3, 9, 27, fan-in of 27, 9, 3, 1, sink. A
/// row passes one operator of each level. By hand: a queue before each of the widest level.
Application bushy() {
  Builder b;
  uint32_t widths[] = {1, 1, 3, 9, 27, 27, 9, 3, 1, 1}, base = 0, before = 0;
  for (uint32_t level = 0; level < 10; ++level) {
    uint32_t width = widths[level], first = uint32_t(b.app.operators.size());
    for (uint32_t i = 0; i < width; ++i) {
      uint32_t added =
          level ? b.add("L" + std::to_string(level) + "_" + std::to_string(i)) : b.source("Source");
      if (level == 4)
        b.hand(added);
    }
    for (uint32_t i = 0; before && i < std::max(before, width); ++i)
      b.connect(base + i % before, first + i % width,
                before < width ? double(before) / width : 1.0);
    base = first;
    before = width;
  }
  return std::move(b.app);
}

/// 52 operators: ticks are parsed and filtered, four groups of symbols make averages of
/// trades and join quotes with them. Nine queues by hand.
Application vwap() {
  Builder b;
  uint32_t source = b.source("Source"), parse = b.add("Parse", 300), filter = b.add("Filter", 5);
  b.connect(source, parse);
  b.connect(parse, filter);
  b.hand(filter);
  std::vector<uint32_t> ends;
  for (uint32_t i = 0; i < 4; ++i) {
    std::string group = std::to_string(i);
    b.hand(uint32_t(b.app.operators.size()));
    uint32_t trade = filter, quote = filter;
    double flops[] = {10, 120, 60, 20, 10};
    for (int j = 0; j < 5; ++j) {
      uint32_t next = b.add("Trade" + group + "_" + std::to_string(j), flops[j]);
      b.connect(trade, next, j ? 1 : 0.1);
      trade = next;
    }
    b.hand(uint32_t(b.app.operators.size()));
    double more[] = {10, 30, 150, 60, 20, 5};
    for (int j = 0; j < 6; ++j) {
      uint32_t next = b.add("Quote" + group + "_" + std::to_string(j), more[j]);
      b.connect(quote, next, j ? 1 : 0.14);
      if (j == 2)
        b.connect(trade, next);
      quote = next;
    }
    ends.push_back(b.add("Merge" + group, 5));
    b.connect(quote, ends.back());
  }
  uint32_t sink = b.add("Sink", 20);
  for (uint32_t end : ends)
    b.connect(end, sink);
  return std::move(b.app);
}

/// Packets of each source pass `parsers` operators and then each of 16 analyses of `depth`
/// operators. Most analyses look at few packets.
Application packets(uint32_t sources, uint32_t parsers, uint32_t depth) {
  Builder b;
  std::vector<uint32_t> ends;
  for (uint32_t s = 0; s < sources; ++s) {
    std::string own = sources > 1 ? std::to_string(s) + "_" : "";
    uint32_t parse = b.source("Source" + own);
    for (uint32_t i = 0; i < parsers; ++i) {
      uint32_t next = b.add("Parse" + own + std::to_string(i), 50);
      b.connect(parse, next);
      parse = next;
    }
    for (uint32_t k = 0; k < 16; ++k) {
      uint32_t last = parse;
      for (uint32_t i = 0; i < depth; ++i) {
        uint32_t next = b.add("Analysis" + own + std::to_string(k) + "_" + std::to_string(i),
                              i ? 40 + 20 * (k % 4) : 20);
        b.connect(last, next, i == 1 ? 0.25 : 1); // the first of them drops three quarters
        if (!i)
          b.hand(next);
        last = next;
      }
      ends.push_back(last);
    }
  }
  uint32_t sink = b.add("Sink", 10);
  for (uint32_t end : ends)
    b.connect(end, sink, 0.05);
  b.hand(sink);
  return std::move(b.app);
}

/// The order that splitmix and the shuffle of Fisher and Yates give with seed 7, as in workload W1.
std::vector<uint32_t> shuffled(uint32_t count) {
  std::vector<uint32_t> order(count);
  for (uint32_t i = 0; i < count; ++i)
    order[i] = i;
  uint64_t state = 7;
  auto next = [&state] {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  };
  for (uint32_t j = count; j-- > 1;)
    std::swap(order[j], order[next() % (j + 1)]);
  return order;
}

/// Sets the cost of all operators but sources and the sink. False if there is no such distribution.
bool setCosts(Application &app, std::string_view cost) {
  std::vector<uint32_t> inner;
  for (uint32_t i = 0; i < app.operators.size(); ++i)
    if (!app.operators[i].source && !app.operators[i].to.empty())
      inner.push_back(i);
  uint32_t count = uint32_t(inner.size());
  double flops = 100;
  bool number = std::from_chars(cost.data(), cost.data() + cost.size(), flops).ptr ==
                cost.data() + cost.size();
  if (!number && cost != "balanced" && cost != "skew" && cost != "change" && cost != "wait")
    return false;
  std::vector<uint32_t> order = shuffled(count);
  for (uint32_t i = 0; i < count; ++i) {
    Operator &op = app.operators[inner[i]];
    uint32_t rank = order[i];
    if (cost == "skew")
      op.flops = op.later = rank < count / 10                    ? 10000
                            : rank < count / 10 + 3 * count / 10 ? 100
                                                                 : 1;
    else if (cost == "change")
      op.flops = rank < count / 10 ? 10000 : 1, op.later = rank < count - count / 10 ? 10000 : 1;
    else
      op.flops = op.later = flops;
    if (cost == "wait")
      op.sleep = rank < std::max(1u, 2 * count / 5)   ? 4e6
                 : rank < std::max(2u, 3 * count / 5) ? 1e6
                                                      : 0;
  }
  app.changes = cost == "change";
  return true;
}

/// Parses `A` or `AxB`. `b` stays as it is if it is missing.
bool sizes(std::string_view text, uint32_t &a, uint32_t &b) {
  const char *end = text.data() + text.size();
  std::from_chars_result read = std::from_chars(text.data(), end, a);
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == 'x')
    read = std::from_chars(read.ptr + 1, end, b);
  return read.ec == std::errc() && read.ptr == end && a > 0 && b > 0 && uint64_t(a) * b <= 100000;
}

/// Makes a shape without costs. `own`: the shape has costs of its own.
bool makeShape(std::string_view shape, std::string_view size, Application &app, bool &own,
               std::string &error) {
  uint32_t a = 0, b = 1;
  auto need = [&](const char *example) {
    if (sizes(size, a, b))
      return true;
    error = "the size of `" + std::string(shape) + "` is written like `" + example + "`, not `" +
            std::string(size) + "`";
    return false;
  };
  if (shape == "pipeline" && need("500"))
    app = pipeline(a);
  else if ((shape == "data-parallel" && need("50 or 50x2")) || (shape == "mixed" && need("10x50")))
    app = parallel(a, b);
  else if (shape == "bushy" && size.empty())
    app = bushy();
  else if (shape == "vwap" && size.empty())
    app = vwap(), own = true;
  else if (shape == "packets" && size == "387")
    app = packets(1, 1, 24), own = true;
  else if (shape == "packets" && size == "2305")
    app = packets(8, 15, 17), own = true;
  else if (shape == "packets")
    error = "`packets` has 387 or 2305 operators, not `" + std::string(size) + "`";
  else if (error.empty())
    error = (shape == "bushy" || shape == "vwap")
                ? "`" + std::string(shape) + "` has no size"
                : "there is no graph `" + std::string(shape) + "`";
  return error.empty();
}

} // namespace

Application parseGraph(std::string_view text, std::string &error) {
  error.clear();
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  size_t colon = std::min(parts[0].find(':'), parts[0].size());
  std::string_view size = colon < parts[0].size() ? parts[0].substr(colon + 1) : std::string_view();
  Application app;
  bool own = false;
  if (!makeShape(parts[0].substr(0, colon), size, app, own, error))
    return {};
  app.payload = own ? 128 : 8;
  if (parts.size() > 1 && own && !parts[1].empty())
    error = "`" + std::string(parts[0]) + "` has costs of its own, `" + std::string(parts[1]) +
            "` cannot be set";
  else if (!own && !setCosts(app, parts.size() > 1 ? parts[1] : "balanced"))
    error = "there is no cost `" + std::string(parts[1]) +
            "`: balanced, skew, change, wait or a number of FLOPs";
  if (parts.size() > 2) {
    auto [p, bad] =
        std::from_chars(parts[2].data(), parts[2].data() + parts[2].size(), app.payload);
    if (bad != std::errc() || p != parts[2].data() + parts[2].size() || app.payload < 1 ||
        app.payload > 1e6)
      error = "a payload has 1 to 1000000 bytes, not `" + std::string(parts[2]) + "`";
  }
  if (parts.size() > 3)
    error = "what is `" + std::string(parts[3]) + "`? A graph is SHAPE:SIZE,COST,PAYLOAD";
  app.name = std::string(text);
  return error.empty() ? std::move(app) : Application();
}

std::string graphHelp() {
  return "  SHAPE[:SIZE][,COST[,PAYLOAD]]      such as pipeline:500,skew,1024\n"
         "  pipeline:N        source, N operators, sink\n"
         "  data-parallel:W   rows dealt out to W operators (WxD: chains of D), one sink\n"
         "  mixed:WxD         the same with long chains, such as 10x50\n"
         "  bushy             82 operators: a ternary fan-out and its mirror\n"
         "  vwap              52 operators, costs of its own\n"
         "  packets:387       1 source, 16 analyses; packets:2305 has 8 sources\n"
         "  COST              balanced (100 FLOPs each, the default), a number of FLOPs, skew (a "
         "tenth has\n"
         "                    10000, three 100, the rest 1), change (a tenth has 10000; later nine "
         "tenths),\n"
         "                    wait (two fifths also sleep for 4 ms a row, a fifth for 1 ms)\n"
         "  PAYLOAD           bytes of a tuple (8; vwap and packets 128)\n";
}

} // namespace sluice::sim
