//===- HostPipe.cpp - the pipes between a PE and its host -----------------===//
#include "runtime/remote/host/HostPipe.h"
#include "runtime/remote/link/Patience.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace sluice::remote {

static constexpr size_t kStackBytes = 256 << 10;

//===--- beginning ------------------------------------------------------------------===//

/// The pipes get other numbers, so that neither the program nor what it starts gets hold of them.
std::string HostPipe::takeStandardFiles() {
  in = Socket(fcntl(0, F_DUPFD_CLOEXEC, 3));
  out = Socket(fcntl(1, F_DUPFD_CLOEXEC, 3));
  Socket nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  int ends[2];
  if (!in || !out || !nothing || pipe2(ends, O_CLOEXEC))
    return "cannot take the pipes of the host: " + os::errorText(errno);
  Socket program(ends[1]);
  printed = Socket(ends[0]);
  if (dup2(nothing.descriptor(), 0) < 0 || dup2(program.descriptor(), 1) < 0)
    return "cannot take the pipes of the host: " + os::errorText(errno);
  fcntl(out.descriptor(), F_SETFL, fcntl(out.descriptor(), F_GETFL) | O_NONBLOCK);
  return "";
}

std::string HostPipe::greet(uint64_t program, uint32_t pes) {
  std::string problem;
  if (reader.next(problem) != HostReader::Result::Read)
    return problem.empty() ? "it has said nothing" : problem;
  if (greeting.version != kHostVersion)
    return "its protocol has version " + std::to_string(greeting.version) + ", and this program " +
           std::to_string(kHostVersion);
  if (greeting.pe >= pes)
    return "there is no PE " + std::to_string(greeting.pe) + ": the program has " +
           std::to_string(pes);
  if (greeting.program && greeting.program != program)
    return "it knows another program: job.json and the executable are not of one build";
  PeHello answer{kHostVersion, greeting.pe, program};
  Piece piece = {&answer, sizeof answer};
  if (write(HostFrame::Hello, {&piece, 1}) != Written::All)
    return "it has gone";
  while (!reader.hasBegun())
    if (reader.next(problem) != HostReader::Result::Read)
      return problem.empty() ? "it has gone before the program began" : problem;
  return "";
}

std::unique_ptr<HostPipe> HostPipe::open(uint64_t program, uint32_t pes, std::string &problem) {
  std::unique_ptr<HostPipe> made(new HostPipe);
  problem = made->takeStandardFiles();
  if (problem.empty())
    problem = made->greet(program, pes);
  if (!problem.empty())
    return nullptr;
  made->forwarding = os::Thread([pipe = made.get()] { pipe->forwardOutput(); }, kStackBytes);
  return made;
}

/// What the program has printed is with the host before the process ends.
HostPipe::~HostPipe() {
  silence();
  if (Socket nothing(::open("/dev/null", O_WRONLY | O_CLOEXEC)); nothing)
    dup2(nothing.descriptor(), 1);
  forwarding.join();
}

//===--- what the host says ---------------------------------------------------------===//

void HostPipe::listen(std::function<void()> toStop) {
  stop = std::move(toStop);
  reading = os::Thread([this] { readAll(); }, kStackBytes);
}

void HostPipe::silence() {
  silent.raise();
  reading.join();
}

void HostPipe::readAll() {
  std::string problem;
  while (reader.next(problem) == HostReader::Result::Read)
    ;
  if (!silent.raised())
    leave(problem.empty() ? "has gone" : "does not keep to the protocol: " + problem);
}

/// Nobody is left to whom it matters what this process does.
void HostPipe::leave(const std::string &why) {
  fprintf(stderr, "PE %u: error: its host %s; this process ends\n", greeting.pe, why.c_str());
  os::endProcess(1);
}

/// In large parts directly, else through a buffer.
bool HostPipe::read(void *memory, size_t bytes) {
  for (char *at = static_cast<char *>(memory); bytes;) {
    if (size_t has = std::min(bytes, to - from)) {
      memcpy(at, buffer.data() + from, has);
      from += has, at += has, bytes -= has;
      continue;
    }
    if (silent.awaitReadable(in.descriptor()))
      return false;
    const bool isLarge = bytes >= buffer.size();
    ssize_t n =
        ::read(in.descriptor(), isLarge ? at : buffer.data(), isLarge ? bytes : buffer.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    if (isLarge)
      at += n, bytes -= size_t(n);
    else
      from = 0, to = size_t(n);
  }
  return true;
}

std::string HostPipe::hello(const HostHello &said) { return greeting = said, ""; }

std::string HostPipe::begin(uint64_t checkpoint, std::string state) {
  if (!state.empty() && !greeting.saves)
    return "it has a checkpoint to go on from, and makes none";
  restoredNumber = checkpoint;
  restored = std::move(state);
  return "";
}

static std::string unknown(const HostLink &link) {
  return "this PE does not receive link " + std::to_string(link.receiver) + " from PE " +
         std::to_string(link.sender);
}

void *HostPipe::place(const HostLink &link, size_t bytes, std::string &wrong) {
  coming = link;
  auto found = inboxes.find(link.receiver);
  if (found != inboxes.end())
    return found->second->place(link.sender, bytes, wrong);
  wrong = unknown(link);
  return nullptr;
}

void HostPipe::arrived() {
  ++received; // first: who looks for that many finds them
  inboxes[coming.receiver]->arrived(coming.sender);
}

std::string HostPipe::ended(const HostLink &link) {
  auto found = inboxes.find(link.receiver);
  if (found == inboxes.end())
    return unknown(link);
  ++received;
  return found->second->ended(link.sender, /*inOrder=*/true);
}

/// Not counted as received: receivers count frames and ends.
std::string HostPipe::gone(const HostLink &link) {
  auto found = inboxes.find(link.receiver);
  return found == inboxes.end() ? unknown(link)
                                : found->second->ended(link.sender, /*inOrder=*/false);
}

void HostPipe::ordered(HostFrame type, uint64_t number) {
  if (type == HostFrame::Stop)
    return stop();
  os::Held held(orderLock);
  orders.push_back({type, number, received});
  hasOrder.raise();
}

bool HostPipe::next(HostOrder &order) {
  os::Held held(orderLock);
  if (orders.empty())
    return false;
  order = orders.front();
  orders.pop_front();
  if (orders.empty())
    hasOrder.lower();
  return true;
}

//===--- what the PE says -----------------------------------------------------------===//

/// Waits for room. False: `stop` can be read.
static bool awaitRoom(const Socket &out, Sleeper *sleeper, int stop, int64_t *waited) {
  pollfd files[] = {{out.descriptor(), POLLOUT, 0}, {stop, POLLIN, 0}};
  const int64_t since = os::now();
  if (sleeper)
    sleeper->beginSleep();
  poll(files, 2, -1); // a stop of -1 is left out
  if (sleeper)
    sleeper->endSleep();
  if (waited)
    *waited += os::now() - since;
  return !files[1].revents;
}

HostPipe::Written HostPipe::write(HostFrame type, std::span<const Piece> pieces, Sleeper *sleeper,
                                  int stop, int64_t *waited) {
  size_t bytes = 0;
  for (const Piece &piece : pieces)
    bytes += piece.bytes;
  if (bytes > UINT32_MAX)
    return Written::Gone;
  HostHead head = hostHead(uint32_t(bytes), type);
  if (!writing.tryLock()) {
    if (sleeper)
      sleeper->beginSleep();
    writing.lock();
    if (sleeper)
      sleeper->endSleep();
  }
  auto give = [&](Written result) {
    broken |= result != Written::All;
    writing.unlock();
    return result;
  };
  if (broken)
    return give(Written::Gone);
  auto writePart = [&](const void *data, size_t size) {
    for (auto *at = static_cast<const char *>(data); size;) {
      ssize_t n = ::write(out.descriptor(), at, size);
      if (n >= 0)
        at += n, size -= size_t(n);
      else if (errno == EAGAIN && !awaitRoom(out, sleeper, stop, waited))
        return Written::Stopped;
      else if (errno != EAGAIN && errno != EINTR)
        return Written::Gone;
    }
    return Written::All;
  };
  Written result = writePart(head.data(), head.size());
  for (size_t i = 0; i < pieces.size() && result == Written::All; ++i)
    result = writePart(pieces[i].data, pieces[i].bytes);
  return give(result);
}

HostPipe::Written HostPipe::write(HostFrame type, uint64_t number, std::string_view text) {
  Piece pieces[] = {{&number, sizeof number}, {text.data(), text.size()}};
  return write(type, pieces);
}

void HostPipe::forwardOutput() {
  char text[8192];
  for (;;) {
    ssize_t n = ::read(printed.descriptor(), text, sizeof text);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return;
    Piece piece = {text, size_t(n)};
    write(HostFrame::Log, {&piece, 1});
  }
}

} // namespace sluice::remote
