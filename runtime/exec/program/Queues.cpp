//===- Queues.cpp - which ports are queued, and how wide they are ---------===//
#include "runtime/exec/program/Queues.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include <charconv>
#include <cstdio>
#include <string_view>

namespace sluice {

static int wrong(const Program &p, const char *option, const std::string &what) {
  fprintf(stderr, "%s: error: %s: %s\n", p.desc.mainName, option, what.c_str());
  return 2;
}

/// "; there are A, B": the operators that have ports for `name` to mean.
static std::string operatorsText(const Program &p) {
  constexpr int kShown = 10;
  std::string text;
  int count = 0;
  for (uint32_t i = 0; i < p.desc.operatorCount; ++i)
    if (p.desc.operators[i].inputs && ++count <= kShown)
      text += (count > 1 ? ", " : "; there are ") + std::string(p.desc.operators[i].name);
  return text + (count > kShown ? ", ..." : "");
}

/// Calls `set(InPort &)` for each port that `name` means: `OPERATOR` or `OPERATOR:PORT`, as in the
/// output of `sluice graph`. 0, or the exit code: there is none.
template <typename Set>
static int forNamed(Program &p, const char *option, std::string_view name, Set set) {
  size_t colon = name.rfind(':');
  bool onePort = colon != name.npos && colon + 1 < name.size() &&
                 name.find_first_not_of("0123456789", colon + 1) == name.npos;
  std::string_view opName = onePort ? name.substr(0, colon) : name;
  uint32_t port = onePort ? uint32_t(std::stoul(std::string(name.substr(colon + 1)))) : 0;
  bool found = false, hasInput = false, done = false;
  for (uint32_t i = 0; i < p.desc.operatorCount; ++i) {
    const OperatorDesc &op = p.desc.operators[i];
    if (opName != op.name && opName != p.instances.templateNames[i])
      continue;
    found |= !onePort || port < op.inputs;
    hasInput |= op.inputs > 0;
    for (uint32_t in = 0; in < op.inputs; ++in)
      if (InPort *at = p.domains.inPorts[op.firstIn + in].get(); at && (!onePort || in == port)) {
        set(*at);
        done = true;
      }
  }
  if (!found)
    return wrong(p, option,
                 "there is no " + std::string(onePort ? "port" : "operator") + " '" +
                     std::string(name) + "'" + operatorsText(p));
  if (!done && !hasInput)
    return wrong(p, option, "'" + std::string(name) + "' is a source: no stream enters it");
  if (!done)
    return wrong(p, option,
                 "'" + std::string(name) +
                     "' was compiled without a boundary (compile with --boundaries=all)");
  return 0;
}

int applyQueues(Program &p) {
  std::string_view which = p.options.queues;
  if (which == "none")
    return 0;
  if (which == "all") {
    for (auto &in : p.domains.inPorts)
      if (in && in->switchable)
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

/// Does what one item of --width says: `N` or `NAME=N`. 0, or the exit code.
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

void setWidth(Program &p, queue::Self<RealSys> &self, InPort &in, uint32_t width) {
  if (in.domain.reorder)
    p.scheduler->setWidth(self, in.port, width);
}

} // namespace sluice
