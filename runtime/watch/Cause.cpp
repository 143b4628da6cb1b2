//===- Cause.cpp - what limits a program ----------------------------------===//
#include "runtime/watch/Cause.h"
#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sluice::watch {

static constexpr double kCongested = 0.1; // of the interval that producers waited
static constexpr double kFull = 0.9;      // of a ring
static constexpr double kAllCpus = 0.95;  // of the processors
static constexpr double kBusy = 0.9;      // of the thread of a source
static constexpr double kSleeps = 0.5;    // of the interval, as part of the work or for a moment

const char *toString(CauseKind kind) {
  static constexpr const char *names[] = {"",     "stuck",   "processors", "device",
                                          "peer", "channel", "operator",   "input"};
  return names[uint32_t(kind)];
}

namespace {
class Finder {
public:
  explicit Finder(const CauseInput &in) : in(in) {}
  Cause find();

private:
  bool isCongested(const PortLoad &port) const {
    return port.isQueue && in.length > 0 &&
           (port.blocked >= kCongested * in.length || port.fullness >= kFull);
  }
  std::string percent(double seconds) const {
    char text[32];
    snprintf(text, sizeof text, "%.0f %%", std::min(100.0, 100 * seconds / in.length));
    return text;
  }
  std::vector<uint32_t> calledFrom(uint32_t op) const;
  bool leadsToCongestion(uint32_t op) const;
  template <class Get> uint32_t most(const std::vector<uint32_t> &ops, Get get) const;
  std::string victims(uint32_t port) const;
  bool stuck(Cause &) const;
  bool noProcessorIsFree(Cause &) const;
  bool behindPort(Cause &) const;
  bool paces(Cause &, uint32_t op) const;
  bool pacedSource(Cause &) const;
  bool busySource(Cause &) const;
  bool input(Cause &) const;

  const CauseInput &in;
};
} // namespace

/// The operator and all that its thread calls, itself first.
std::vector<uint32_t> Finder::calledFrom(uint32_t op) const {
  std::vector<uint32_t> found{op};
  std::vector<bool> seen(in.ops.size());
  seen[op] = true;
  for (size_t i = 0; i < found.size(); ++i)
    for (uint32_t port : in.ops[found[i]].to)
      if (uint32_t to = in.ports[port].op; !in.ports[port].isQueue && !seen[to]) {
        seen[to] = true;
        found.push_back(to);
      }
  return found;
}

/// Whether a congested port can be reached from the outputs of the operator.
bool Finder::leadsToCongestion(uint32_t op) const {
  std::vector<uint32_t> found{op};
  std::vector<bool> seen(in.ops.size());
  for (size_t i = 0; i < found.size(); ++i)
    for (uint32_t port : in.ops[found[i]].to) {
      if (isCongested(in.ports[port]) && in.ports[port].op != op)
        return true;
      if (uint32_t to = in.ports[port].op; !seen[to]) {
        seen[to] = true;
        found.push_back(to);
      }
    }
  return false;
}

template <class Get> uint32_t Finder::most(const std::vector<uint32_t> &ops, Get get) const {
  return *std::max_element(ops.begin(), ops.end(),
                           [&](uint32_t a, uint32_t b) { return get(in.ops[a]) < get(in.ops[b]); });
}

/// "; Words waits for it 63 % of the time", or nothing.
std::string Finder::victims(uint32_t port) const {
  if (in.ports[port].blocked < kCongested * in.length)
    return "";
  const OpLoad *who = nullptr;
  for (const OpLoad &op : in.ops)
    if (std::ranges::find(op.to, port) != op.to.end())
      who = who ? who : &op;
  return who ? "; " + who->name + " waits for it " + percent(in.ports[port].blocked) +
                   " of the time"
             : "";
}

/// Who waits for a moment goes on by itself.
bool Finder::stuck(Cause &cause) const {
  if (in.moved > 0 || std::ranges::any_of(in.threads, &ThreadNow::paces))
    return false;
  std::string text;
  auto say = [&](const ThreadNow &t, const std::string &what) {
    char seconds[32];
    snprintf(seconds, sizeof seconds, " since %.1f s", t.seconds);
    text += (text.empty() ? "" : ", ") + t.name + " " + what + in.ops[size_t(t.op)].name + seconds;
  };
  for (const ThreadNow &t : in.threads)
    if (t.op >= 0 && t.inWork && t.seconds >= in.length) {
      say(t, "sleeps in ");
      cause.op = t.op;
    }
  for (const ThreadNow &t : in.threads)
    if (t.op >= 0 && t.forSpace && t.seconds >= in.length) {
      say(t, "waits for space before ");
      cause.op = cause.op < 0 ? t.op : cause.op;
    }
  if (text.empty())
    return false;
  cause.kind = CauseKind::Stuck;
  cause.text = "Nothing moves: " + text;
  return true;
}

bool Finder::noProcessorIsFree(Cause &cause) const {
  if (in.cpus <= 0 || in.used + in.others < kAllCpus * in.cpus * in.length)
    return false;
  std::vector<uint32_t> all(in.ops.size());
  for (uint32_t i = 0; i < all.size(); ++i)
    all[i] = i;
  if (all.empty())
    return false;
  uint32_t op = most(all, [](const OpLoad &o) { return o.cpu; });
  char text[96];
  snprintf(text, sizeof text, "%.2g of %.2g processors, other programs %.2g", in.used / in.length,
           in.cpus, in.others / in.length);
  cause.kind = CauseKind::Processors;
  cause.op = int32_t(op);
  cause.text = "The processors limit it: it uses " + std::string(text) + "; the largest share is " +
               in.ops[op].name + "'s, " + percent(in.ops[op].cpu) + " of one";
  return true;
}

/// An operator that lets tuples pass at a rate of its own, whatever the processors could do.
bool Finder::paces(Cause &cause, uint32_t op) const {
  if (in.ops[op].paced < kSleeps * in.length)
    return false;
  cause.kind = CauseKind::Operator;
  cause.op = int32_t(op);
  cause.text = in.ops[op].name + " limits it by its rate: it waits " + percent(in.ops[op].paced) +
               " of the time";
  return true;
}

/// The same, where the thread of a source calls it.
bool Finder::pacedSource(Cause &cause) const {
  return std::ranges::any_of(in.threads, [&](const ThreadNow &t) {
    return t.source >= 0 && paces(cause, most(calledFrom(uint32_t(t.source)),
                                              [](const OpLoad &o) { return o.paced; }));
  });
}

bool Finder::behindPort(Cause &cause) const {
  int32_t last = -1;
  for (uint32_t i = 0; i < in.ports.size(); ++i)
    if (isCongested(in.ports[i]) && !leadsToCongestion(in.ports[i].op) &&
        (last < 0 || in.ports[i].blocked > in.ports[size_t(last)].blocked))
      last = int32_t(i);
  if (last < 0)
    return false;
  std::vector<uint32_t> behind = calledFrom(in.ports[size_t(last)].op);
  uint32_t sleeper = most(behind, [](const OpLoad &o) { return o.slept; }),
           sender = most(behind, [](const OpLoad &o) { return o.forCredits; }),
           pacer = most(behind, [](const OpLoad &o) { return o.paced; }),
           worker = most(behind, [](const OpLoad &o) { return o.cpu; });
  const OpLoad *op = &in.ops[worker];
  if (in.ops[sleeper].slept >= kSleeps * in.length) {
    op = &in.ops[sleeper];
    cause.kind = CauseKind::Device;
    cause.text = op->name + " limits it: it sleeps " + percent(op->slept) +
                 " of the time as part of its work";
  } else if (in.ops[sender].forCredits >= kCongested * in.length) {
    op = &in.ops[sender];
    cause.kind = CauseKind::Peer;
    cause.text = "PE " + std::to_string(op->peer) + " limits it: " + op->name + " waits for it " +
                 percent(op->forCredits) + " of the time";
  } else if (paces(cause, pacer)) {
    op = &in.ops[pacer];
  } else if (!op->group.empty()) {
    std::vector<uint32_t> channels;
    for (uint32_t i = 0; i < in.ops.size(); ++i)
      if (in.ops[i].group == op->group)
        channels.push_back(i);
    op = &in.ops[most(channels, [](const OpLoad &o) { return o.cpu; })];
    double all = 0;
    for (uint32_t i : channels)
      all += in.ops[i].cpu;
    char text[96];
    snprintf(text, sizeof text, "its %zu channels fill %.2g of %.2g processors, ", channels.size(),
             all / in.length, in.cpus);
    cause.kind = CauseKind::Channel;
    cause.text = op->group + " limits it: " + text + op->name + " " + percent(op->cpu) + " of one";
  } else {
    cause.kind = CauseKind::Operator;
    cause.text = op->name + " limits it: it fills " + percent(op->cpu) + " of a processor";
  }
  cause.op = int32_t(op - in.ops.data());
  cause.text += victims(uint32_t(last));
  return true;
}

bool Finder::busySource(Cause &cause) const {
  for (const ThreadNow &t : in.threads) {
    if (t.source < 0 || in.length - t.waited < kBusy * in.length)
      continue;
    uint32_t op =
        most(calledFrom(uint32_t(t.source)), [](const OpLoad &o) { return o.cpu + o.slept; });
    cause.kind = CauseKind::Operator;
    cause.op = int32_t(op);
    if (in.ops[op].slept >= kSleeps * in.length) {
      cause.kind = CauseKind::Device;
      cause.text = in.ops[op].name + " limits it: it sleeps " + percent(in.ops[op].slept) +
                   " of the time as part of its work";
      return true;
    }
    cause.text = in.ops[op].name + " limits it: it takes " + percent(in.ops[op].cpu) + " of " +
                 t.name + ", which is busy all the time";
    return true;
  }
  return false;
}

bool Finder::input(Cause &cause) const {
  const ThreadNow *most = nullptr;
  for (const ThreadNow &t : in.threads) {
    if (t.source < 0)
      continue;
    if (t.waited - t.blocked < kCongested * in.length)
      return false;
    most = !most || t.waited - t.blocked > most->waited - most->blocked ? &t : most;
  }
  if (!most)
    return false;
  cause.kind = CauseKind::Input;
  cause.op = most->source;
  cause.text = "It keeps up: " + in.ops[size_t(most->source)].name + " waits for input " +
               percent(most->waited - most->blocked) + " of the time";
  return true;
}

/// More processors help only where something computes: not a device, another PE, a rate or the
/// input.
Cause Finder::find() {
  if (in.length <= 0)
    return {};
  Cause found, processors;
  if (stuck(found))
    return found;
  bool isKnown = behindPort(found);
  if (!isKnown && (pacedSource(found) || input(found) || (isKnown = busySource(found), false)))
    return found;
  bool computes = found.kind != CauseKind::Device && found.kind != CauseKind::Peer &&
                  !(found.op >= 0 && in.ops[size_t(found.op)].paced >= kSleeps * in.length);
  if (computes && noProcessorIsFree(processors))
    return processors;
  return found;
}

Cause causeOf(const CauseInput &input) { return Finder(input).find(); }

const Cause &CauseWatch::add(Cause cause) {
  last[next++ % last.size()] = cause;
  long same = std::count_if(last.begin(), last.end(), [&](const Cause &other) {
    return other.kind == cause.kind && other.op == cause.op;
  });
  if (same >= 3)
    shown = std::move(cause);
  return shown;
}

} // namespace sluice::watch
