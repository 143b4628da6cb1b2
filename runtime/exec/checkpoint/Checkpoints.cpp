//===- Checkpoints.cpp - a run makes checkpoints ------------------------------===//
#include "runtime/exec/checkpoint/Checkpoints.h"
#include "runtime/base/hash/Digest.h"
#include "runtime/base/process.h"
#include "runtime/exec/checkpoint/Snapshot.h"
#include "runtime/exec/checkpoint/Stand.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"
#include "runtime/exec/table/Label.h"
#include <algorithm>
#include <cstdio>

namespace sluice::checkpoint {

/// ns until a checkpoint is given up, and until the one is with which the program is to end.
static constexpr int64_t kPatience = 1'000'000'000, kLastPatience = 5'000'000'000;
/// After one that was given up sources go on for so many times as long as they stood still.
static constexpr int64_t kPause = 20;

//===--- the start --------------------------------------------------------------===//

Checkpoints::Checkpoints(Program &p) : p(p), directory(p.options.checkpoints.directory) {
  os::catchAsk(&asked); // before the lock says whom to ask
}

Checkpoints::~Checkpoints() { os::catchAsk(nullptr); }

int32_t Checkpoints::fail(const std::string &message) {
  progress.reset();
  p.end.failing = true;
  p.end.reported.store(true, std::memory_order_relaxed);
  tell(p, std::string(p.desc.mainName) + ": error: " + message + "\n");
  return -1;
}

int32_t Checkpoints::report(const std::string &wrong) {
  if (wrong.empty() || !restored)
    return 0;
  return fail("cannot go on from checkpoint " + std::to_string(restored->number()) + " in " +
              directory.name() + ": " + wrong);
}

/// An older checkpoint is never taken silently: what came behind it may have been used by others.
int32_t Checkpoints::readFrom(uint64_t number) {
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
  restored = std::make_unique<Restore>(p, std::move(manifest), std::move(sections));
  return report(restored->check());
}

int32_t Checkpoints::open() {
  if (std::string wrong = directory.lock(); !wrong.empty())
    return fail(wrong);
  std::vector<uint64_t> numbers;
  if (std::string wrong = directory.list(numbers); !wrong.empty())
    return fail(wrong);
  const CheckpointOptions &options = p.options.checkpoints;
  if (!numbers.empty() && !options.resumes)
    return fail(directory.name() +
                " holds checkpoints already: --resume goes on from the last one, "
                "`sluice checkpoint remove` removes them");
  if (options.from && std::ranges::find(numbers, options.from) == numbers.end())
    return fail("there is no checkpoint " + std::to_string(options.from) + " in " +
                directory.name());
  if (numbers.empty())
    return 0;
  last = options.from ? options.from : numbers.back();
  next = numbers.back() + 1;
  int32_t result = readFrom(last);
  // What came behind it is written again, and is not to be taken for what follows from it.
  std::string wrong = result ? "" : directory.removeBehind(last);
  return wrong.empty() ? result : fail(wrong);
}

int32_t Checkpoints::restoreStates() {
  std::string wrong = restored ? restored->states() : "";
  progress.reset();
  return report(wrong);
}

int32_t Checkpoints::checkOperators() {
  std::string names;
  for (auto &op : p.natives.list) {
    Saves saves = op ? op->saves() : Saves::Stateless;
    if (saves.answer == Saves::No)
      names += "\n  " + labelOf(*op->desc) + ", a " + op->desc->kind + (*saves.why ? ": " : "") +
               saves.why;
  }
  if (names.empty())
    return 0;
  return fail("--checkpoint: the state of these operators cannot be saved yet:" + names);
}

//===--- the run ----------------------------------------------------------------===//

/// Says, once in a row, that no checkpoint was made, and which one counts until another one is.
void Checkpoints::warn(bool &isSaid, const std::string &why) const {
  if (!std::exchange(isSaid, true))
    tell(p, std::string(p.desc.mainName) + ": warning: no checkpoint was made: " + why +
                "; the program goes on, and tries again. Until then --resume " +
                (last ? "goes on from checkpoint " + std::to_string(last) : "begins anew") + "\n");
}

bool Checkpoints::publish(std::vector<Section> sections, int64_t stopped) {
  Manifest manifest;
  manifest.number = next++;
  manifest.program = p.desc.mainName;
  manifest.stopped = stopped;
  manifest.isAsked = isAsked;
  uint32_t nanos;
  os::wallClock(manifest.seconds, nanos);
  manifest.isEnd = std::ranges::all_of(p.threads.sources,
                                       [](auto &s) { return s->ended.load() || s->cut.wasEnded; });
  for (uint32_t i = 0; i < p.desc.submissionCount; ++i)
    manifest.values.emplace_back(p.desc.submissions[i].name, p.options.values[i]);
  for (auto &[path, width] : widthsOf(p))
    manifest.values.emplace_back("width of " + path, width);
  int64_t began = os::now();
  std::string wrong;
  for (auto &native : p.natives.list)
    if (native && wrong.empty())
      wrong = native->sync();
  if (wrong.empty())
    wrong = directory.publish(manifest, sections);
  counts.written += os::now() - began;
  if (!wrong.empty()) {
    before = 0;
    warn(warned, wrong);
    return false;
  }
  warned = isAsked = false;
  last = manifest.number;
  ++counts.made;
  counts.bytes = manifest.files.front().bytes;
  for (auto &native : p.natives.list)
    if (native)
      native->committed();
  if (wrong = directory.keep(p.options.checkpoints.keep); !wrong.empty())
    tell(p, std::string(p.desc.mainName) + ": warning: " + wrong + "\n");
  return true;
}

/// Whether all is as in the last checkpoint, but for the time: a service at rest writes nothing.
bool Checkpoints::isAsBefore(const std::vector<Section> &sections) {
  Digest digest;
  for (const Section &section : sections)
    if (section.text != kProgram) {
      digest.add(section.text);
      digest.add(digestOf(section.bytes.data(), section.bytes.size()));
    }
  return std::exchange(before, digest.value()) == digest.value() && counts.made;
}

void Checkpoints::noteStop(int64_t nanos) {
  lastStop = nanos;
  counts.stopped += nanos;
  counts.longest = std::max(counts.longest, nanos);
}

/// Makes a checkpoint. `ends`: the program ends with it. False: it was not made.
bool Checkpoints::make(bool ends) {
  Stand stand(p);
  std::string moving = stand.await(ends ? kLastPatience : kPatience);
  if (p.end.failing)
    return false;
  if (!moving.empty()) {
    ++counts.givenUp;
    noteStop(stand.leave());
    warn(waited, moving);
    return false;
  }
  std::vector<Section> sections = takeSnapshot(p);
  if (!ends) {
    int64_t stopped = stand.leave();
    noteStop(stopped);
    return (isAsBefore(sections) && !isAsked) || publish(std::move(sections), stopped);
  }
  if (!publish(std::move(sections), 0))
    return false;
  stand.endProgram();
  tell(p, std::string(p.desc.mainName) + ": stopped with checkpoint " + std::to_string(last) +
              " in " + directory.name() + "; --resume goes on from it\n");
  return true;
}

void Checkpoints::runUntil(os::Event &end) {
  auto period = int64_t(p.options.checkpoints.every * double(os::kNanos));
  int64_t pause = period;
  while (!end.raised()) {
    os::sleepOn({&end, &p.cut.stop, &p.end.stop, &asked}, pause);
    takeAsked();
    if (end.raised() || p.end.stop.raised())
      break;
    if (p.cut.stop.raised()) {
      if (make(/*ends=*/true))
        return;
      isCut = true;
      return p.end.stop.raise(); // as without checkpoints
    }
    uint64_t before = counts.givenUp;
    make(/*ends=*/false);
    pause = counts.givenUp == before ? period : std::max(period, kPause * lastStop);
  }
  os::sleepOn({&end, &p.cut.stop}, -1); // a program that ends itself, or fails
  if (!end.raised()) {
    isCut = true;
    p.end.stop.raise();
  }
}

void Checkpoints::takeAsked() {
  isAsked |= asked.raised();
  asked.lower();
}

void Checkpoints::finish() {
  takeAsked();
  if (p.end.failing || p.end.unread || isCut)
    return;
  publish(takeSnapshot(p), 0);
}

std::string Checkpoints::summary() const {
  char text[200];
  snprintf(text, sizeof text,
           "checkpoints: %llu made, %llu given up, the last one %llu with %.1f KiB; sources stood "
           "still for %.1f ms "
           "at most, %.1f ms in all; writing took %.1f ms\n",
           static_cast<unsigned long long>(counts.made),
           static_cast<unsigned long long>(counts.givenUp), static_cast<unsigned long long>(last),
           double(counts.bytes) / 1024, double(counts.longest) / 1e6, double(counts.stopped) / 1e6,
           double(counts.written) / 1e6);
  return text;
}

} // namespace sluice::checkpoint
