//===- Perfetto.cpp - sluice trace perfetto --------------------------===//
//
// Chrome's trace event format. Process 1 is the program; its thread 1 has the intervals
// that were measured, thread 2 what was decided.
//
//===----------------------------------------------------------------------===//
#include "tools/driver/trace/Trace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace sluice;
using namespace sluice::driver;
using llvm::StringRef;
namespace json = llvm::json;

namespace {
enum Track { Intervals = 1, Decisions = 2 };

class Events {
public:
  explicit Events(llvm::raw_ostream &os) : out(os) {}

  void begin(const trace::Header &header) {
    out.objectBegin();
    out.attribute("displayTimeUnit", "ms");
    out.attributeObject("otherData", [&] {
      out.attribute("program", header.program);
      out.attribute("composite", header.composite);
      out.attribute("policy", header.policy);
    });
    out.attributeBegin("traceEvents");
    out.arrayBegin();
    name("process_name", 0, header.composite.empty() ? header.program : header.composite);
    name("thread_name", Intervals, "windows");
    name("thread_name", Decisions, "decisions");
  }
  void end() {
    out.arrayEnd();
    out.attributeEnd();
    out.objectEnd();
  }
  /// A counter with one value; what JSON cannot say is left out.
  void counter(StringRef what, double time, StringRef unit, double value) {
    if (!std::isfinite(value))
      return;
    event(what, "C", time, Intervals,
          [&] { out.attributeObject("args", [&] { out.attribute(unit, value); }); });
  }
  void span(StringRef what, double from, double length) {
    event(what, "X", from, Intervals, [&] { out.attribute("dur", micros(length)); });
  }
  void instant(StringRef what, double time, llvm::function_ref<void()> arguments) {
    event(what, "i", time, Decisions, [&] {
      out.attribute("s", "p");
      out.attributeObject("args", arguments);
    });
  }
  json::OStream out;

private:
  static int64_t micros(double seconds) { return std::llround(std::min(seconds, 1e9) * 1e6); }
  void event(StringRef what, StringRef phase, double time, Track track,
             llvm::function_ref<void()> more) {
    out.object([&] {
      out.attribute("name", what);
      out.attribute("ph", phase);
      out.attribute("ts", micros(time));
      out.attribute("pid", 1);
      out.attribute("tid", int(track));
      more();
    });
  }
  void name(StringRef what, int track, StringRef text) {
    out.object([&] {
      out.attribute("name", what);
      out.attribute("ph", "M");
      out.attribute("pid", 1);
      if (track)
        out.attribute("tid", track);
      out.attributeObject("args", [&] { out.attribute("name", text); });
    });
  }
};

/// Writes lines as they are read.
class Converter {
public:
  Converter(llvm::raw_ostream &os, const trace::Header &header, const std::vector<uint32_t> &heavy)
      : events(os), header(header), state(header), heavy(heavy) {
    events.begin(header);
    set(0);
  }
  void take(const trace::Line &line) {
    state.apply(line);
    if (auto *sample = std::get_if<trace::SampleLine>(&line))
      add(*sample);
    else if (auto *decision = std::get_if<trace::Decision>(&line))
      add(*decision);
    else if (std::holds_alternative<trace::Switch>(line) ||
             std::holds_alternative<trace::Threads>(line))
      set(timeOf(line));
    else if (!std::holds_alternative<trace::Figures>(line)) // samples have said it
      other(line);
  }
  void end() { events.end(); }

private:
  void set(double time) {
    events.counter("threads", time, "threads", state.threads());
    events.counter("queues", time, "queues", state.queues());
  }
  void add(const trace::SampleLine &line) {
    const elastic::Sample &s = line.sample;
    double from = std::max(0.0, s.time - s.length), length = s.length > 0 ? s.length : 1;
    events.span(line.used ? "window" : "window, not for the policy", from, s.length);
    // A counter holds until its next value, so the value of an interval stands at its beginning.
    events.counter("throughput", from, "rows per second", s.throughput(header.graph));
    events.counter("processors", from, "in use", s.cpu / length);
    if (s.latency >= 0)
      events.counter("latency", from, "ms", s.latency * 1e3);
    for (uint32_t node : heavy)
      events.counter("busy: " + header.graph.nodes[node].name, from, "share",
                     s.nodes[node].inside() / length);
  }
  void add(const trace::Decision &line) {
    const elastic::Decision &d = line.decision;
    auto kind = elastic::toString(d.kind);
    events.instant({kind.data(), kind.size()}, line.time, [&] {
      json::OStream &out = events.out;
      out.attribute("reason", d.reason);
      std::string change = describeChange(header, state.configuration(), d);
      if (!change.empty())
        out.attribute("change", change);
      for (auto &[name, value] : d.numbers)
        if (name != "reason" && name != "change")
          std::isfinite(value) ? out.attribute(name, value)
                               : out.attribute(name, std::to_string(value));
    });
  }
  void other(const trace::Line &line) {
    auto name = std::visit([](const auto &l) { return l.kName; }, line);
    events.instant({name.data(), name.size()}, timeOf(line), [&] {
      std::string text = std::visit([](const auto &l) { return trace::format(l); }, line);
      events.out.attribute("line", StringRef(text).drop_back());
    });
  }

  Events events;
  const trace::Header &header;
  TraceState state;
  const std::vector<uint32_t> &heavy;
};
} // namespace

/// The nodes that took most time in all of the trace, at most 16.
static llvm::Expected<std::vector<uint32_t>> heaviest(const std::string &path) {
  std::vector<double> busy;
  auto history = readHistory(path, [&](const trace::Line &line) {
    if (auto *sample = std::get_if<trace::SampleLine>(&line)) {
      busy.resize(sample->sample.nodes.size());
      for (size_t i = 0; i < busy.size(); ++i)
        busy[i] += sample->sample.nodes[i].inside();
    }
  });
  if (!history)
    return history.takeError();
  std::vector<uint32_t> nodes;
  for (uint32_t i = 0; i < busy.size(); ++i)
    if (busy[i] > 0)
      nodes.push_back(i);
  llvm::sort(nodes, [&](uint32_t a, uint32_t b) {
    return busy[a] != busy[b] ? busy[a] > busy[b] : a < b;
  });
  nodes.resize(std::min<size_t>(nodes.size(), 16));
  return nodes;
}

int driver::tracePerfettoCommand(const DriverOptions &options) {
  if (options.input == "-")
    return traceFailure(llvm::createStringError("the trace is read twice: it must be a file"));
  auto heavy = heaviest(options.input);
  if (!heavy)
    return traceFailure(heavy.takeError());
  auto reader = TraceReader::open(options.input);
  if (!reader)
    return traceFailure(reader.takeError());
  llvm::Error error = llvm::Error::success();
  int code = writeConverted(options, [&](llvm::raw_ostream &os) {
    Converter converter(os, (*reader)->header(), *heavy);
    error = llvm::joinErrors(std::move(error), forEachLine(**reader, [&](TraceRecord &record) {
                               converter.take(record.line);
                               return llvm::Error::success();
                             }));
    converter.end();
  });
  if (error)
    return traceFailure(std::move(error));
  warnOfMissing(options.input, (*reader)->missing());
  return code;
}
