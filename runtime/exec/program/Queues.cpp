//===- Queues.cpp - which ports are queues -------------------------------===//
#include "runtime/exec/program/Program.h"
#include <charconv>
#include <cstdio>
#include <random>
#include <string_view>

namespace sluice {

static int wrong(const Program &p, const char *option, const std::string &what) {
  fprintf(stderr, "%s: error: %s: %s\n", p.desc.mainName, option, what.c_str());
  return 2;
}

/// Calls `set(InPort &)` for what `Operator` or `Operator:port` means, the names that
/// `sluice graph` shows. 0, or the exit code: there is none.
template <typename Set>
static int forNamed(Program &p, const char *option, std::string_view name, Set set) {
  size_t colon = name.rfind(':');
  bool onePort = colon != name.npos && colon + 1 < name.size() &&
                 name.find_first_not_of("0123456789", colon + 1) == name.npos;
  std::string_view opName = onePort ? name.substr(0, colon) : name;
  uint32_t port = onePort ? uint32_t(std::stoul(std::string(name.substr(colon + 1)))) : 0;
  bool found = false, done = false;
  for (uint32_t i = 0; i < p.desc.operatorCount; ++i) {
    const OperatorDesc &op = p.desc.operators[i];
    if (opName != op.name && opName != p.instances.templateNames[i])
      continue;
    found |= !onePort || port < op.inputs;
    for (uint32_t in = 0; in < op.inputs; ++in)
      if (InPort *at = p.domains.inPorts[op.firstIn + in].get(); at && (!onePort || in == port)) {
        set(*at);
        done = true;
      }
  }
  if (!found)
    return wrong(p, option,
                 "there is no " + std::string(onePort ? "port" : "operator") + " '" +
                     std::string(name) + "'");
  if (!done)
    return wrong(p, option,
                 "'" + std::string(name) +
                     "' was compiled without a boundary (compile with --boundaries=all)");
  return 0;
}

std::vector<bool> orderedEntries(const ProgramDesc &desc) {
  std::vector<bool> result(desc.inPortCount);
  for (uint32_t out = 0; out < desc.outPortCount; ++out) {
    const OutPortDesc &port = desc.outPorts[out];
    for (uint32_t i = 0; port.splitCount && port.ordered == 1 && i < port.consumerCount; ++i)
      result[port.consumers[i]] = true;
  }
  return result;
}

int applyQueues(Program &p) {
  std::string_view which = p.options.queues;
  if (which == "none")
    return 0;
  if (which == "all") {
    std::vector<bool> ordered = orderedEntries(p.desc);
    for (auto &in : p.domains.inPorts)
      if (in && !ordered[in->id])
        in->port.setMode(queue::Mode::Queued);
    return 0;
  }
  while (!which.empty()) {
    size_t comma = std::min(which.find(','), which.size());
    if (int code = forNamed(p, p.options.queuesFrom, which.substr(0, comma),
                            [](InPort &in) { in.port.setMode(queue::Mode::Queued); }))
      return code;
    which.remove_prefix(std::min(comma + 1, which.size()));
  }
  return 0;
}

/// `N` or `NAME=N`.
static int applyWidth(Program &p, std::string_view item) {
  size_t equals = item.rfind('=');
  std::string_view name = equals == item.npos ? "" : item.substr(0, equals);
  std::string_view number = item.substr(equals == item.npos ? 0 : equals + 1);
  uint32_t width = 0;
  auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), width);
  if (error != std::errc() || end != number.data() + number.size() || width == 0 || width > kWidest)
    return wrong(p, "--width",
                 "'" + std::string(item) + "' needs a number from 1 to " + std::to_string(kWidest));
  auto set = [width](InPort &in) {
    if (in.domain.reorder)
      in.domain.reorder->setWidth(width);
  };
  if (equals == item.npos) {
    for (auto &in : p.domains.inPorts)
      if (in)
        set(*in);
    return 0;
  }
  bool wide = true;
  int code = forNamed(p, "--width", name, [&](InPort &in) {
    set(in);
    wide &= in.domain.isWide();
  });
  if (!code && !wide)
    return wrong(p, "--width",
                 "only one worker at a time may run '" + std::string(name) +
                     "' (sluice explain says why)");
  return code;
}

int applyWidths(Program &p) {
  for (std::string_view left = p.options.width; !left.empty();) {
    size_t comma = std::min(left.find(','), left.size());
    if (int code = applyWidth(p, left.substr(0, comma)))
      return code;
    left.remove_prefix(std::min(comma + 1, left.size()));
  }
  return 0;
}

void chaosUntil(Program &p, os::Event &end) {
  std::mt19937 random(p.options.chaos);
  std::vector<InPort *> ports;
  std::vector<bool> ordered = orderedEntries(p.desc);
  for (auto &in : p.domains.inPorts)
    if (in && in->switchable && !ordered[in->id])
      ports.push_back(in.get());
  if (ports.empty())
    return;
  uint64_t awake = 0, switches = 0, lasted = 0, widths = 0, levels = 0;
  std::vector<queue::Mode> modes(ports.size(), queue::Mode::Direct), before;
  queue::Self<RealSys> self = p.scheduler->makeSelf();
  for (; !end.sleep(random() % 100'000); ++awake) { // with the kernel's slack about 10 kHz
    before = modes;
    for (int i = 0; i < 64; ++i, ++switches) {
      uint32_t which = random() % ports.size();
      queue::Mode &mode = modes[which];
      mode = mode == queue::Mode::Direct ? queue::Mode::Queued : queue::Mode::Direct;
      ports[which]->port.setMode(mode);
      if (random() % 8 == 0) {
        setWidth(p, self, *ports[which], 1 + random() % 4);
        widths += ports[which]->domain.isWide();
      }
      if (random() % 256 == 0) {
        p.scheduler->setLevel(1 + random() % p.scheduler->options.workers);
        ++levels;
      }
      for (uint32_t pauses = random() % 64; pauses; --pauses) // each has a moment of its own
        os::spinPause();
    }
    for (size_t i = 0; i < ports.size(); ++i)
      lasted += modes[i] != before[i];
  }
  if (p.options.traceLevel >= 3)
    fprintf(stderr,
            "%s: info: %llu switches of %zu ports, %llu awakenings, %llu modes lasted until the "
            "next; %llu of widths, %llu of the level\n",
            p.desc.mainName, (unsigned long long)switches, ports.size(), (unsigned long long)awake,
            (unsigned long long)lasted, (unsigned long long)widths, (unsigned long long)levels);
}

} // namespace sluice
