//===- Introduce.cpp - says hello to another PE ---------------------------===//
#include "runtime/remote/peer/Peers.h"
#include <algorithm>
#include <cerrno>
#include <poll.h>

namespace sluice::remote {

/// ns between two attempts.
static constexpr int64_t kPause = os::kNanos / 50;

namespace {

/// Ask again; if there is no time left, that is the problem.
struct Later {
  std::string problem;
};
using Meeting = std::variant<Met, Later>;

/// Until when to try, and what ends it earlier.
struct Limit {
  int64_t end;
  int stop;

  /// Waits until `file` can be read (-1: for `most` ns); false: stopped, or out of time.
  bool wait(int file, int64_t most) const {
    int64_t left = std::min({end - os::now(), most, 1000 * os::kNanos});
    if (left <= 0)
      return false;
    pollfd files[2] = {{file, POLLIN, 0}, {stop, POLLIN, 0}};
    int ready = await(files, left);
    return !files[1].revents && (file < 0 || ready > 0);
  }
};

/// Reads exactly `bytes` more.
bool readMore(const Socket &from, Bytes &message, size_t bytes, const Limit &limit) {
  size_t had = message.size(), all = had + bytes;
  message.resize(all);
  while (had < all) {
    int64_t n = readSome(from, message.data() + had, all - had);
    if (n == -EAGAIN) {
      if (!limit.wait(from.descriptor(), INT64_MAX))
        return false;
    } else if (n <= 0) {
      return false;
    } else {
      had += size_t(n);
    }
  }
  return true;
}

std::variant<Answer, std::string> ask(const Socket &control, const Hello &hello,
                                      const Limit &limit) {
  if (writeAll(control, encode(hello), limit.end - os::now()) != 0)
    return "it does not take a hello";
  Bytes message;
  if (!readMore(control, message, kAnswerHead, limit))
    return "it does not answer";
  auto rest = answerRest(std::span(message).first<kAnswerHead>());
  if (auto *wrong = std::get_if<std::string>(&rest))
    return *wrong;
  if (!readMore(control, message, std::get<size_t>(rest), limit))
    return "its answer is not complete";
  return decodeAnswer(message);
}

} // namespace

/// Connects, and says hello once.
static Meeting meet(const Address &address, const Hello &hello, const Limit &limit) {
  std::string problem = "cannot connect to " + toText(address) + ": ";
  Socket control;
  while (int error = connectTo(address, control)) {
    bool later = error == -ENOENT || error == -ECONNREFUSED || error == -EAGAIN ||
                 error == -EINTR || error == -EHOSTUNREACH || error == -ENETUNREACH ||
                 error == -ETIMEDOUT;
    if (!later || !limit.wait(-1, kPause))
      return Met(problem + os::errorText(-error));
  }
  auto answer = ask(control, hello, limit);
  if (auto *wrong = std::get_if<std::string>(&answer))
    return Met(problem + *wrong);
  auto &given = std::get<Answer>(answer);
  switch (given.reply) {
  case Reply::Refused:
    return Met(problem + "it refuses this PE: " + given.refusal);
  case Reply::Later:
    return Later{problem + "it is busy with a process that is this PE, too"};
  case Reply::Ended:
    return Met(StreamEnded{});
  case Reply::Apart:
    return Met(Apart{});
  case Reply::Anew:
    return Met(Anew{});
  case Reply::Accepted:
    return Met(Introduced{std::move(control), std::move(given.address)});
  }
  __builtin_unreachable();
}

Met introduce(const Address &address, const Hello &hello, int64_t nanos, int stop) {
  Limit limit = {os::now() + nanos, stop};
  for (;;) {
    Meeting meeting = meet(address, hello, limit);
    auto *later = std::get_if<Later>(&meeting);
    if (!later)
      return std::move(*std::get_if<Met>(&meeting));
    if (!limit.wait(-1, kPause))
      return later->problem;
  }
}

} // namespace sluice::remote
