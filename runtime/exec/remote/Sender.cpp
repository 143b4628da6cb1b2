//===- Sender.cpp - the operator that sends a stream to another PE --------===//
#include "runtime/base/Words.h"
#include "runtime/exec/job/Job.h"
#include "runtime/exec/program/Program.h"
#include "runtime/exec/remote/Remote.h"
#include "runtime/remote/frame/Frame.h"

namespace sluice {

namespace {
/// Batches, and how many tuples they had.
struct Amount {
  uint64_t batches = 0, tuples = 0;

  void add(uint64_t rows) { ++batches, tuples += rows; }
  std::string text() const {
    return std::to_string(batches) + " batch" + (batches == 1 ? "" : "es") + " of " +
           counted(tuples, "tuple");
  }
};

/// Sends each batch as a frame, at once. By the thread that is inside its domain.
class Sender : public NativeOp, public Reconnects {
public:
  explicit Sender(Program &p) : p(p), sleep(*this) {}
  int32_t open() override;
  int32_t batch(uint32_t port, const Batch &, const Punctuation *, uint32_t count) override;
  int32_t close() override;
  void offer(std::unique_ptr<remote::SendLink>) override;

private:
  void use(std::unique_ptr<remote::SendLink>);
  void lose();
  void resume();
  bool awaitReturn();
  void send(const Batch &, std::span<const Punctuation>);
  void finish();
  void tellLost(const char *what);

  Program &p;
  uint32_t self = 0, receiver = 0;
  std::unique_ptr<remote::Schema> schema;
  std::unique_ptr<remote::FrameWriter> writer;
  std::unique_ptr<remote::SendLink> link; // null: the other PE is gone, what is sent to it is lost
  std::vector<uint32_t> rows;             // of the last batches, a ring
  uint64_t sent = 0;                      // batches, over this link
  Amount unsure, lost; // were on their way when the other PE died; came while it was gone
  LinkCounters *counters = nullptr;
  OperatorSleep sleep;
  // Of a PE that was started again.
  os::Lock lock;
  std::unique_ptr<remote::SendLink> offered; // guarded by the lock
  os::Event returned;                        // there is one
};
} // namespace

int32_t Sender::open() {
  self = p.indexOf(desc);
  receiver = p.pes.receiver(self);
  schema = std::make_unique<remote::Schema>(
      schemaOf(p.desc.outPorts[p.desc.operators[receiver].firstOut]));
  rows.resize(p.options.links.credits.sound().ring);
  counters = &p.links.emplace_back(LinkCounters{self, p.pes.of(receiver), /*sends=*/true});
  p.remote->enter(self, *this);
  std::string error;
  auto made = p.remote->connect(self, p.remote->patience(), error);
  if (made)
    use(std::move(made));
  else if (!error.empty() && !p.options.links.restarts)
    return sl_error(ctx, "%s", error.c_str());
  else if (!p.options.job->isWatched && !p.stop.raised())
    sl_warn(ctx, desc, "PE %u takes no more of this stream", p.pes.of(receiver));
  return 0;
}

void Sender::use(std::unique_ptr<remote::SendLink> made) {
  link = std::move(made);
  link->tell(&sleep);
  sent = 0;
  writer = std::make_unique<remote::FrameWriter>(*schema, p.options.job->id, receiver,
                                                 p.options.links.checksum);
}

void Sender::offer(std::unique_ptr<remote::SendLink> made) {
  os::Held held(lock);
  offered = std::move(made);
  returned.raise();
}

/// The other PE was started again.
void Sender::resume() {
  std::unique_ptr<remote::SendLink> made;
  {
    os::Held held(lock);
    made = std::move(offered);
    returned.lower();
  }
  if (link)
    lose();
  use(std::move(made));
  tellLost("was started again");
}

/// The other PE cannot be reached any more. This one goes on: others may take what it makes.
void Sender::lose() {
  for (uint64_t n = std::min<uint64_t>(link->onTheWay(), sent); n; --n)
    unsure.add(rows[(sent - n) % rows.size()]);
  link.reset();
  if (!p.failing && !p.options.job->isWatched)
    sl_warn(ctx, desc, "PE %u is gone: what is sent to it is lost", p.pes.of(receiver));
}

void Sender::tellLost(const char *what) {
  if (unsure.batches || lost.batches)
    sl_warn(ctx, desc,
            "PE %u %s: of this stream up to %s that were on their way are lost, and %s that came "
            "until then",
            p.pes.of(receiver), what, unsure.text().c_str(), lost.text().c_str());
  unsure = lost = {};
}

/// False: it will not come.
bool Sender::awaitReturn() {
  if (!p.options.links.restarts || p.options.job->hasEnded(p.pes.of(receiver)))
    return false;
  sleep.beginSleep();
  os::sleepOn({&returned, &p.stop, &p.failed}, -1);
  sleep.endSleep();
  return returned.raised();
}

/// Counts it as sent, or as lost.
void Sender::send(const Batch &b, std::span<const Punctuation> puncts) {
  if (!link)
    return lost.add(b.rows);
  std::span<const remote::Piece> frame = writer->write(b, puncts);
  size_t bytes = 0;
  for (const remote::Piece &piece : frame)
    bytes += piece.bytes;
  if (link->send(frame) != remote::SendLink::Result::Sent) {
    lose();
    return lost.add(b.rows);
  }
  if (!p.options.links.pool)
    writer->dropMemory();
  rows[sent++ % rows.size()] = b.rows;
  counters->frames.add(1);
  counters->tuples.add(b.rows);
  counters->bytes.add(bytes);
  counters->waited.set(uint64_t(link->creditNanos()));
}

void Sender::finish() {
  while (!link || link->finish() != remote::SendLink::Result::Sent) {
    if (link)
      lose();
    if (!awaitReturn())
      break;
    resume();
  }
  p.remote->leave(self);
}

int32_t Sender::batch(uint32_t, const Batch &b, const Punctuation *puncts, uint32_t count) {
  bool ends = count && isFinal(puncts[count - 1].kind);
  count -= ends;
  if (returned.raised())
    resume();
  if (b.rows || count)
    send(b, {puncts, count});
  if (ends)
    finish();
  return 0;
}

int32_t Sender::close() {
  p.remote->leave(self);
  if (p.options.links.restarts)
    tellLost("is gone");
  return 0;
}

NativeOp *makeSender(Program &p) { return new Sender(p); }

} // namespace sluice
