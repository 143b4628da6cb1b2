//===- LookAt.cpp - asks running programs what they do --------------------===//
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include "runtime/exchange/Registry.h"
#include "tools/driver/live/Live.h"
#include "tools/driver/trace/TraceReader.h"
#include "llvm/ADT/STLExtras.h"
#include <cerrno>
#include <list>

using namespace sluice;
using namespace sluice::driver;

namespace {
/// A connection from a process of a job.
struct Speaker {
  int job;
  remote::Socket socket;
  std::string received;
  LiveLook look;
};

class Listening {
public:
  llvm::Error begin(const std::vector<LiveJob> &);
  ~Listening();
  void take();
  bool isDone(size_t processes) const;
  std::map<std::pair<int, int>, LiveLook> results();

private:
  void receive(Speaker &);
  bool takeLine(Speaker &);
  struct Listener {
    int job;
    std::string path;
    remote::Socket socket;
  };
  std::vector<Listener> listeners;
  std::list<Speaker> speakers;
};
} // namespace

llvm::Error Listening::begin(const std::vector<LiveJob> &jobs) {
  exchange::Registry registry;
  if (std::string problem = registry.open(); !problem.empty())
    return llvm::createStringError(problem);
  for (const LiveJob &job : jobs) {
    std::string name =
        std::to_string(job.number) + "." + std::to_string(os::processNumber()) + ".feed";
    remote::Address hidden;
    hidden.path = registry.directory() + "/." + name;
    Listener &listener = listeners.emplace_back(job.number, registry.directory() + "/" + name);
    int error = remote::listenAt(hidden, listener.socket);
    error = error ? error : os::renameFile(hidden.path.c_str(), listener.path.c_str());
    if (error)
      return llvm::createStringError("cannot listen at " + listener.path + ": " +
                                     os::errorText(-error));
    for (const JobProcess &process : job.processes)
      os::signalProcess(process.process, os::kLookSignal);
  }
  return llvm::Error::success();
}

Listening::~Listening() {
  for (const Listener &listener : listeners)
    os::removeFile(listener.path.c_str());
}

/// False: there is no whole line yet.
bool Listening::takeLine(Speaker &s) {
  size_t end = s.received.find('\n');
  if (end == std::string::npos)
    return false;
  size_t bytes = end + 1;
  if (s.received[0] == '#') // for Prometheus
    bytes += strtoull(s.received.c_str() + 1, nullptr, 10);
  if (s.received.size() < bytes)
    return false;
  bool isHeader = !s.look.header;
  llvm::StringRef text = llvm::StringRef(s.received).take_front(end);
  if (isHeader || text.starts_with("{\"line\":\"figures\"")) {
    auto line = parseTraceLine(text, isHeader ? nullptr : &*s.look.header);
    if (!line)
      llvm::consumeError(line.takeError()); // of another version
    else if (auto *header = std::get_if<trace::Header>(&*line))
      s.look.header = std::move(*header);
    else if (auto *figures = std::get_if<trace::Figures>(&*line))
      (s.look.earlier ? s.look.later : s.look.earlier) = std::move(*figures);
  }
  s.received.erase(0, bytes);
  return true;
}

void Listening::receive(Speaker &s) {
  std::string bytes(1 << 16, 0);
  for (int64_t count;
       s.socket && (count = remote::readSome(s.socket, bytes.data(), bytes.size())) != -EAGAIN;) {
    if (count <= 0)
      return s.socket.close();
    s.received.append(bytes, 0, size_t(count));
    while (takeLine(s))
      ;
  }
}

void Listening::take() {
  std::vector<int> descriptors;
  for (const Listener &listener : listeners)
    descriptors.push_back(listener.socket.descriptor());
  for (const Speaker &s : speakers)
    if (s.socket)
      descriptors.push_back(s.socket.descriptor());
  if (!remote::awaitReadable(descriptors, os::kNanos / 10))
    return;
  for (const Listener &listener : listeners)
    for (remote::Socket accepted; remote::acceptFrom(listener.socket, accepted) == 0;)
      if (exchange::isOwn(accepted))
        speakers.push_back({listener.job, std::move(accepted), {}, {}});
  for (Speaker &s : speakers)
    receive(s);
}

bool Listening::isDone(size_t processes) const {
  return speakers.size() >= processes &&
         llvm::all_of(speakers, [](const Speaker &s) { return s.look.later || !s.socket; });
}

std::map<std::pair<int, int>, LiveLook> Listening::results() {
  std::map<std::pair<int, int>, LiveLook> all;
  for (Speaker &s : speakers)
    if (s.look.header)
      all[{s.job, int(s.look.header->process)}] = std::move(s.look);
  return all;
}

llvm::Expected<std::map<std::pair<int, int>, LiveLook>>
driver::lookAt(const std::vector<LiveJob> &jobs, double seconds) {
  Listening listening;
  if (llvm::Error error = listening.begin(jobs))
    return std::move(error);
  size_t processes = 0;
  for (const LiveJob &job : jobs)
    processes += job.processes.size();
  int64_t until = os::now() + int64_t(seconds * 1e9);
  while (!listening.isDone(processes) && os::now() < until)
    listening.take();
  return listening.results();
}

double driver::rateOf(const LiveLook &look) {
  if (!look.header || !look.earlier || !look.later || look.later->time <= look.earlier->time)
    return -1;
  double rows = 0;
  const auto &operators = look.header->flow.operators;
  for (size_t i = 0; i < operators.size(); ++i)
    if (const auto &op = operators[i]; op.isSource && !op.isDaemon && op.isHere &&
                                       op.part != "receive" && i < look.later->operators.size() &&
                                       i < look.earlier->operators.size())
      rows += std::max(0.0, look.later->operators[i].out - look.earlier->operators[i].out);
  return rows / (look.later->time - look.earlier->time);
}
