//===- Acknowledger.cpp - says and hears what is acknowledged -------------===//
#include "runtime/exec/delivery/Acknowledger.h"
#include "runtime/exec/delivery/Retained.h"
#include "runtime/exec/ending/Failures.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/state/Program.h"
#include <algorithm>
#include <utility>

namespace sluice {

static constexpr size_t kStackBytes = 256 * 1024;
/// Spans of a source that may be open.
static constexpr uint32_t kSpans = 1000;
/// ms between two rounds: after one that had something to say, and at most.
static constexpr int kRound = 2, kLongest = 32;

Acknowledger::Acknowledger(Program &p) : p(p), thread([this] { run(); }, kStackBytes) {}

void Acknowledger::stop() {
  ending.store(true, std::memory_order_relaxed);
  wake.raise();
  thread.join();
}

//===--- by other threads -----------------------------------------------------===//

void Acknowledger::wakeUp() {
  // acq_rel: who finds it woken already was heard by run().
  if (!woken.exchange(true, std::memory_order_acq_rel))
    wake.raise();
}

Receipts &Acknowledger::admit(remote::Socket control) {
  os::Held held(lock);
  return incoming
      .emplace_back(new Incoming{remote::Acknowledgements(std::move(control)),
                                 Receipts(p.options.links.unacknowledged)})
      ->receipts;
}

Receipts &Acknowledger::read(const ResumePoint &point) {
  os::Held held(lock);
  return reading.emplace_back(new Reading{point, Receipts(kSpans)})->receipts;
}

void Acknowledger::close(Receipts &receipts) {
  os::Held held(lock);
  for (auto &each : incoming)
    if (&each->receipts == &receipts)
      each->closed = true;
}

void Acknowledger::listen(Retained &retained, remote::Socket control) {
  {
    os::Held held(lock);
    std::erase_if(outgoing, [&](const Outgoing &each) { return each.retained == &retained; });
    outgoing.push_back({remote::Acknowledgements(std::move(control)), &retained});
    retained.restart();
  }
  wakeUp();
}

void Acknowledger::lose(Retained &retained) {
  os::Held held(lock);
  auto found = std::ranges::find(outgoing, &retained, &Outgoing::retained);
  if (found == outgoing.end())
    found = outgoing.insert(found, Outgoing{remote::Acknowledgements({}), &retained});
  found->lose();
}

void Acknowledger::forget(Retained &retained) {
  os::Held held(lock);
  std::erase_if(outgoing, [&](const Outgoing &each) { return each.retained == &retained; });
}

//===--- its thread -------------------------------------------------------------===//

void Acknowledger::run() {
  int pause = kRound;
  while (!ending.load(std::memory_order_relaxed)) {
    sleeps.store(true, std::memory_order_seq_cst);
    await(isAnythingOpen() ? pause : -1);
    sleeps.store(false, std::memory_order_relaxed);
    if (wake.raised()) {
      wake.lower();
      woken.exchange(false, std::memory_order_acq_rel); // pairs with wakeUp()
    }
    hear();
    pause = round() ? kRound : std::min(2 * pause, kLongest);
  }
}

/// Something is to be acknowledged, now or later.
bool Acknowledger::isAnythingOpen() {
  os::Held held(lock);
  return std::ranges::any_of(incoming,
                             [](const auto &each) {
                               return each->closed || each->said != each->receipts.count();
                             }) ||
         std::ranges::any_of(reading, [](const auto &each) {
           return each->isNew || each->done != each->receipts.count();
         });
}

/// Sleeps until somebody says something, or wakes it.
void Acknowledger::await(int milliseconds) {
  if (milliseconds >= 0)
    sleeps.store(false, std::memory_order_relaxed); // the time wakes it
  files.assign({{wake.descriptor(), POLLIN, 0}});
  {
    os::Held held(lock);
    for (const Outgoing &each : outgoing)
      if (!each.gone)
        files.push_back({each.from.descriptor(), POLLIN, 0});
  }
  poll(files.data(), files.size(), milliseconds);
}

/// The other PE is gone, or says what cannot be.
void Acknowledger::Outgoing::lose() {
  gone = true;
  from = remote::Acknowledgements({});
  retained->lose();
}

void Acknowledger::hear() {
  os::Held held(lock);
  for (Outgoing &each : outgoing) {
    if (each.gone && p.stop.raised())
      each.retained->giveUp();
    if (each.gone)
      continue;
    constexpr uint64_t kNone = UINT64_MAX;
    uint64_t frames = kNone;
    bool hears = each.from.hear(frames) != remote::Acknowledgements::Heard::Gone;
    if (frames != kNone && !each.retained->acknowledge(frames)) {
      each.from.cutOff(); // so that the thread of the link sees it as well
      hears = false;
    }
    if (!hears)
      each.lose();
  }
}

/// Notes what is done, makes it durable, says it. True: there was something.
bool Acknowledger::round() {
  bool news = false;
  {
    os::Held held(lock);
    for (auto &each : incoming) {
      each->done = each->receipts.done();
      if (each->closed) // nobody hears it
        each->said = each->done;
      news |= each->done != each->said;
    }
    for (auto &each : reading) {
      uint64_t before = each->done;
      each->done = each->receipts.done(&each->position);
      news |= each->isNew |= each->done != before;
    }
  }
  // What was dropped because the program fails looks as if it was done.
  if (p.failing || (news && !persist()))
    return false;
  os::Held held(lock);
  for (auto &each : reading)
    if (std::exchange(each->isNew, false))
      each->point.note(each->position);
  for (auto &each : incoming)
    if (each->done != each->said && each->to.say(each->done))
      each->said = each->done;
  std::erase_if(incoming, [](auto &each) { return each->closed && !each->receipts.open(); });
  return news;
}

/// Gives all that was written to the operating system. False: it cannot, which is reported, and
/// ends the program: others would wait for ever for what is not acknowledged.
bool Acknowledger::persist() {
  flushOutput(p);
  for (auto &op : p.natives)
    if (std::string problem = op ? op->persist() : ""; !problem.empty())
      failOutside(p, {p.indexOf(op->desc), 0, std::move(problem)});
  return !p.failing;
}

} // namespace sluice
