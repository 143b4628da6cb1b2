//===- Watcher.cpp - shows a program to who asks --------------------------===//
#include "runtime/exec/watch/Watcher.h"
#include "runtime/base/process.h"
#include "runtime/base/text/Json.h"
#include "runtime/exchange/Registry.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/tap/Taps.h"
#include <algorithm>
#include <cerrno>
#include <charconv>

namespace sluice::watch {

static constexpr int64_t kPeriod = os::kNanos / 2;
/// Bytes that may wait for a viewer before figures are left out, and before it is given up.
static constexpr size_t kMuch = 1 << 20, kTooMuch = 32 << 20;
static constexpr uint32_t kManyOperators = 500; // more, and a trace has figures less often

Watcher::Watcher(const Program &p, Adapted adapted, Publish publish)
    : p(p), adapted(std::move(adapted)), publish(std::move(publish)) {
  os::catchLook(&look);
}

Watcher::~Watcher() { os::catchLook(nullptr); }

bool Watcher::isOfUse() const { return p.options.isWatched() || adapted.writer.working(); }

//===--- viewers ----------------------------------------------------------------===//

/// Connects to the sockets of the registry that are for this job.
void Watcher::connect() {
  look.lower();
  exchange::Registry registry;
  if (!registry.open().empty())
    return;
  std::set<exchange::Place> there;
  for (const exchange::Place &place : registry.entriesOf(p.options.process, ".feed")) {
    Viewer viewer;
    if (!connected.contains(place) && !registry.connect(place, viewer.socket))
      continue;
    there.insert(place);
    if (!viewer.socket)
      continue;
    viewer.waiting = format(adapted.header);
    viewers.push_back(std::move(viewer));
  }
  connected = std::move(there);
}

//===--- what they ask for ------------------------------------------------------===//

void Watcher::obey(Viewer &v, const std::string &line) {
  if (line == "pause" || line == "resume")
    return adapted.pause(line == "pause");
  size_t blank = line.find(' ');
  std::string word = line.substr(0, blank);
  uint32_t port = 0;
  const char *end = line.data() + line.size();
  if (blank == line.npos || std::from_chars(line.data() + blank + 1, end, port).ptr != end)
    return;
  if (word == "tap")
    tap(v, port);
  else if (word == "untap")
    untap(v, port);
}

/// A line with tuples of a port, or why there are none. No trace has such lines.
static std::string tapLine(const Program &p, uint32_t port, const std::vector<std::string> &tuples,
                           const std::string &refused) {
  Json json(Json::Style::Line);
  json.openElement('{');
  json.text("line", "tap");
  json.number("time", double(os::now() - p.show.began.nanos) * 1e-9);
  json.number("port", port);
  if (!refused.empty())
    json.text("refused", refused);
  json.open("tuples", '[');
  for (const std::string &tuple : tuples)
    json.element(tuple);
  json.close();
  json.close();
  return std::move(json).finish();
}

/// What another PE runs is for that one.
void Watcher::tap(Viewer &v, uint32_t port) {
  if (port < p.desc.inPortCount && !p.isHere(p.desc.inPorts[port].op))
    return;
  std::string problem =
      !p.taps ? "the program was started without --console-allow=tap" : p.taps->begin(port);
  if (problem.empty())
    v.taps.insert(port);
  else
    v.waiting += tapLine(p, port, {}, problem);
}

void Watcher::untap(Viewer &v, uint32_t port) {
  if (v.taps.erase(port) &&
      std::ranges::none_of(viewers, [&](const Viewer &other) { return other.taps.contains(port); }))
    p.taps->end(port);
}

/// It has gone.
void Watcher::forget(Viewer &v) {
  while (!v.taps.empty())
    untap(v, *v.taps.begin());
}

/// Takes its lines. False: it has gone.
bool Watcher::receive(Viewer &v) {
  char bytes[512];
  int64_t count = remote::readSome(v.socket, bytes, sizeof bytes);
  if (count <= 0)
    return count == -EAGAIN;
  v.received.append(bytes, size_t(count));
  for (size_t end; (end = v.received.find('\n')) != std::string::npos;) {
    obey(v, v.received.substr(0, end));
    v.received.erase(0, end + 1);
  }
  return v.received.size() < sizeof bytes;
}

/// Sends what there is room for. False: it has gone, or takes nothing.
bool Watcher::send(Viewer &v) {
  while (!v.waiting.empty()) {
    int64_t count = remote::writeSome(v.socket, std::as_bytes(std::span(v.waiting)));
    if (count == -EAGAIN)
      return v.waiting.size() < kTooMuch;
    if (count <= 0)
      return false;
    v.waiting.erase(0, size_t(count));
  }
  return true;
}

//===--- what is shown ----------------------------------------------------------===//

void Watcher::showEvents(Viewer &v) {
  std::vector<std::string> lines;
  uint64_t lost = 0;
  v.nextEvent = adapted.writer.events().since(v.nextEvent, lines, lost);
  double time = double(os::now() - p.show.began.nanos) * 1e-9;
  if (lost)
    v.waiting += format(trace::Lost{time, lost, "they were long ago"});
  for (const std::string &line : lines)
    v.waiting += line;
}

void Watcher::showFigures(Viewer &v, const std::string &line, const std::string &metrics) {
  if (v.waiting.size() > kMuch) {
    ++v.dropped;
    return;
  }
  if (v.dropped)
    v.waiting += format(trace::Lost{double(os::now() - p.show.began.nanos) * 1e-9,
                                    std::exchange(v.dropped, 0), "who looks is too slow"});
  v.waiting += line + "#" + std::to_string(metrics.size()) + "\n" + metrics;
}

std::string Watcher::metrics(const Look &now) const {
  PolicyCounts counts;
  for (size_t kind = 0; kind < counts.decisions.size(); ++kind)
    counts.decisions[kind] = adapted.writer.decisionsOf(elastic::Kind(kind));
  counts.isSettled = adapted.writer.isSettled();
  return openMetrics(p.desc, now, counts);
}

/// Who is too slow misses some.
void Watcher::showTuples() {
  std::set<uint32_t> ports;
  for (const Viewer &v : viewers)
    ports.insert(v.taps.begin(), v.taps.end());
  for (uint32_t port : ports) {
    std::vector<std::string> tuples = p.taps->take(port);
    if (tuples.empty())
      continue;
    std::string line = tapLine(p, port, tuples, "");
    for (Viewer &v : viewers)
      if (v.taps.contains(port) && v.waiting.size() <= kMuch)
        v.waiting += line;
  }
}

void Watcher::show() {
  Look now = looker->look();
  ++looks;
  uint32_t every = p.desc.operatorCount > kManyOperators ? 10 : 2; // looks
  if (looks % every == 1 && adapted.writer.working())
    adapted.writer.figures(now.line);
  const bool publishes = publish && looks % 2; // each second
  if (viewers.empty() && !publishes)
    return;
  const std::string text = metrics(now);
  if (publishes)
    publish(text);
  if (viewers.empty())
    return;
  const std::string line = format(now.line);
  for (Viewer &v : viewers) {
    showEvents(v);
    showFigures(v, line, text);
  }
  showTuples();
}

/// Sends and receives for so long, or until the end or somebody asks to look.
void Watcher::talk(int64_t nanos, const os::Event &end) {
  static constexpr int64_t kSlice = os::kNanos / 20; // after which it is looked for words
  int64_t until = os::now() + nanos;
  for (int64_t left; (left = until - os::now()) > 0 && !end.raised();) {
    viewers.remove_if([&](Viewer &v) {
      bool stays = receive(v) && send(v);
      if (!stays)
        forget(v);
      return !stays;
    });
    os::sleepOn({&end, &look}, viewers.empty() ? left : std::min(left, kSlice));
    if (look.raised()) {
      connect();
      return;
    }
  }
}

void Watcher::run(const os::Event &end) {
  looker = std::make_unique<Looker>(p);
  connect();
  while (!end.raised()) {
    talk(kPeriod, end);
    show();
  }
}

void Watcher::finish() {
  static constexpr int64_t kPatience = os::kNanos; // for all of them together
  if (publish && looker)
    publish(metrics(looker->look()));
  int64_t until = os::now() + kPatience;
  for (Viewer &v : viewers) {
    showEvents(v);
    remote::writeAll(v.socket, std::as_bytes(std::span(v.waiting)),
                     std::max<int64_t>(until - os::now(), 1));
  }
  viewers.clear();
}

} // namespace sluice::watch
