//===- FormatFigures.cpp - the counters as a line of a trace --------------===//
#include "runtime/base/text/Json.h"
#include "runtime/trace/Lines.h"
#include <algorithm>
#include <cmath>

namespace sluice::trace {

/// To the microsecond, or the whole number: a line has thousands of them.
static double shortened(double value) { return std::round(value * 1e6) / 1e6; }

/// A member of all elements as an array. It is left out if they all have the `usual` value.
template <class T, class Get>
static void column(Json &json, std::string_view name, const std::vector<T> &rows, double usual,
                   Get get) {
  if (std::all_of(rows.begin(), rows.end(), [&](const T &row) { return get(row) == usual; }))
    return;
  json.open(name, '[');
  for (const T &row : rows) {
    double value = shortened(double(get(row)));
    if (value == std::floor(value) && std::abs(value) < 9e15)
      json.element(int64_t(value));
    else
      json.element(value);
  }
  json.close();
}

static void operators(Json &json, const std::vector<OperatorFigures> &rows) {
  json.open("operators", '{');
  column(json, "in", rows, -1, [](auto &row) { return row.in; });
  column(json, "out", rows, -1, [](auto &row) { return row.out; });
  column(json, "cpu", rows, 0, [](auto &row) { return row.cpu; });
  column(json, "waited", rows, 0, [](auto &row) { return row.waited; });
  column(json, "estimate", rows, 0, [](auto &row) { return double(row.isEstimate); });
  json.close();
}

static void boundaries(Json &json, const std::vector<BoundaryFigures> &rows) {
  json.open("boundaries", '{');
  column(json, "port", rows, -1, [](auto &row) { return row.in; });
  column(json, "queue", rows, 0, [](auto &row) { return double(row.isQueue); });
  column(json, "width", rows, 1, [](auto &row) { return row.width; });
  column(json, "depth", rows, 0, [](auto &row) { return row.depth; });
  column(json, "room", rows, 0, [](auto &row) { return row.room; });
  column(json, "blocked", rows, 0, [](auto &row) { return row.blocked; });
  json.close();
}

static void threads(Json &json, const std::vector<ThreadFigures> &rows) {
  json.open("threads", '[');
  for (const ThreadFigures &row : rows) {
    json.openElement('{');
    json.text("thread", row.thread);
    json.text("state", row.state);
    if (row.op >= 0)
      json.number("operator", row.op);
    if (row.since >= 0)
      json.number("since", shortened(row.since));
    json.close();
  }
  json.close();
}

static void counts(Json &json, std::string_view name, const std::vector<CountFigures> &rows) {
  if (rows.empty())
    return;
  json.open(name, '[');
  for (const CountFigures &row : rows) {
    json.openElement('{');
    json.number("operator", row.op);
    json.text("name", row.name);
    json.number("count", row.count);
    json.close();
  }
  json.close();
}

static void links(Json &json, const std::vector<LinkFigures> &rows) {
  if (rows.empty())
    return;
  json.open("links", '[');
  for (const LinkFigures &row : rows) {
    json.openElement('{');
    json.number("operator", row.op);
    json.number("pe", row.pe);
    json.flag("sends", row.sends);
    json.number("tuples", row.tuples);
    json.number("bytes", row.bytes);
    json.number("waited", shortened(row.waited));
    json.close();
  }
  json.close();
}

std::string format(const Figures &line) {
  Json json(Json::Style::Line);
  json.openElement('{');
  json.text("line", Figures::kName);
  json.number("time", shortened(line.time));
  operators(json, line.operators);
  boundaries(json, line.boundaries);
  threads(json, line.threads);
  counts(json, "leftOut", line.leftOut);
  counts(json, "metrics", line.metrics);
  links(json, line.links);
  json.open("latency", '[');
  json.element(line.latencyHalf);
  json.element(line.latencyMost);
  json.close();
  json.number("cpu", shortened(line.cpu));
  json.number("others", shortened(line.others));
  json.number("memory", line.memory);
  json.number("memoryLimit", line.memoryLimit);
  json.number("cpus", line.cpus);
  json.number("workers", line.workers);
  json.number("mostWorkers", line.mostWorkers);
  json.number("busy", shortened(line.busy));
  if (!line.limit.kind.empty()) {
    json.open("limit", '{');
    json.text("kind", line.limit.kind);
    if (line.limit.op >= 0)
      json.number("operator", line.limit.op);
    json.text("text", line.limit.text);
    json.close();
  }
  json.close();
  return std::move(json).finish();
}

} // namespace sluice::trace
