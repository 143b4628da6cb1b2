//===- Writer.cpp - writes a trace while a program runs -------------------===//
#include "runtime/trace/Writer.h"
#include "runtime/base/os.h"
#include <algorithm>

namespace sluice::trace {

using elastic::Kind;

//===--- the file --------------------------------------------------------------------===//

std::unique_ptr<Writer> Writer::create(const std::string &program, const std::string &path,
                                       std::string &error, Tell tell) {
  if (!os::mayReplace(path.c_str(), "{\"line\":\"header\"")) {
    error = "cannot write " + path + ": it is there already, and no trace";
    return nullptr;
  }
  int fd = os::openFile(path.c_str(), os::Open::Truncate);
  if (fd < 0) {
    error = "cannot write " + path + ": " + os::errorText(-fd);
    return nullptr;
  }
  return std::make_unique<Writer>(program, path, fd, std::move(tell));
}

Writer::~Writer() { close(); }

void tellDirectly(std::string_view text) {
  os::writeFile(2, text.data(), text.size()); // there is nowhere to report a failure
}

void Writer::warn(int error) {
  tell(program + ": warning: cannot write " + path + ": " + os::errorText(-error) +
       "; tracing ends, the program goes on\n");
}

void Writer::put(const std::string &line) {
  os::Held held(lock);
  if (fd < 0)
    return;
  if (int error = os::writeFile(fd, line.data(), line.size())) {
    warn(error);
    os::closeFile(fd);
    fd = -1;
  }
}

bool Writer::working() const {
  os::Held held(lock);
  return fd >= 0;
}

/// Of something that happened.
void Writer::tellOf(const std::string &line) {
  put(line);
  happened.add(line);
}

void Writer::close() {
  os::Held held(lock);
  if (fd < 0)
    return;
  if (int error = os::closeFile(fd)) // some file systems report errors only now
    warn(error);
  fd = -1;
}

//===--- lines -------------------------------------------------------------------------===//

/// Adds the defaults, so that the trace does not depend on later defaults.
static void addDefaults(elastic::Constants &constants, const std::string &policy) {
  for (const elastic::Constant &constant : elastic::constantsOf(policy))
    if (std::none_of(constants.begin(), constants.end(),
                     [&](auto &given) { return given.first == constant.name; }))
      constants.emplace_back(constant.name, constant.value);
}

void Writer::begin(Header header) {
  addDefaults(header.constants, header.policy);
  graph = header.graph;
  now = header.start;
  if (working())
    put(format(header));
}

void Writer::sample(const elastic::Sample &sample, bool used) {
  time = sample.time;
  throughput = sample.throughput(graph);
  ++samples;
  if (working())
    put(format(SampleLine{sample, used}));
}

void Writer::startSettling(double from, const char *since) {
  settlingFrom = from;
  settlingSince = since;
  settled = false;
}

void Writer::decision(const elastic::Decision &decision) {
  ++decisions;
  byKind[size_t(decision.kind)].fetch_add(1, std::memory_order_relaxed);
  std::string line = format(Decision{time, decision});
  bool isNews = decision.kind != Kind::Wait && !(decision.kind == Kind::Settled && isSettled());
  isNews ? tellOf(line) : put(line);
  if (decision.kind == Kind::LoadChange) {
    startSettling(time, "load-change");
    tellOf(format(LoadChange{time, decision.reason}));
  } else if (decision.kind != Kind::Settled)
    settled = isSettled() && decision.kind == Kind::Wait; // `Wait` tries nothing
  else if (!isSettled()) {
    settled = true;
    elastic::Configuration then = now;
    elastic::apply(decision, then);
    tellOf(format(Settled{time, settlingSince, time - settlingFrom, throughput, then.threads,
                          uint32_t(std::count(then.queued.begin(), then.queued.end(), 1))}));
  }
}

void Writer::switched(double at, const Queues &queues, const Widths &widths) {
  if (queues.empty() && widths.empty())
    return;
  elastic::Decision change;
  change.queues = queues;
  change.widths = widths;
  elastic::apply(change, now);
  tellOf(format(Switch{at, queues, widths}));
}

void Writer::threads(double at, uint32_t to) {
  if (to == now.threads)
    return;
  tellOf(format(Threads{at, now.threads, to}));
  now.threads = to;
}

void Writer::pause(double at) { tellOf(format(Pause{at})); }

void Writer::resume(double at, std::optional<elastic::Configuration> start) {
  time = at;
  startSettling(at, "resume");
  if (start)
    now = *start;
  tellOf(format(Resume{at, std::move(start)}));
}

void Writer::lost(double at, uint64_t lines, const std::string &reason) {
  lostLines += lines;
  tellOf(format(Lost{at, lines, reason}));
}

void Writer::figures(const Figures &line) { put(format(line)); }

void Writer::end(Final line) {
  line.samples = samples;
  line.decisions = decisions;
  line.lost = lostLines;
  tellOf(format(line));
  close();
}

} // namespace sluice::trace
