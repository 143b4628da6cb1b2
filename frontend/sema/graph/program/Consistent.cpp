//===- Consistent.cpp - which operators are in a consistent region ---------===//
//
// language.md 9.2. A consistent region is what the operators with @consistent reach, up to those
// that are autonomous. Regions that meet are one. What no region reaches and comes from autonomous
// operators only is autonomous, too.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/GraphChecks.h"
#include "frontend/sema/graph/GraphSema.h"
#include "frontend/sema/graph/program/Producers.h"
#include "frontend/sema/typed/TextOrder.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace sluice;
using namespace sluice::sema;
using Role = stream::RecoveryRole;
using typed::Consistent;
using typed::InputPort;
using typed::Operator;
using typed::StartNumber;
using InRegion = typed::OperatorFacts::InRegion;

namespace {
class ConsistentRegions {
public:
  ConsistentRegions(Diagnostics &diags, typed::Program &program)
      : diags(diags), program(program), producers(producersOf(program.main)),
        joined(program.marks.size()) {
    collect(program.main);
  }
  void run();

private:
  void collect(typed::Composite &);
  bool isStart(const Operator &, unsigned mark) const;
  void reach(Operator &start, unsigned mark);
  void number();
  void merge(unsigned region, const Consistent &);
  void mergeNumber(StartNumber &, const StartNumber &, Range);
  void spreadAutonomy();
  void roles(Operator &);
  void check(const Operator &);
  void checkStart(const Operator &);
  bool staysInChannel(const Operator &start) const;
  bool comesFrom(const typed::Stream *stream, int region) const {
    return producers.lookup(stream).op->recovery.region == region;
  }

  Diagnostics &diags;
  typed::Program &program;
  Producers producers;
  std::vector<Operator *> operators;
  llvm::DenseMap<const typed::Stream *, std::vector<Operator *>> consumers;
  llvm::DenseMap<const Operator *, unsigned> markOf; // of those that were reached, one of theirs
  llvm::IntEqClasses joined;                         // of marks
  std::vector<Operator *> starts;
  std::vector<const Operator *> drivers; // by region: its first start, where that is its trigger
};
} // namespace

void ConsistentRegions::collect(typed::Composite &composite) {
  for (Operator &op : composite.operators) {
    operators.push_back(&op);
    for (const InputPort &port : op.inputs)
      for (const typed::Stream *stream : port.streams)
        consumers[stream].push_back(&op);
  }
  for (typed::Composite &inner : composite.composites)
    collect(inner);
}

//===--- what a region reaches --------------------------------------------------===//

/// An operator that is annotated; of a composite those that get nothing from inside.
bool ConsistentRegions::isStart(const Operator &op, unsigned mark) const {
  if (op.recovery.isMarked && op.recovery.marks.back() == mark)
    return true;
  return llvm::all_of(op.inputs, [&](const InputPort &port) {
    return llvm::none_of(port.streams, [&](const typed::Stream *stream) {
      return llvm::is_contained(producers.lookup(stream).op->recovery.marks, mark);
    });
  });
}

void ConsistentRegions::reach(Operator &start, unsigned mark) {
  std::vector<Operator *> work{&start};
  while (!work.empty()) {
    Operator &op = *work.back();
    work.pop_back();
    if (op.recovery.autonomous)
      continue;
    auto [known, isNew] = markOf.try_emplace(&op, mark);
    joined.join(known->second, mark);
    if (!isNew)
      continue; // all behind it was reached from there
    for (const typed::OutputPort &port : op.outputs)
      if (auto found = consumers.find(port.stream); found != consumers.end())
        llvm::append_range(work, found->second);
  }
}

void ConsistentRegions::mergeNumber(StartNumber &to, const StartNumber &from, Range range) {
  if (to == from)
    return;
  if (to.submission || from.submission)
    diags.report(range, Diag::err_not_supported,
                 "consistent regions that meet, and have different submission-time values");
  to.value = std::max(to.value, from.value);
}

/// The region has another annotation: the larger numbers hold.
void ConsistentRegions::merge(unsigned region, const Consistent &other) {
  Consistent &to = program.consistents[region];
  if (to.isDriven != other.isDriven) {
    auto error = diags.report(other.range, Diag::err_consistent_merge);
    return diags.note(error, to.range, Diag::note_previous_here);
  }
  mergeNumber(to.period, other.period, other.range);
  mergeNumber(to.drainTimeout, other.drainTimeout, other.range);
  mergeNumber(to.resetTimeout, other.resetTimeout, other.range);
  mergeNumber(to.resetAttempts, other.resetAttempts, other.range);
}

/// Numbers the regions, in the order of their first annotations.
void ConsistentRegions::number() {
  llvm::DenseMap<unsigned, unsigned> numbers;
  for (unsigned mark = 0; mark < program.marks.size(); ++mark) {
    bool isUsed = llvm::any_of(markOf, [&](auto &entry) { return entry.second == mark; });
    if (!isUsed)
      continue;
    auto [slot, isNew] = numbers.try_emplace(joined.findLeader(mark), program.consistents.size());
    if (isNew)
      program.consistents.push_back(program.marks[mark]);
    else
      merge(slot->second, program.marks[mark]);
  }
  for (Operator *op : operators)
    if (auto mark = markOf.find(op); mark != markOf.end())
      op->recovery.region = int(numbers.lookup(joined.findLeader(mark->second)));
  drivers.resize(program.consistents.size());
}

void ConsistentRegions::spreadAutonomy() {
  auto isAutonomous = [&](const typed::Stream *stream) {
    return producers.lookup(stream).op->recovery.autonomous.has_value();
  };
  for (bool changes = true; changes;) {
    changes = false;
    for (Operator *op : operators) {
      typed::Recovery &recovery = op->recovery;
      if (recovery.autonomous || recovery.region >= 0 || op->inputs.empty())
        continue;
      bool all = llvm::all_of(op->inputs, [&](const InputPort &port) {
        return llvm::all_of(port.streams, isAutonomous);
      });
      if (all)
        recovery.autonomous = op->range, changes = true;
    }
  }
}

//===--- what is said of operators ------------------------------------------------===//

void ConsistentRegions::roles(Operator &op) {
  typed::Recovery &recovery = op.recovery;
  if (recovery.autonomous)
    recovery.add(Role::Autonomous);
  if (recovery.checkpoint)
    recovery.add(Role::Checkpointed);
  if (!recovery.isRestartable.value_or(true))
    recovery.add(Role::StaysDown);
  if (recovery.region < 0)
    return;
  bool goesOn = llvm::any_of(op.outputs, [&](const typed::OutputPort &port) {
    auto found = consumers.find(port.stream);
    return found != consumers.end() && llvm::any_of(found->second, [&](const Operator *consumer) {
             return consumer->recovery.region == recovery.region;
           });
  });
  if (!goesOn)
    recovery.add(Role::Ends);
  for (auto [index, port] : llvm::enumerate(op.inputs))
    if (index < 32 &&
        llvm::all_of(
            port.streams,
            [&](const typed::Stream *stream) { return comesFrom(stream, recovery.region); }))
      recovery.inputs |= 1u << index;
}

void ConsistentRegions::check(const Operator &op) {
  const typed::Recovery &recovery = op.recovery;
  if (recovery.region < 0)
    return;
  if (op.facts.inRegion == InRegion::Never)
    diags.report(op.range, Diag::err_consistent_never, op.kind);
  if (recovery.checkpoint)
    diags.report(*recovery.checkpoint, Diag::err_consistent_checkpoint, op.name);
  for (auto [index, port] : llvm::enumerate(op.inputs)) {
    bool isControl = index < 32 && op.facts.controlPorts >> index & 1;
    auto isInside = [&](const typed::Stream *stream) { return comesFrom(stream, recovery.region); };
    if (!isControl && llvm::any_of(port.streams, isInside) &&
        !llvm::all_of(port.streams, isInside)) {
      const typed::Stream *other = *llvm::find_if_not(port.streams, isInside);
      diags.report(port.range, Diag::err_consistent_mixed, port.name, other->name);
    }
  }
}

/// Whether all of an operator's consistent region is in the parallel region that it is in: then
/// each channel has a consistent region of its own.
bool ConsistentRegions::staysInChannel(const Operator &start) const {
  return llvm::all_of(operators, [&](const Operator *op) {
    int around = op->region;
    while (around > start.region)
      around = program.regions[around].parent;
    return op->recovery.region != start.recovery.region || around == start.region;
  });
}

void ConsistentRegions::checkStart(const Operator &op) {
  const Consistent &region = program.consistents[op.recovery.region];
  const typed::OperatorFacts &facts = op.facts;
  if (facts.inRegion == InRegion::Never)
    return; // it is reported
  if (facts.inRegion == InRegion::Inside) {
    diags.report(op.range, Diag::err_consistent_start, op.kind);
    return;
  }
  if (!region.isDriven)
    return;
  const Operator *&driver = drivers[op.recovery.region];
  if (driver) {
    auto error = diags.report(op.range, Diag::err_consistent_drivers, op.name, driver->name);
    return diags.note(error, driver->range, Diag::note_defined_here, driver->name);
  }
  driver = &op;
  if (facts.inRegion != InRegion::Triggers)
    diags.report(op.range, Diag::err_consistent_trigger, op.kind);
  else if (!facts.triggerParam.empty() && !op.param(facts.triggerParam))
    diags.report(op.range, Diag::err_consistent_trigger_param, op.kind, facts.triggerParam);
  if (op.region >= 0 && !staysInChannel(op))
    diags.report(op.range, Diag::err_consistent_parallel, op.name);
}

void ConsistentRegions::run() {
  for (Operator *op : operators)
    for (unsigned mark : op->recovery.marks)
      if (!op->recovery.autonomous && isStart(*op, mark)) {
        if (!op->recovery.is(Role::Starts))
          starts.push_back(op);
        op->recovery.add(Role::Starts);
        reach(*op, mark);
      }
  number();
  if (diags.errors()) // regions that cannot be one have no start of their own
    return;
  spreadAutonomy();
  for (Operator *op : operators)
    roles(*op);
  for (Operator *op : starts)
    if (program.consistents[op->recovery.region].isDriven)
      op->recovery.add(Role::Triggers);
  for (const Operator *op : typed::allInTextOrder(program.main)) {
    check(*op);
    if (op->recovery.is(Role::Starts))
      checkStart(*op);
  }
}

void sema::findConsistentRegions(GraphSema &graph) {
  if (graph.diags.errors())
    return;
  ConsistentRegions(graph.diags, *graph.sema.program).run();
}
