//===- Sender.cpp - the operator that sends a stream to another PE --------===//
#include "runtime/exec/remote/Sender.h"
#include "runtime/exec/job/Job.h"

namespace sluice {

int32_t Sender::open() {
  self = p.indexOf(desc);
  receiver = p.table.pes.receiver(self);
  schema = std::make_unique<remote::Schema>(
      remote::schemaOf(p.desc.outPorts[p.desc.operators[receiver].firstOut]));
  writer = std::make_unique<remote::FrameWriter>(*schema, p.options.job->id, receiver,
                                                 p.options.links.checksum);
  counters = &p.links.counters.emplace_back(LinkCounters{self, otherPe(), /*sends=*/true});
  if (hasEnded)
    return 0;
  std::string error;
  auto made = p.links.remote->connect(self, p.links.remote->patience(), error);
  p.links.remote->enter(self, *this); // not before: nobody else connects it meanwhile
  takesNoMore = !made && error.empty();
  if (made)
    use(std::move(made));
  else if (!error.empty() && !p.options.links.restarts)
    return sl_error(ctx, "%s", error.c_str());
  else if (!error.empty())
    p.links.remote->callSender(self);
  else if (!p.options.job->isWatched && !p.end.stop.raised())
    sl_warn(ctx, desc, "PE %u takes no more of this stream", otherPe());
  return 0;
}

void Sender::use(std::unique_ptr<remote::SendLink> made) {
  link = std::move(made);
  link->tell(&sleep);
  writer->continueAt(0);
}

void Sender::offer(std::unique_ptr<remote::SendLink> made) {
  os::Held held(lock);
  offered = std::move(made);
  returned.raise();
}

std::unique_ptr<remote::SendLink> Sender::takeOffered() {
  os::Held held(lock);
  returned.lower();
  return std::move(offered);
}

bool Sender::mayReturn() const {
  return p.options.links.restarts && !takesNoMore && !p.options.job->hasEnded(otherPe());
}

bool Sender::transmit(std::span<const remote::Piece> frame, uint32_t rows) {
  bool isSent = link->send(frame) == remote::SendLink::Result::Sent;
  // Without a link nothing is held up.
  counters->congestion.set(isSent ? 100 * link->onTheWay() / p.options.links.credits.sound().ring
                                  : 0);
  if (!isSent) {
    lose();
    return false;
  }
  counters->frames.add(1);
  counters->tuples.add(rows);
  for (const remote::Piece &piece : frame)
    counters->bytes.add(piece.bytes);
  counters->waited.set(uint64_t(link->creditNanos()));
  return true;
}

int32_t Sender::batch(uint32_t, const Batch &b, const Punctuation *puncts, uint32_t count) {
  bool ends = count && isFinal(puncts[count - 1].kind);
  count -= ends;
  auto &sent = p.links.totals.sent;
  if (b.rows || count) {
    sent.fetch_add(1, std::memory_order_release); // as LinkTotals says
    send(b, {puncts, count});
  }
  if (ends) {
    hasEnded = true;
    sent.fetch_add(1, std::memory_order_release);
    finish();
    p.links.remote->leave(self);
  }
  return 0;
}

static constexpr const char *kEnded = "ended";

void Sender::save(Saver &saver) { saver.number(kEnded, hasEnded); }

int32_t Sender::restore(const Loader &loader) {
  hasEnded = loader.number(kEnded).value_or(0) != 0;
  return 0;
}

int32_t Sender::close() {
  p.links.remote->leave(self);
  return 0;
}

//===--- at most once -----------------------------------------------------------===//

namespace {
/// What is sent to a PE that is gone is lost, and so may be what was on its way.
class LosingSender : public Sender {
public:
  using Sender::Sender;
  int32_t close() override;

private:
  void send(const Batch &, std::span<const Punctuation>) override;
  void finish() override;
  void lose() override;
  void use(std::unique_ptr<remote::SendLink>) override;
  void resume();
  bool awaitReturn();
  void tellLost(const char *what);

  std::vector<uint32_t> rows; // of the last batches, a ring
  uint64_t sent = 0;          // batches, over this link
  Amount unsure, lost;        // were on their way when the other PE died; came while it was gone
};
} // namespace

void LosingSender::use(std::unique_ptr<remote::SendLink> made) {
  Sender::use(std::move(made));
  rows.resize(p.options.links.credits.sound().ring);
  sent = 0;
}

/// The other PE was started again.
void LosingSender::resume() {
  if (link)
    lose();
  use(takeOffered());
  tellLost("was started again");
}

void LosingSender::lose() {
  for (uint64_t n = std::min<uint64_t>(link->onTheWay(), sent); n; --n)
    unsure.add(rows[(sent - n) % rows.size()]);
  link.reset();
  p.links.remote->callSender(self);
  if (!p.end.failing && !p.options.job->isWatched)
    sl_warn(ctx, desc, "PE %u is gone: what is sent to it is lost", otherPe());
}

void LosingSender::tellLost(const char *what) {
  if (unsure.batches || lost.batches)
    sl_warn(ctx, desc,
            "PE %u %s: of this stream up to %s that were on their way are lost, and %s that came "
            "until then",
            otherPe(), what, unsure.text().c_str(), lost.text().c_str());
  unsure = lost = {};
}

/// False: it will not come.
bool LosingSender::awaitReturn() {
  if (!mayReturn())
    return false;
  sleep.beginSleep();
  os::sleepOn({&returned, &p.end.stop, &p.end.failed}, -1);
  sleep.endSleep();
  return returned.raised();
}

/// Counts it as sent, or as lost.
void LosingSender::send(const Batch &b, std::span<const Punctuation> puncts) {
  if (returned.raised())
    resume();
  if (!link || !transmit(writer->write(b, puncts), b.rows))
    return lost.add(b.rows);
  if (!p.options.links.pool)
    writer->dropMemory();
  rows[sent++ % rows.size()] = b.rows;
}

void LosingSender::finish() {
  if (returned.raised())
    resume();
  while (!link || link->finish() != remote::SendLink::Result::Sent) {
    if (link)
      lose();
    if (!awaitReturn())
      break;
    resume();
  }
}

int32_t LosingSender::close() {
  if (p.options.links.restarts)
    tellLost("is gone");
  return Sender::close();
}

NativeOp *makeSender(Program &p) {
  return p.options.links.acknowledges ? makeRetainingSender(p) : new LosingSender(p);
}

} // namespace sluice
