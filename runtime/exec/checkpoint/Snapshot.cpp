//===- Snapshot.cpp - what a program remembers, in sections ------------------===//
#include "runtime/exec/checkpoint/Snapshot.h"
#include "runtime/exec/checkpoint/Delayed.h"
#include "runtime/exec/files/BlockSaving.h"
#include "runtime/exec/saved/SavedState.h"
#include "runtime/exec/shared/KeyShards.h"
#include "runtime/exec/source/Baton.h"
#include "runtime/exec/spool/Spool.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"
#include "runtime/exec/table/Label.h"
#include "runtime/value/Random.h"
#include "sluice/recovery.h"
#include <algorithm>

namespace sluice::checkpoint {

/// The turns of streams that are dealt out to channels.
static void saveTurns(Saver &saver, const Program &p, const OperatorDesc &op, uint32_t port) {
  std::string turns;
  for (const Partitioner &partitioner : p.table.instances.partitioners[op.firstOut + port])
    for (const Split &split : partitioner.levels)
      turns.append(reinterpret_cast<const char *>(split.next.data()),
                   split.next.size() * sizeof(uint32_t));
  if (!turns.empty())
    saver.text(own("turns", port), turns);
}

static void savePorts(Saver &saver, const Program &p, const OperatorDesc &op) {
  saver.text(own("kind"), op.kind);
  for (uint32_t in = 0; in < op.inputs; ++in) {
    if (uint32_t finals = p.out.finals[op.firstIn + in])
      saver.number(own("finals", in), finals);
    const InPort *boundary = p.queues.domains.inPorts[op.firstIn + in].get();
    if (boundary && boundary->closed)
      saver.number(own("loopClosed", in), 1);
    if (const HeldPort *held = p.holds.at(op.firstIn + in); held && held->held)
      saver.number(own("held", in), 1);
  }
  for (uint32_t out = 0; out < op.outputs; ++out) {
    if (p.out.ports[op.firstOut + out].closed)
      saver.number(own("closed", out), 1);
    saveTurns(saver, p, op, out);
  }
  if (op.native >= 0 && p.natives.closed[op.native])
    saver.number(own("outputsClosed"), 1);
}

static void saveSource(Saver &saver, const Source &s) {
  if (s.ended || s.cut.wasEnded)
    saver.number(own("ended"), 1);
  if (int64_t due = s.cut.due ? s.cut.due : s.cut.resumes)
    saver.number(own("due"), due);
  if (s.waits || s.cut.waits)
    saver.number(own("waitsForRoom"), 1);
}

static void saveCounts(Saver &saver, const Program &p, uint32_t op) {
  for (const LeftOutSample &sample : p.show.leftOut.sample())
    if (sample.op == op)
      saver.number(own("leftOut", uint32_t(sample.what)), int64_t(sample.count));
  for (const MetricSample &metric : p.show.customMetrics.sample())
    if (metric.op == op) {
      saver.number(own("metric ") + metric.name, metric.value);
      saver.text(own("about ") + metric.name,
                 std::to_string(uint32_t(metric.kind)) + metric.description);
    }
}

/// State variables; keyed ones may be partitioned to shards.
static void saveVariables(std::vector<char> &to, const Program &p, uint32_t index,
                          BlockSaving &blocks) {
  Saver saver(to);
  const OperatorDesc &op = p.desc.operators[index];
  const char *state = p.values.state.data() + p.table.instances.ofOperator[index]->state;
  const KeyShards *shards = p.queues.domains.ofOperator[index]->shards.get();
  std::vector<std::string> names = namesOfStates(op);
  for (uint32_t i = 0; i < op.stateCount; ++i) {
    const StateDesc &variable = op.states[i];
    const char *value = state + variable.offset;
    std::vector<const Seq *> tables;
    if (shards)
      tables = tablesOf(p, *shards, variable);
    const bool isSharded = !tables.empty();
    if (!isSharded && isHashed(variable.type))
      tables.push_back(reinterpret_cast<const Seq *>(value));
    if (!tables.empty() && blocks.take(to, labelOf(op), names[i], variable.type, tables))
      continue;
    if (isSharded)
      saver.tables(names[i], variable.type, tables);
    else
      saver.value(names[i], variable.type, value);
  }
}

static std::vector<char> operatorState(Program &p, uint32_t index, BlockSaving &blocks) {
  std::vector<char> bytes;
  Saver saver(bytes);
  const OperatorDesc &op = p.desc.operators[index];
  NativeOp *native = op.native >= 0 ? p.natives.list[op.native].get() : nullptr;
  if (Spool *spool = spoolOf(p, index)) { // its log says all that it needs
    saver.number(own("logged"), int64_t(spool->position()));
    spool->cut();
  } else if (!native)
    saveVariables(bytes, p, index, blocks);
  else if (!beginsAnew(op) || native->saves().answer != Saves::No)
    native->save(saver);
  savePorts(saver, p, op);
  saveDelayed(saver, p, index);
  for (auto &s : p.threads.sources)
    if (s->op == index && !s->delays)
      saveSource(saver, *s);
  saveCounts(saver, p, index);
  return bytes;
}

static std::vector<char> programState(Program &p) {
  std::vector<char> bytes;
  Saver saver(bytes);
  int64_t seconds;
  uint32_t nanos;
  os::wallClock(seconds, nanos);
  saver.number(own("clock"), p.clock.now());
  saver.number(own("wall"), seconds * os::kNanos + nanos);
  saver.number(own("random"), int64_t(randomState()));
  if (!p.queues.scheduler)
    saver.number(own("turn"), p.turns.baton->turn());
  for (size_t i = 0; i < p.queues.domains.loops.size(); ++i)
    saver.number(own("loopOpen", uint32_t(i)),
                 p.queues.domains.loops[i]->open.load(std::memory_order_relaxed));
  return bytes;
}

std::string programSection(const Program &p) {
  return p.options.pe < 0 ? kProgram : kProgram + (" of PE " + std::to_string(p.options.pe));
}

std::string sectionOf(const Program &p, uint32_t index, int64_t pe) {
  const OperatorDesc &op = p.desc.operators[index];
  if (op.link < 0)
    return labelOf(op);
  std::string name = labelOf(op) + " in PE " + std::to_string(pe);
  if (op.inputs) // it sends
    name += " for PE " + std::to_string(p.table.pes.of(p.table.pes.receiver(index)));
  return name;
}

std::vector<Section> takeSnapshot(Program &p, BlockSaving &blocks) {
  std::vector<Section> sections{{programSection(p), programState(p)}};
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op)
    if (p.isHere(op))
      if (std::vector<char> bytes = operatorState(p, op, blocks); !bytes.empty())
        sections.push_back({sectionOf(p, op, p.options.pe), std::move(bytes)});
  return sections;
}

bool hasEnded(std::string_view section) {
  bool result = false;
  for (const char *name : {"finals", "closed", "ended"})
    Loader(section).numbers(own(std::string(name)),
                            [&](std::string_view, int64_t number) { result |= number != 0; });
  return result;
}

std::vector<std::pair<std::string, std::string>> widthsOf(const Program &p) {
  std::vector<std::pair<std::string, std::string>> widths;
  for (const Replica &replica : p.table.instances.replicas)
    if (replica.region >= 0) {
      std::pair<std::string, std::string> width(p.desc.regions[replica.region].path,
                                                std::to_string(replica.width));
      if (std::ranges::find(widths, width) == widths.end())
        widths.push_back(width);
    }
  return widths;
}

} // namespace sluice::checkpoint
