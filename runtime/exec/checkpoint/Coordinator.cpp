//===- Coordinator.cpp - makes checkpoints of all processes of a job ----------===//
#include "runtime/exec/checkpoint/Coordinator.h"
#include "runtime/base/hash/Digest.h"
#include "runtime/base/process.h"
#include "runtime/exec/checkpoint/Snapshot.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/state/Program.h"
#include "runtime/remote/peer/Socket.h"
#include <algorithm>
#include <cstdio>
#include <iterator>

namespace sluice::checkpoint {

/// ns until the checkpoint is given up with which the program is to end.
static constexpr int64_t kLastPatience = 5'000'000'000;
/// After one that was given up sources go on for so many times as long as they stood still.
static constexpr int64_t kPause = 20;
static constexpr int64_t kAskedAgain =
    1'000'000'000; // ns until one that was asked for is tried again
static constexpr int64_t kFirstLook = 20'000, kLook = 500'000; // ns between two looks
static constexpr int64_t kEndLook = 20'000'000; // the same, at processes that still run

Coordinator::Coordinator(Program &p, std::vector<std::unique_ptr<Participant>> others)
    : Checkpoints(p), others(std::move(others)), pace(paceOf(p)) {
  os::catchAsk(&asked); // before the lock says whom to ask
}

Coordinator::~Coordinator() { os::catchAsk(nullptr); }

int32_t Coordinator::open() {
  if (std::string wrong = directory.lock(); !wrong.empty())
    return fail(wrong);
  std::vector<uint64_t> numbers;
  if (choose(numbers, last) || countStart(last))
    return -1;
  if (!numbers.empty()) {
    next = numbers.back() + 1;
    if (readFrom(last))
      return -1;
    // What came behind it is written again, and is not to be taken for what follows from it.
    if (std::string wrong = directory.removeBehind(last); !wrong.empty())
      return fail(wrong);
  }
  all({Step::Look}); // the others read when they were asked: what is wrong for all was said then
  return 0;
}

//===--- what all do --------------------------------------------------------------===//

/// Those in other processes begin first: they work at the same time as this one.
Coordinator::Together Coordinator::all(Order order) {
  for (auto &other : others)
    other->order(order);
  local.order(order);
  Together all;
  Digest digest;
  auto add = [&](Participant &each) {
    Answer a;
    if (!each.answer(a))
      a.failed = true;
    all.failed |= a.failed;
    all.isStill &= a.isStill;
    all.areOver &= a.isOver;
    all.isEnd &= a.isEnd;
    all.received += a.received;
    all.sent += a.sent;
    digest.add(a.digest);
    all.stopped = std::max(all.stopped, a.stopped);
    all.cost += a.cost;
    std::ranges::move(a.files, std::back_inserter(all.files));
    if (all.text.empty())
      all.text = std::move(a.text);
  };
  add(local);
  for (auto &other : others)
    add(*other);
  all.digest = digest.value();
  hasFailed |= all.failed;
  return all;
}

/// Waits until nothing is under way in any process or between two of them. Each process counts what
/// it has received before it looks at itself, and what it has sent behind that. Where all were
/// still and no more was sent until a later look than had been received before the earlier one,
/// nothing was under way between the two (Mattern's four counters). Sources stay, so nothing comes
/// then.
bool Coordinator::awaitStill(bool ends, std::string &moving) {
  const int64_t patience = ends ? kLastPatience : pace.patience;
  const int64_t began = os::now();
  os::Event never;
  for (int64_t nanos = kFirstLook;; nanos = std::min(2 * nanos, kLook)) {
    Together first = all({Step::Look});
    if (first.isStill) {
      Together second = all({Step::Look});
      if (second.isStill && first.received == second.sent && !hasFailed)
        return true;
    }
    if (hasFailed || (!ends && (isToEnd() || p.end.stop.raised())))
      return false;
    if (os::now() - began > patience) {
      moving = all({Step::Why}).text;
      if (moving.empty())
        moving = "what is on its way between processes did not arrive in time";
      return false;
    }
    never.sleep(nanos);
  }
}

void Coordinator::go() { noteStop(all({Step::Go}).stopped); }

void Coordinator::noteStop(int64_t nanos) {
  lastStop = lastCost = nanos;
  counts.stopped += nanos;
  counts.longest = std::max(counts.longest, nanos);
}

/// The job is to end, and not with a checkpoint.
void Coordinator::stop() {
  isCut = true;
  all({Step::Stop});
}

//===--- one checkpoint -------------------------------------------------------------===//

Manifest Coordinator::manifestOf(const Together &taken, int64_t stopped) const {
  Manifest manifest;
  manifest.number = next;
  manifest.program = p.desc.mainName;
  manifest.boot = os::bootNumber();
  manifest.stopped = stopped;
  manifest.isEnd = taken.isEnd;
  manifest.isAsked = isAsked;
  uint32_t nanos;
  os::wallClock(manifest.seconds, nanos);
  for (uint32_t i = 0; i < p.desc.submissionCount; ++i)
    manifest.values.emplace_back(p.desc.submissions[i].name, p.options.shown[i]);
  for (auto &[path, width] : widthsOf(p))
    manifest.values.emplace_back("width of " + path, width);
  return manifest;
}

/// Says, once in a row, that no checkpoint was made, and which one counts until another one is.
void Coordinator::warn(bool &isSaid, const std::string &why) const {
  if (!std::exchange(isSaid, true))
    tell(p, std::string(p.desc.mainName) + ": warning: no checkpoint was made: " + why +
                "; the program goes on, and tries again. Until then --resume " +
                (last ? "goes on from checkpoint " + std::to_string(last) : "begins anew") + "\n");
}

/// What was taken becomes a checkpoint.
bool Coordinator::publish(const Together &taken, int64_t stopped) {
  Manifest manifest = manifestOf(taken, stopped);
  ++next;
  int64_t began = os::now();
  std::string wrong = directory.begin(manifest.number);
  if (wrong.empty()) {
    Together written = all({Step::Write, manifest.number});
    lastCost += written.cost;
    wrong = written.text;
    manifest.files = std::move(written.files);
  }
  if (wrong.empty() && !hasFailed)
    wrong = directory.complete(manifest);
  counts.written += os::now() - began;
  if (!wrong.empty() || hasFailed) {
    before = 0;
    all({Step::Drop});
    (void)directory.removeForGood(manifest.number); // what is left takes room and means nothing
    if (!hasFailed)
      warn(warned, wrong);
    return false;
  }
  warned = isAsked = false;
  last = manifest.number;
  noteMade();
  counts.bytes = 0;
  for (const Manifest::File &file : manifest.files)
    counts.bytes += file.isLinked ? 0 : file.bytes;
  all({Step::Commit});
  if (wrong = directory.keep(p.options.checkpoints.keep); !wrong.empty())
    tell(p, std::string(p.desc.mainName) + ": warning: " + wrong + "\n");
  return true;
}

void Coordinator::noteMade() {
  counts.firstCut = counts.made++ ? counts.firstCut : lastCut;
  counts.madeCut = lastCut;
  counts.took = os::now() - lastCut;
}

/// Makes a checkpoint. `ends`: the program ends with it. False: it was not made.
bool Coordinator::make(bool ends) {
  bool made = attempt(ends);
  if (!ends || !made)
    all({Step::Settle});
  return made;
}

bool Coordinator::attempt(bool ends) {
  all({Step::Look}); // sources are not to stand still for a process that has only begun
  if (hasFailed)
    return false;
  lastCut = os::now(), lastCost = 0;
  all({Step::Ask, next});
  std::string moving;
  bool isStill = awaitStill(ends, moving);
  if (!isStill || hasFailed) {
    go();
    if (hasFailed || moving.empty())
      return false;
    ++counts.givenUp;
    warn(waited, moving);
    return false;
  }
  Together taken = all({Step::Take, next});
  // A service at rest writes nothing, but for the time all is as before.
  bool isAsBefore = std::exchange(before, taken.digest) == taken.digest && counts.made;
  if (!ends) {
    go();
    return (isAsBefore && !isAsked) || publish(taken, lastStop);
  }
  if (!publish(taken, 0)) {
    go();
    return false;
  }
  all({Step::End});
  tell(p, std::string(p.desc.mainName) + ": stopped with checkpoint " + std::to_string(last) +
              " in " + directory.name() + "; --resume goes on from it\n");
  return true;
}

//===--- the run --------------------------------------------------------------------===//

bool Coordinator::isToEnd() const {
  return p.cut.stop.raised() ||
         std::ranges::any_of(others, [](auto &other) { return other->wantsEnd(); });
}

/// Sleeps until something is to be done. False: `end` was raised.
bool Coordinator::sleep(const os::Event &end, int64_t nanos) {
  std::vector<int> all{end.descriptor(), p.cut.stop.descriptor(), p.end.stop.descriptor(),
                       asked.descriptor(), p.cut.wanted.descriptor()};
  for (auto &other : others)
    if (int descriptor = other->descriptor(); descriptor >= 0)
      all.push_back(descriptor);
  remote::awaitReadable(all, nanos);
  return !end.raised();
}

void Coordinator::runUntil(os::Event &end) {
  for (int64_t due = nextDue(pace.period); !end.raised();) {
    if (takeAsked() || takeWanted())
      due = os::now();
    if (!isToEnd() && !p.end.stop.raised() && os::now() < due) {
      sleep(end, due == INT64_MAX ? -1 : std::max<int64_t>(due - os::now(), 0));
      continue;
    }
    if (end.raised() || p.end.stop.raised())
      break;
    if (isToEnd()) {
      if (!make(/*ends=*/true))
        stop(); // as without checkpoints
      return;
    }
    uint64_t givenUp = counts.givenUp;
    make(/*ends=*/false);
    if (hasFailed) {
      local.letGo();
      return p.end.failing ? void() : stop();
    }
    bool waits = counts.givenUp != givenUp && pace.period >= 0 && p.cut.regions.empty();
    due = nextDue(waits ? std::max(pace.period, kPause * lastStop) : pace.period);
  }
  local.letGo();
  os::sleepOn({&end, &p.cut.stop}, -1); // a program that ends itself, or fails
  if (!end.raised())
    stop();
}

/// ns; never if `pause` is below 0 and nobody waits for one. By then the last one has cost no more
/// than the budget allows.
int64_t Coordinator::nextDue(int64_t pause) const {
  if (pause < 0)
    return isAsked ? os::now() + kAskedAgain : INT64_MAX;
  int64_t paid = pace.budget < 1 ? lastCut + int64_t(double(lastCost) / pace.budget) : 0;
  return std::max(os::now() + pause, paid);
}

/// Whether a source has asked for one since the last look.
bool Coordinator::takeWanted() {
  bool wanted = p.cut.wanted.raised();
  if (wanted)
    p.cut.wanted.lower();
  for (auto &other : others)
    wanted |= other->wantsCheckpoint();
  return wanted;
}

/// Whether one was asked for since the last look.
bool Coordinator::takeAsked() {
  if (!asked.raised())
    return false;
  asked.lower();
  return isAsked = true;
}

/// The others may run for long: checkpoints go on.
void Coordinator::finish() {
  takeAsked();
  if (p.end.failing || p.end.unread || isCut)
    return;
  local.setOver();
  os::Event over;
  for (int64_t due = nextDue(pace.period); !all({Step::Look}).areOver;) {
    if (hasFailed || (isToEnd() && (p.end.stop.raised() || !make(/*ends=*/true))))
      return stop();
    if (p.end.atCheckpoint.load(std::memory_order_relaxed))
      return;
    if (takeAsked() || takeWanted())
      due = os::now();
    if (!p.end.stop.raised() && os::now() >= due) {
      make(/*ends=*/false);
      due = nextDue(pace.period);
    }
    over.sleep(kEndLook);
  }
  lastCut = os::now(), lastCost = 0;
  if (!hasFailed)
    publish(all({Step::Take, next}), 0);
  all({Step::Over});
}

std::string Coordinator::summary() const {
  char text[400], every[60] = "";
  if (counts.made > 1)
    snprintf(every, sizeof every, ", one each %.2f s",
             double(counts.madeCut - counts.firstCut) / double(counts.made - 1) / 1e9);
  snprintf(
      text, sizeof text,
      "checkpoints: %llu made%s, %llu given up; the last one, %llu, has %.1f KiB, was complete "
      "after %.1f ms and cost %.1f ms; sources stood still for %.1f ms at most, %.1f ms in "
      "all; writing took %.1f ms\n",
      static_cast<unsigned long long>(counts.made), every,
      static_cast<unsigned long long>(counts.givenUp), static_cast<unsigned long long>(last),
      double(counts.bytes) / 1024, double(counts.took) / 1e6, double(lastCost) / 1e6,
      double(counts.longest) / 1e6, double(counts.stopped) / 1e6, double(counts.written) / 1e6);
  return text;
}

} // namespace sluice::checkpoint
