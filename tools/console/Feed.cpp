//===- Feed.cpp - the processes of a job, as they speak -------------------===//
#include "tools/console/Feed.h"
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include <cerrno>
#include <cstdlib>

namespace sluice::console {

static constexpr size_t kMostLine = 64 << 20; // bytes: who sends more is no program of ours

Feed::~Feed() {
  if (!path.empty())
    os::removeFile(path.c_str());
}

std::string Feed::listen(int of) {
  job = of;
  if (std::string problem = registry.open(); !problem.empty())
    return problem;
  std::string name = std::to_string(job) + "." + std::to_string(os::processNumber()) + ".feed";
  path = registry.directory() + "/" + name;
  remote::Address hidden; // it gets its own name when it listens
  hidden.path = registry.directory() + "/." + name;
  int error = remote::listenAt(hidden, listener);
  error = error ? error : os::renameFile(hidden.path.c_str(), path.c_str());
  return error ? "cannot listen at " + path + ": " + os::errorText(-error) : "";
}

/// The entries JOB.PROCESS.job of the registry say who there is.
size_t Feed::ask() {
  size_t count = 0, begin = std::to_string(job).size() + 1;
  for (const exchange::Place &place : registry.entriesOf(job, ".job"))
    if (int process = atoi(place.name.c_str() + begin); process > 1) {
      os::signalProcess(process, os::kLookSignal);
      ++count;
    }
  return count;
}

/// A line, or a block for Prometheus. False: it is not whole yet.
bool Feed::takeLine(Process &p) {
  size_t end = p.received.find('\n');
  if (end == std::string::npos)
    return false;
  if (p.received[0] == '#') {
    size_t size = strtoull(p.received.c_str() + 1, nullptr, 10);
    if (p.received.size() < end + 1 + size)
      return false;
    hub.setMetrics(p.pe, p.received.substr(end + 1, size));
    p.received.erase(0, end + 1 + size);
    return true;
  }
  std::string_view line = std::string_view(p.received).substr(0, end + 1);
  if (!p.isKnown)
    p.pe = peOf(line);
  p.isKnown = true;
  hub.add(p.pe, line);
  p.received.erase(0, end + 1);
  return true;
}

/// False: it has gone.
bool Feed::receive(Process &p) {
  std::string bytes(1 << 16, 0);
  for (int64_t count;
       (count = remote::readSome(p.socket, bytes.data(), bytes.size())) != -EAGAIN;) {
    if (count <= 0)
      return false;
    p.received.append(bytes, 0, size_t(count));
    while (takeLine(p))
      ;
    if (p.received.size() > kMostLine)
      return false;
  }
  return true;
}

void Feed::take(int64_t nanos) {
  std::vector<int> descriptors = {listener.descriptor()};
  for (const Process &p : processes)
    descriptors.push_back(p.socket.descriptor());
  if (!remote::awaitReadable(descriptors, nanos))
    return;
  std::lock_guard guard(lock);
  for (remote::Socket accepted; remote::acceptFrom(listener, accepted) == 0;)
    if (exchange::isOwn(accepted)) {
      processes.emplace_back();
      processes.back().socket = std::move(accepted);
    }
  processes.remove_if([&](Process &p) {
    if (receive(p))
      return false;
    if (p.isKnown)
      hub.leave(p.pe);
    return true;
  });
}

void Feed::tell(const std::string &word) {
  const std::string line = word + "\n";
  std::lock_guard guard(lock);
  for (const Process &p : processes)
    remote::writeAll(p.socket, std::as_bytes(std::span(line)), os::kNanos / 10);
}

} // namespace sluice::console
