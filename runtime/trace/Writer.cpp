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

Writer::~Writer() {
  if (fd >= 0)
    close();
}

void tellDirectly(std::string_view text) {
  os::writeFile(2, text.data(), text.size()); // there is nowhere to report a failure
}

void Writer::warn(int error) {
  tell(program + ": warning: cannot write " + path + ": " + os::errorText(-error) +
       "; tracing ends, the program goes on\n");
}

void Writer::put(const std::string &line) {
  if (fd < 0)
    return;
  if (int error = os::writeFile(fd, line.data(), line.size())) {
    warn(error);
    os::closeFile(fd);
    fd = -1;
  }
}

void Writer::close() {
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
  put(format(header));
}

void Writer::sample(const elastic::Sample &sample, bool used) {
  time = sample.time;
  throughput = sample.throughput(graph);
  ++samples;
  put(format(SampleLine{sample, used}));
}

void Writer::startSettling(double from, const char *since) {
  settlingFrom = from;
  settlingSince = since;
  settled = false;
}

void Writer::decision(const elastic::Decision &decision) {
  ++decisions;
  put(format(Decision{time, decision}));
  if (decision.kind == Kind::LoadChange) {
    startSettling(time, "load-change");
    put(format(LoadChange{time, decision.reason}));
  } else if (decision.kind != Kind::Settled)
    settled = settled && decision.kind == Kind::Wait; // `Wait` tries nothing
  else if (!settled) {
    settled = true;
    elastic::Configuration then = now;
    elastic::apply(decision, then);
    put(format(Settled{time, settlingSince, time - settlingFrom, throughput, then.threads,
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
  put(format(Switch{at, queues, widths}));
}

void Writer::threads(double at, uint32_t to) {
  if (to == now.threads)
    return;
  put(format(Threads{at, now.threads, to}));
  now.threads = to;
}

void Writer::pause(double at) { put(format(Pause{at})); }

void Writer::resume(double at, std::optional<elastic::Configuration> start) {
  time = at;
  startSettling(at, "resume");
  if (start)
    now = *start;
  put(format(Resume{at, std::move(start)}));
}

void Writer::lost(double at, uint64_t lines, const std::string &reason) {
  lostLines += lines;
  put(format(Lost{at, lines, reason}));
}

void Writer::end(Final line) {
  line.samples = samples;
  line.decisions = decisions;
  line.lost = lostLines;
  put(format(line));
  if (fd >= 0)
    close();
}

} // namespace sluice::trace
