//===- Checkpoints.cpp - a run makes checkpoints ------------------------------===//
#include "runtime/exec/checkpoint/Checkpoints.h"
#include "runtime/exec/checkpoint/Snapshot.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/files/Log.h"
#include "runtime/exec/files/LogReader.h"
#include "runtime/exec/spool/FindSpools.h"
#include "runtime/exec/spool/Spool.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/table/Label.h"
#include "sluice/beside.h"
#include "sluice/recovery.h"
#include <algorithm>

namespace sluice::checkpoint {

Checkpoints::Checkpoints(Program &p)
    : p(p), directory(p.options.checkpoints.directory), local(p, directory), began(os::now()) {}

int32_t Checkpoints::fail(const std::string &message) {
  progress.reset();
  p.end.failing = true;
  p.end.reported.store(true, std::memory_order_relaxed);
  tell(p, std::string(p.desc.mainName) + ": error: " + message + "\n");
  return -1;
}

int32_t Checkpoints::failQuietly() {
  progress.reset();
  p.end.failing = true;
  p.end.reported.store(true, std::memory_order_relaxed);
  return -1;
}

int32_t Checkpoints::report(const std::string &wrong) {
  if (wrong.empty() || !restored)
    return 0;
  return fail("cannot go on from checkpoint " + std::to_string(restored->number()) +
              (directory.name().empty() ? " of the host" : " in " + directory.name()) + ": " +
              wrong);
}

int32_t Checkpoints::choose(std::vector<uint64_t> &numbers, uint64_t &chosen) {
  if (std::string wrong = directory.list(numbers); !wrong.empty())
    return fail(wrong);
  CheckpointOptions &options = p.options.checkpoints;
  if (!numbers.empty() && !options.resumes)
    return fail(directory.name() +
                " holds checkpoints already: --resume goes on from the last one, "
                "`sluice checkpoint remove` removes them");
  // One process looks, and first: the others may have begun to write theirs.
  if (p.options.pe <= 0 && !options.resumes && !findLogs(directory.name()).empty())
    return fail(directory.name() +
                " holds logs of sources already, and no checkpoint: --resume goes on with them, "
                "`sluice checkpoint remove` removes them");
  if (!numbers.empty() && numbers.back() > options.before)
    options.from = 0, options.drops.clear();
  if (options.from && std::ranges::find(numbers, options.from) == numbers.end())
    return fail("there is no checkpoint " + std::to_string(options.from) + " in " +
                directory.name());
  chosen = options.from ? options.from : numbers.empty() ? 0 : numbers.back();
  return 0;
}

/// An older checkpoint is never taken silently: what came behind it may have been used by others.
int32_t Checkpoints::readFrom(uint64_t number) {
  if (p.options.pe <= 0)
    progress = std::make_unique<RestoreProgress>(
        std::string(p.desc.mainName) + ": goes on from checkpoint " + std::to_string(number));
  Manifest manifest;
  std::vector<Section> sections;
  std::string wrong = directory.read(number, manifest, sections);
  if (!wrong.empty()) {
    std::vector<uint64_t> numbers;
    (void)directory.list(numbers);
    auto it = std::ranges::lower_bound(numbers, number);
    std::string advice =
        it != numbers.begin()
            ? "; --resume-from=" + std::to_string(it[-1]) + " goes on from the one before"
            : "; there is none before it: `sluice checkpoint remove " + directory.name() +
                  "` removes it, and the program begins anew";
    return fail("checkpoint " + std::to_string(number) + " cannot be used: " + wrong + advice);
  }
  return take(std::move(manifest), std::move(sections));
}

int32_t Checkpoints::take(Manifest manifest, std::vector<Section> sections) {
  restored = std::make_unique<Restore>(p, std::move(manifest), std::move(sections));
  return report(restored->check());
}

void Checkpoints::noteStart(uint64_t from, const Relaunches &relaunches) {
  p.cut.relaunches = relaunches.count;
  p.cut.attempts.store(relaunches.attempts, std::memory_order_relaxed);
  p.cut.number.store(from, std::memory_order_relaxed);
}

int32_t Checkpoints::countStart(uint64_t from) {
  const CheckpointOptions &options = p.options.checkpoints;
  Relaunches relaunches;
  std::string wrong =
      relaunches.start(directory.name(), options.resumes, from, /*isChosen=*/options.from != 0);
  if (!wrong.empty())
    return fail(wrong);
  noteStart(from, relaunches);
  uint32_t most = UINT32_MAX;
  for (const ConsistentRegion &region : p.cut.regions)
    most = std::min(most, region.resetAttempts);
  if (relaunches.attempts <= most)
    return 0;
  return fail("the last " + std::to_string(relaunches.attempts - 1) +
              " runs have ended before they made a checkpoint, and "
              "maxConsecutiveResetAttempts is " +
              std::to_string(most) + ": " +
              (from ? "--resume-from=" + std::to_string(from) + " tries again"
                    : "without --resume the program begins anew"));
}

int32_t Checkpoints::restoreStates() {
  std::string wrong = restored ? restored->states() : "";
  progress.reset();
  double seconds = double(os::now() - began) / double(os::kNanos);
  for (const ConsistentRegion &region : p.cut.regions)
    if (wrong.empty() && seconds > region.resetTimeout)
      wrong = "that took longer than resetTimeout allows";
  return report(wrong);
}

/// A log that the checkpoint does not know, or that is there without one, is behind it as a whole.
std::string Checkpoints::openLog(Spool &spool) {
  std::optional<uint64_t> from; // how many frames are before the run; nothing: it begins anew
  if (p.options.checkpoints.resumes && !isLetGo(spool.op))
    from = restored ? restored->logged(spool.op).value_or(0) : 0;
  std::string note, wrong = spool.open(from, !restored || restored->isOfOtherBoot(), note);
  if (!note.empty())
    tell(p, std::string(p.desc.mainName) + ": warning: " + note + "\n");
  return wrong;
}

/// By --resume-drop.
bool Checkpoints::isLetGo(uint32_t op) const {
  return restored && isDropped(p, labelOf(p.desc.operators[op]));
}

int32_t Checkpoints::openLogs() {
  auto pathOf = [this](const OperatorDesc &op) {
    return besideCheckpoints(&p.threads.main->ctx, &op);
  };
  std::string wrong = findSpools(p, pathOf);
  for (uint32_t op = 0; restored && wrong.empty() && op < p.desc.operatorCount; ++op)
    if (std::string label = labelOf(p.desc.operators[op]); restored->logged(op) && !spoolOf(p, op))
      wrong = "what the source " + label +
              " had brought is in a log: --spool=" + p.desc.operators[op].name +
              " goes on with that; --resume-drop=" + label + " lets it go";
  for (auto &spool : p.spools)
    wrong = wrong.empty() ? openLog(*spool) : wrong;
  // What was let go must not come back when the source has a log again.
  for (uint32_t op = 0; wrong.empty() && op < p.desc.operatorCount; ++op)
    if (p.isHere(op) && isLetGo(op) && !spoolOf(p, op))
      wrong = Log(pathOf(p.desc.operators[op])).clear();
  return wrong.empty() ? 0 : fail(wrong);
}

int32_t Checkpoints::checkOperators() {
  std::string names;
  for (auto &op : p.natives.list) {
    bool isSaved = op && !beginsAnew(*op->desc) && !spoolOf(p, p.indexOf(op->desc));
    Saves saves = isSaved ? op->saves() : Saves::Stateless;
    if (saves.answer == Saves::No)
      names +=
          "\n  " + labelOf(*op->desc) + ", a " + op->desc->kind + (*saves.why ? ": " : "") +
          saves.why +
          (op->desc->inputs ? ""
                            : std::string("; --spool=") + op->desc->name + " logs what it brings");
  }
  if (names.empty())
    return 0;
  return fail("--checkpoint: the state of these operators cannot be saved yet:" + names);
}

} // namespace sluice::checkpoint
