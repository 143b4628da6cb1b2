//===- LocalParticipant.cpp - this process in a checkpoint ------------------===//
#include "runtime/exec/checkpoint/LocalParticipant.h"
#include "runtime/base/hash/Digest.h"
#include "runtime/exec/checkpoint/Snapshot.h"
#include "runtime/exec/ending/Failures.h"
#include "runtime/exec/spool/Spool.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"
#include <algorithm>

namespace sluice::checkpoint {

LocalParticipant::LocalParticipant(Program &p, const Directory &directory)
    : p(p), directory(directory), stand(p),
      blocks(directory, p.options.pe, p.options.checkpoints.blocksFrom) {}

/// Frames that were received are counted before sources are looked at, frames that were sent behind
/// that (Coordinator::awaitStill). acquire: as LinkTotals says.
void LocalParticipant::look(Answer &a) const {
  a.received = p.links.totals.received.load(std::memory_order_acquire);
  a.isStill = stand.isStill();
  a.sent = p.links.totals.sent.load(std::memory_order_acquire);
  a.isOver = isOver;
}

void LocalParticipant::ask(uint64_t number) {
  p.cut.number.store(number, std::memory_order_relaxed);
  asking.clear();
  for (auto &s : p.threads.sources)
    if (s->cut.asks)
      asking.push_back(s.get());
  stand.ask();
}

/// Those that ask later wait for the next one.
void LocalParticipant::settle() {
  os::Held held(p.cut.lock);
  for (Source *s : asking)
    s->cut.asks = false;
  p.cut.over.wakeAll();
}

void LocalParticipant::letGo() {
  os::Held held(p.cut.lock);
  p.cut.isOver = true;
  for (auto &s : p.threads.sources)
    s->cut.asks = false;
  p.cut.over.wakeAll();
}

/// A service at rest has the same digest again and again.
static uint64_t digestOf(const std::vector<Section> &sections) {
  Digest digest;
  for (const Section &section : sections)
    if (!section.text.starts_with(kProgram)) {
      digest.add(section.text);
      digest.add(sluice::digestOf(section.bytes.data(), section.bytes.size()));
    }
  return digest.value();
}

void LocalParticipant::take(uint64_t number, Answer &a) {
  blocks.begin(number);
  taken = takeSnapshot(p, blocks);
  p.links.totals.taken.fetch_add(1, std::memory_order_release); // as LinkTotals says
  a.digest = digestOf(taken);
  a.isEnd = std::ranges::all_of(p.threads.sources,
                                [](auto &s) { return s->ended.load() || s->cut.wasEnded; }) &&
            std::ranges::all_of(p.queues.delays, [](InPort *in) { return !in->drops->depth(); });
}

/// A log that the system fails to sync ends the program, as one that cannot be written.
std::string LocalParticipant::sync() {
  std::string first;
  for (auto &native : p.natives.list)
    if (native && first.empty())
      first = native->sync();
  for (auto &spool : p.spools) {
    std::string wrong = spool->sync();
    if (spool->isBroken())
      failOutside(p, {spool->op, 0, wrong});
    if (first.empty())
      first = std::move(wrong);
  }
  return first;
}

void LocalParticipant::write(uint64_t number, Answer &a) {
  const double began = os::threadCpuTime();
  // First: until a block is saved, its first change has to save it.
  a.text = blocks.write(a.files);
  std::string wrong = sync();
  if (a.text.empty())
    a.text = std::move(wrong);
  Manifest::File &state = a.files.emplace_back(Manifest::File{.name = stateFileOf(p.options.pe)});
  if (a.text.empty())
    a.text = directory.write(number, taken, state);
  // It takes its part of the processors.
  a.cost = int64_t((os::threadCpuTime() - began) / os::usableCpus() * double(os::kNanos)) +
           blocks.early();
}

Answer LocalParticipant::carryOut(const Order &order) {
  Answer a;
  switch (order.step) {
  case Step::Look:
    look(a);
    break;
  case Step::Ask:
    ask(order.number);
    break;
  case Step::Settle:
    settle();
    break;
  case Step::Why:
    a.text = stand.isStill() ? "" : stand.whatMoves();
    break;
  case Step::Take:
    take(order.number, a);
    break;
  case Step::Go:
    a.stopped = stand.leave();
    break;
  case Step::Write:
    write(order.number, a);
    break;
  case Step::Commit:
    p.cut.attempts.store(0, std::memory_order_relaxed);
    blocks.commit();
    for (auto &native : p.natives.list)
      if (native)
        native->committed();
    for (auto &spool : p.spools)
      spool->committed(p.options.checkpoints.keep);
    break;
  case Step::Drop:
    blocks.letGo();
    break;
  case Step::End:
    stand.endProgram();
    letGo();
    break;
  case Step::Stop:
    if (!p.end.failing) // else it ends already
      p.end.stop.raise();
    letGo();
    break;
  case Step::Over:
    break;
  }
  a.failed = p.end.failing;
  return a;
}

} // namespace sluice::checkpoint
