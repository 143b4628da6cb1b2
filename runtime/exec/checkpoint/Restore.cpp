//===- Restore.cpp - a program goes on from what was saved -------------------===//
#include "runtime/exec/checkpoint/Restore.h"
#include "runtime/exec/checkpoint/Delayed.h"
#include "runtime/exec/checkpoint/Snapshot.h"
#include "runtime/exec/dispatch/Failure.h"
#include "runtime/exec/dispatch/NativeCalls.h"
#include "runtime/exec/ending/Failures.h"
#include "runtime/exec/saved/Entries.h"
#include "runtime/exec/saved/SavedState.h"
#include "runtime/exec/source/Baton.h"
#include "runtime/exec/spool/Spool.h"
#include "runtime/exec/state/Position.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"
#include "runtime/exec/table/Label.h"
#include "runtime/value/Random.h"
#include "sluice/recovery.h"
#include <algorithm>
#include <charconv>
#include <cstring>
#include <set>

namespace sluice::checkpoint {

Restore::Restore(Program &p, Manifest manifest, std::vector<Section> sections)
    : p(p), manifest(std::move(manifest)) {
  for (Section &section : sections)
    byName.emplace(std::move(section.text),
                   std::string(section.bytes.data(), section.bytes.size()));
}

/// In any process; null: nothing was.
const std::string *Restore::saved(uint32_t op) const {
  auto found = byName.find(sectionOf(p, op, p.options.pe));
  return found == byName.end() ? nullptr : &found->second;
}

/// Of an operator of this process.
const std::string *Restore::find(uint32_t op) const { return p.isHere(op) ? saved(op) : nullptr; }

//===--- whether all has a place ------------------------------------------------===//

/// Whether the operator is autonomous and goes on as if nothing had been, but for what has ended:
/// an operator to which nothing comes any more stays as it was.
bool Restore::isForgotten(uint32_t index, std::string_view bytes) const {
  const OperatorDesc &op = p.desc.operators[index];
  if (!beginsAnew(op))
    return false;
  Loader loader(bytes);
  if (!op.inputs)
    return !loader.number(own(std::string("ended"))).value_or(0);
  for (uint32_t in = 0; in < op.inputs; ++in)
    if (loader.number(own("finals", in)).value_or(0) < p.desc.inPorts[op.firstIn + in].producers)
      return true;
  return false;
}

std::string Restore::checkOperator(uint32_t index, std::string_view bytes) const {
  return isForgotten(index, bytes)
             ? ""
             : checkSection(p, index, labelOf(p.desc.operators[index]), bytes);
}

/// Whether the section is of an operator at the end of a link.
static bool isOfLink(std::string_view bytes) {
  return Loader(bytes).text(own(std::string("kind"))).value_or("").starts_with("sluice.pe::");
}

/// Operators may be in other processes than before: nothing was on its way. But where a stream had
/// ended, how often final punctuation comes is another number without a link, or with one.
std::string Restore::checkLinks() const {
  std::set<std::string> now, before;
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op)
    for (uint32_t pe = 0; pe < p.table.pes.count(); ++pe)
      if (p.desc.operators[op].link >= 0 && p.table.pes.runs(pe, op))
        now.insert(sectionOf(p, op, pe));
  for (auto &[name, bytes] : byName)
    if (isOfLink(bytes))
      before.insert(name);
  if (now == before)
    return "";
  for (auto &[name, bytes] : byName)
    if (hasEnded(bytes))
      return "it is of a program whose operators were in other processes, and a stream of " + name +
             " had ended: only the same --pes can go on from it";
  return "";
}

std::string Restore::check() {
  std::vector<std::string> labels;
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op)
    labels.push_back(labelOf(p.desc.operators[op]));
  if (std::string wrong = checkLinks(); !wrong.empty())
    return wrong;
  if (std::string wrong = widths.deal(p, manifest, byName); !wrong.empty())
    return wrong;
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op)
    if (const std::string *bytes = saved(op))
      if (std::string wrong = checkOperator(op, *bytes); !wrong.empty())
        return wrong;
  for (auto &[name, bytes] : byName)
    if (!name.starts_with(kProgram) && !isOfLink(bytes) &&
        std::ranges::find(labels, name) == labels.end() && !isDropped(p, name))
      return "the operator " + name + " is gone" + adviceFor(name);
  return "";
}

//===--- operators --------------------------------------------------------------===//

int32_t Restore::natives() {
  restoreProgram(); // its clock is what operators see when they are opened
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op) {
    const std::string *bytes = p.desc.operators[op].native >= 0 ? find(op) : nullptr;
    if (!bytes || isDropped(p, labelOf(p.desc.operators[op])) || isForgotten(op, *bytes) ||
        spoolOf(p, op))
      continue;
    Inside inside(*p.threads.main, *p.table.instances.ofOperator[op]);
    int32_t result = guarded(*p.threads.main, uint32_t(p.desc.operators[op].native),
                             [&](NativeOp &native) { return native.restore(Loader(*bytes)); });
    if (result)
      return result > 0 ? fail(*p.threads.main, op, 0, false) : -1;
  }
  return 0;
}

std::optional<uint64_t> Restore::logged(uint32_t op) const {
  const std::string *bytes = find(op);
  if (!bytes || isDropped(p, labelOf(p.desc.operators[op])))
    return std::nullopt;
  std::optional<int64_t> frames = Loader(*bytes).number(own(std::string("logged")));
  return frames ? std::optional(uint64_t(*frames)) : std::nullopt;
}

static void restoreTurns(Program &p, const OperatorDesc &op, uint32_t port, const Loader &loader) {
  std::optional<std::string_view> turns = loader.text(own("turns", port));
  for (Partitioner &partitioner : p.table.instances.partitioners[op.firstOut + port])
    for (Split &split : partitioner.levels) {
      size_t bytes = split.next.size() * sizeof(uint32_t);
      if (!turns || turns->size() < bytes)
        return;
      memcpy(split.next.data(), turns->data(), bytes);
      for (uint32_t &next : split.next)
        next %= split.width; // which may be another one than it was
      turns->remove_prefix(bytes);
    }
}

void Restore::restorePorts(uint32_t index, std::string_view bytes) {
  const OperatorDesc &op = p.desc.operators[index];
  Loader loader(bytes);
  auto flag = [&](const std::string &name) { return loader.number(name).value_or(0) != 0; };
  for (uint32_t in = 0; in < op.inputs; ++in) {
    p.out.finals[op.firstIn + in] = uint32_t(loader.number(own("finals", in)).value_or(0));
    if (InPort *boundary = p.queues.domains.inPorts[op.firstIn + in].get())
      boundary->closed = flag(own("loopClosed", in));
    if (HeldPort *held = p.holds.at(op.firstIn + in))
      held->held = flag(own("held", in));
  }
  for (uint32_t out = 0; out < op.outputs; ++out) {
    p.out.ports[op.firstOut + out].closed = flag(own("closed", out));
    restoreTurns(p, op, out, loader);
  }
  if (op.native >= 0)
    p.natives.closed[op.native] = flag(own(std::string("outputsClosed")));
}

void Restore::restoreCounts(uint32_t op, std::string_view bytes) {
  Loader loader(bytes);
  for (uint32_t what = 0; what < kLeftOuts; ++what)
    if (std::optional<int64_t> count = loader.number(own("leftOut", what)))
      p.show.leftOut.add(op, LeftOut(what), uint64_t(*count));
  const std::string metrics = own(std::string("metric "));
  for (Entry entry; nextEntry(bytes, entry);) {
    if (entry.kind != EntryKind::Number || !entry.name.starts_with(metrics))
      continue;
    std::string_view name = entry.name.substr(metrics.size());
    std::string_view about =
        loader.text(own(std::string("about ")) + std::string(name)).value_or("0");
    auto kind = MetricKind(about.empty() ? 0 : uint32_t(about[0] - '0'));
    Metric &metric = p.show.customMetrics.make(
        op, name, about.substr(std::min<size_t>(1, about.size())), kind, 0);
    metric.value = loader.number(entry.name).value_or(0);
  }
}

//===--- the program ------------------------------------------------------------===//

/// The program's time goes on, with what has passed since on the wall. A virtual one stood still.
void Restore::restoreProgram() {
  auto found = byName.find(programSection(p));
  const bool isOwn = found != byName.end();
  if (!isOwn) // it ran as another number of processes
    found = byName.lower_bound(kProgram);
  if (found == byName.end() || !found->first.starts_with(kProgram))
    return;
  Loader loader(found->second);
  auto number = [&](const char *name) { return loader.number(own(std::string(name))); };
  int64_t seconds;
  uint32_t nanos;
  os::wallClock(seconds, nanos);
  if (auto clock = number("clock")) {
    int64_t passed = seconds * os::kNanos + nanos - number("wall").value_or(INT64_MAX);
    p.clock.set(*clock + (p.clock.isVirtual() ? 0 : std::max<int64_t>(passed, 0)));
  }
  if (auto random = number("random"); random && (isOwn || p.options.pe <= 0))
    setRandomState(uint64_t(*random));
  if (!isOwn)
    return;
  if (auto turn = number("turn"))
    p.turns.baton->setTurn(int32_t(*turn));
  for (size_t i = 0; i < p.queues.domains.loops.size(); ++i)
    if (auto open = loader.number(own("loopOpen", uint32_t(i))))
      p.queues.domains.loops[i]->open = uint32_t(*open);
}

std::string Restore::states() {
  if (std::string wrong = widths.verify(p); !wrong.empty())
    return wrong;
  for (uint32_t index = 0; index < p.desc.operatorCount; ++index) {
    const OperatorDesc &op = p.desc.operators[index];
    const std::string *bytes = find(index);
    if (!bytes || isDropped(p, labelOf(op)))
      continue;
    restorePorts(index, *bytes);
    if (std::string wrong = restoreDelayed(p, index, Loader(*bytes)); !wrong.empty())
      return wrong;
    if (isForgotten(index, *bytes))
      continue;
    restoreCounts(index, *bytes);
    if (op.native >= 0)
      continue;
    Inside inside(*p.threads.main, *p.table.instances.ofOperator[index]);
    for (const std::string &name : restoreState(p.threads.main->ctx, op, Loader(*bytes)))
      if (!isDropped(p, labelOf(op) + "." + name))
        return "the variable " + labelOf(op) + "." + name + " cannot be read";
  }
  return "";
}

void Restore::sources() {
  for (auto &s : p.threads.sources) {
    const std::string *bytes = s->delays ? nullptr : find(s->op);
    if (!bytes || isDropped(p, labelOf(p.desc.operators[s->op])))
      continue;
    Loader loader(*bytes);
    s->cut.wasEnded = loader.number(own(std::string("ended"))).value_or(0) != 0;
    if (isForgotten(s->op, *bytes))
      continue;
    s->cut.resumes = loader.number(own(std::string("due"))).value_or(0);
    s->cut.waits = loader.number(own(std::string("waitsForRoom"))).value_or(0) != 0;
  }
}

} // namespace sluice::checkpoint
