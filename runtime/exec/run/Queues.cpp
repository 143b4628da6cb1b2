//===- Queues.cpp - which ports are queued, and how wide they are ---------===//
#include "runtime/exec/run/Queues.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/options/NearOption.h"
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <string_view>

namespace sluice {

static int wrong(const Program &p, const char *option, const std::string &what) {
  fprintf(stderr, "%s: error: %s: %s\n", p.desc.mainName, option, what.c_str());
  return 2;
}

/// The operators that have ports for a name to mean, once each: those of all channels have one.
static std::vector<std::string_view> namesOf(const Program &p) {
  std::vector<std::string_view> names;
  for (uint32_t i = 0; i < p.desc.operatorCount; ++i)
    if (std::string_view name = p.instances.templateNames[i];
        p.desc.operators[i].inputs && std::ranges::find(names, name) == names.end())
      names.push_back(name);
  return names;
}

/// `before` and the first of the names; nothing if there are none.
static std::string listOf(const char *before, const std::vector<std::string_view> &names) {
  constexpr size_t kShown = 10;
  std::string text;
  for (size_t i = 0; i < names.size() && i < kShown; ++i)
    text += (i ? ", " : before) + std::string(names[i]);
  return text + (names.size() > kShown ? ", ..." : "");
}

/// What may be meant by a name that no operator has: the operators of the composite of that name,
/// the one whose name or its end is most like it, or any.
static std::string hintFor(const Program &p, std::string_view wrong) {
  std::vector<std::string_view> all = namesOf(p), inside;
  std::string prefix = std::string(wrong) + ".";
  std::ranges::copy_if(all, std::back_inserter(inside),
                       [&](std::string_view name) { return name.starts_with(prefix); });
  if (!inside.empty())
    return listOf("; it is a composite with the operators ", inside);
  for (std::string_view name : all)
    if (name.ends_with("." + std::string(wrong)))
      return " (did you mean '" + std::string(name) + "'?)";
  if (const std::string_view *near = nearName(wrong, all))
    return " (did you mean '" + std::string(*near) + "'?)";
  return listOf("; there are ", all);
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
                     std::string(name) + "'" + hintFor(p, opName));
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
