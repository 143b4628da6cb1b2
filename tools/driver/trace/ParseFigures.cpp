//===- ParseFigures.cpp - operators, streams and counters of a trace ------===//
//
// The reverse of runtime/trace/FormatFigures.cpp, and of the flow in a header.
//
//===----------------------------------------------------------------------===//
#include "tools/driver/trace/Members.h"

using namespace sluice;
using namespace sluice::driver;

static int32_t numberOr(const Members &m, StringRef name, int32_t otherwise) {
  return m.has(name) ? int32_t(m.integer(name, INT32_MAX)) : otherwise;
}

/// Calls take(members) for each object of an array.
template <class Take> static void objects(const Members &m, StringRef name, Take take) {
  if (m.has(name))
    m.elements(name, [&](const json::Value &v) {
      if (!v.getAsObject())
        return m.wrong(name, "are not objects");
      take(Members(*v.getAsObject(), m.problem));
    });
}

trace::Flow driver::toFlow(const Members &m) {
  trace::Flow flow;
  auto text = [](const Members &o, StringRef name) { return o.has(name) ? o.text(name) : ""; };
  objects(m, "operators", [&](const Members &o) {
    uint32_t number = uint32_t(flow.operators.size());
    flow.operators.push_back({{o.text("name"), text(o, "kind"), text(o, "at")},
                              text(o, "part"),
                              text(o, "group"),
                              o.has("segment") ? o.count("segment") : number,
                              o.flag("source", false),
                              o.flag("daemon", false),
                              !o.flag("elsewhere", false)});
  });
  objects(m, "streams", [&](const Members &o) {
    flow.streams.push_back(
        {o.count("from"), o.count("to"), o.count("port"), o.text("boundary"), text(o, "why")});
    for (uint32_t op : {flow.streams.back().from, flow.streams.back().to})
      if (op >= flow.operators.size())
        m.wrong("streams", "lead to operators that there are not");
  });
  return flow;
}

/// Reads an array into a member of each row. The first array of an object says how many there are.
template <class T, class Set>
static void column(const Members &m, StringRef name, std::vector<T> &rows, Set set) {
  if (!m.has(name))
    return;
  size_t i = 0;
  m.elements(name, [&](const json::Value &v) {
    if (i == rows.size())
      rows.emplace_back();
    set(rows[i++], m.toNumber(name, v));
  });
}

static void takeOperators(const Members &m, std::vector<trace::OperatorFigures> &rows) {
  column(m, "in", rows, [](auto &row, double v) { row.in = v; });
  column(m, "out", rows, [](auto &row, double v) { row.out = v; });
  column(m, "cpu", rows, [](auto &row, double v) { row.cpu = v; });
  column(m, "waited", rows, [](auto &row, double v) { row.waited = v; });
  column(m, "estimate", rows, [](auto &row, double v) { row.isEstimate = v != 0; });
}

static void takeBoundaries(const Members &m, std::vector<trace::BoundaryFigures> &rows) {
  column(m, "port", rows, [](auto &row, double v) { row.in = uint32_t(v); });
  column(m, "queue", rows, [](auto &row, double v) { row.isQueue = v != 0; });
  column(m, "width", rows, [](auto &row, double v) { row.width = uint32_t(v); });
  column(m, "depth", rows, [](auto &row, double v) { row.depth = v; });
  column(m, "room", rows, [](auto &row, double v) { row.room = v; });
  column(m, "blocked", rows, [](auto &row, double v) { row.blocked = v; });
}

static void takeCounts(const Members &m, StringRef name, std::vector<trace::CountFigures> &rows) {
  objects(m, name, [&](const Members &o) {
    rows.push_back({o.count("operator"), o.text("name"), o.number("count")});
  });
}

trace::Figures driver::toFigures(const Members &m) {
  trace::Figures line;
  line.time = m.seconds("time");
  if (auto rows = m.members("operators"))
    takeOperators(*rows, line.operators);
  if (auto rows = m.members("boundaries"))
    takeBoundaries(*rows, line.boundaries);
  objects(m, "threads", [&](const Members &o) {
    line.threads.push_back({o.text("thread"), o.text("state"), numberOr(o, "operator", -1),
                            o.has("since") ? o.number("since") : -1});
  });
  takeCounts(m, "leftOut", line.leftOut);
  takeCounts(m, "metrics", line.metrics);
  objects(m, "links", [&](const Members &o) {
    line.links.push_back({o.count("operator"), o.count("pe"), o.flag("sends", false),
                          o.number("tuples"), o.number("bytes"), o.number("waited")});
  });
  double *latency[] = {&line.latencyHalf, &line.latencyMost};
  size_t i = 0;
  m.elements("latency", [&](const json::Value &v) {
    if (i < std::size(latency))
      *latency[i++] = m.toNumber("latency", v);
  });
  line.cpu = m.number("cpu");
  line.others = m.number("others");
  line.memory = m.number("memory");
  line.memoryLimit = m.number("memoryLimit");
  line.cpus = m.count("cpus");
  line.workers = m.count("workers");
  line.mostWorkers = m.count("mostWorkers");
  line.busy = m.number("busy");
  if (m.has("limit"))
    if (auto limit = m.members("limit"))
      line.limit = {limit->text("kind"), numberOr(*limit, "operator", -1), limit->text("text")};
  return line;
}
