//===- FindSpools.cpp - which sources have a log ----------------------------===//
#include "runtime/exec/spool/FindSpools.h"
#include "runtime/exec/spool/Spool.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"
#include "runtime/exec/table/Facts.h"
#include "runtime/exec/table/Reach.h"
#include <algorithm>
#include <string_view>

namespace sluice {

static constexpr std::string_view kReplayableStart = "spl.utility::ReplayableStart";

/// Of an operator of this process: why what it brings need not, or cannot, be logged; null: it can.
static const char *whyNot(const Program &p, uint32_t index) {
  const OperatorDesc &op = p.desc.operators[index];
  if (!isSource(op) || op.link >= 0)
    return "it is no source";
  if (!op.outputs)
    return "it brings nothing";
  const NativeOp *native = op.native >= 0 ? p.natives.list[op.native].get() : nullptr;
  if (op.native < 0 || (native && native->saves().answer == Saves::State))
    return "its state says where it is, so nothing of it is lost";
  return nullptr;
}

/// The name of an operator as it stands in the program: of all channels of a region.
static std::string logicalName(std::string_view name) {
  std::string result;
  for (size_t at = 0; at < name.size(); ++at)
    if (name[at] == '[')
      at = std::min(name.find(']', at), name.size());
    else
      result += name[at];
  return result;
}

static bool isNamed(const OperatorDesc &op, const std::string &name) {
  return name == op.name || name == logicalName(op.name);
}

/// Whether tuples of the operator may come to a ReplayableStart, also in another process.
static bool isReplayed(const Program &p, uint32_t source) {
  const bool isKnown = knowsConsumers(p.desc);
  std::vector<bool> seen(p.desc.operatorCount, !isKnown);
  for (std::vector<uint32_t> work{source}; !work.empty();) {
    std::vector<bool> reached = reachable(p.desc, work.back());
    work.pop_back();
    for (uint32_t op = 0; op < p.desc.operatorCount; ++op) {
      if (!reached[op] || seen[op])
        continue;
      seen[op] = true;
      if (p.desc.operators[op].link >= 0 && p.desc.operators[op].inputs)
        work.push_back(p.table.pes.receiver(op));
    }
  }
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op)
    if (seen[op] && p.desc.operators[op].kind == kReplayableStart)
      return true;
  return false;
}

/// What is wrong with a name of --spool.
static std::string check(const Program &p, const std::string &name) {
  const char *why = "there is no operator of that name";
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op)
    if (isNamed(p.desc.operators[op], name)) {
      why = whyNot(p, op);
      if (!why)
        return "";
    }
  return "--spool=" + name + ": " + why;
}

std::string findSpools(Program &p, const std::function<std::string(const OperatorDesc &)> &pathOf) {
  const std::vector<std::string> &names = p.options.checkpoints.spools;
  for (const std::string &name : names)
    if (std::string wrong = check(p, name); !wrong.empty())
      return wrong;
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op) {
    const OperatorDesc &desc = p.desc.operators[op];
    if (!p.isHere(op) || whyNot(p, op))
      continue;
    bool isAsked = std::ranges::any_of(names, [&](auto &name) { return isNamed(desc, name); });
    if (!isAsked && !isReplayed(p, op))
      continue;
    if (p.options.checkpoints.isHosted)
      return "what the source " + std::string(desc.name) +
             " brings cannot be logged under a host yet: leave ReplayableStart out";
    p.spools.push_back(std::make_unique<Spool>(p, op, pathOf(desc)));
  }
  return "";
}

void connectSpools(Program &p) {
  for (auto &s : p.threads.sources) {
    s->spool = spoolOf(p, s->op);
    s->stamps |= s->spool != nullptr;
  }
}

} // namespace sluice
