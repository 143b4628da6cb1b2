//===- Receiver.cpp - the operator that receives a stream of another PE ---===//
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/delivery/Acknowledger.h"
#include "runtime/exec/job/Job.h"
#include "runtime/exec/remote/Remote.h"
#include "runtime/exec/source/OperatorSleep.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Receipt.h"
#include "runtime/memory/Memory.h"
#include "runtime/remote/frame/Frame.h"
#include <cstring>
#include <utility>

namespace sluice {

namespace {
/// A source whose batches are the frames that it receives, in the memory in which they arrive.
class Receiver : public NativeOp {
public:
  explicit Receiver(Program &p) : p(p), sleep(*this) {}
  int32_t open() override;
  int32_t process() override;
  /// It drains what the other PEs still send: only that ends it, or a failure.
  bool finishes() const override { return true; }
  Saves saves() const override { return Saves::State; }
  void save(Saver &) override;
  int32_t restore(const Loader &) override;
  int32_t close() override;

private:
  /// A batch in which a frame is to arrive, and its header from before.
  struct Posted {
    Batch *batch;
    Batch saved;
  };
  /// One of the PEs that send.
  struct Peer {
    std::vector<Posted> posted; // a ring
    uint64_t head = 0, tail = 0;
    uint64_t sequence = 0; // of its next frame
    LinkCounters *counters = nullptr;
    bool hasEnded = false;        // its stream: at the checkpoint, or since
    Receipts *receipts = nullptr; // of its frames, where these are acknowledged
  };
  int32_t receive(Thread &, remote::ReceiveLink &);
  void lose(uint32_t peer, const char *why);
  void renew(Thread &, uint32_t peer);
  bool acknowledgeLater(uint32_t peer, Batch *);
  void closeReceipts(uint32_t peer);
  void post(Thread &, uint32_t peer);
  int32_t take(Thread &, const remote::ReceiveLink::Frame &);
  Batch *read(const remote::ReceiveLink::Frame &, std::string &problem);
  void copyTuples(Batch *to, const Batch *from);
  Batch *readLarge(const remote::ReceiveLink::Frame &, const Batch &saved, std::string &problem);

  Program &p;
  uint32_t self = 0, out = 0; // ids of the operator and of its output port
  std::vector<Peer> peers;
  std::unique_ptr<remote::Schema> schema;
  OperatorSleep sleep;
  Arena tuple = {};  // of copyTuples()
  bool lost = false; // a peer has gone before the end of its stream
};
} // namespace

int32_t Receiver::open() {
  self = p.indexOf(desc);
  out = desc->firstOut;
  schema = std::make_unique<remote::Schema>(remote::schemaOf(p.desc.outPorts[out]));
  const auto &senders = p.table.pes.sendersTo(self);
  peers.resize(senders.size());
  for (uint32_t i = 0; i < senders.size(); ++i) {
    Peer &peer = peers[i];
    uint32_t pe = senders[i];
    peer.posted.resize(p.options.links.credits.sound().ring);
    peer.counters = &p.links.counters.emplace_back(LinkCounters{self, pe, /*sends=*/false});
  }
  return 0;
}

/// Gives the link a batch to receive the next frame but those that are posted already.
void Receiver::post(Thread &t, uint32_t number) {
  Peer &peer = peers[number];
  Batch *b = takeBatch(t, out);
  peer.posted[peer.tail++ % peer.posted.size()] = {b, *b};
  p.links.remote->receiver(self).post(number, b);
}

/// As copyBatch(), as a reader does it that makes a tuple of each part of a message: each value of
/// a row is made anew, then the row is added. `--transport-option lazy=off` measures what that
/// would cost.
void Receiver::copyTuples(Batch *to, const Batch *from) {
  ArenaCheckpoint begin = arenaCheckpoint(&tuple);
  for (uint32_t row = 0; row < from->rows; ++row, arenaRelease(&tuple, begin))
    for (const remote::Column &column : schema->columns) {
      uint64_t at = column.offset + uint64_t(row) * column.size;
      void *value = arenaAlloc(&tuple, column.size, column.type->align);
      sl_copy_to(&tuple, column.type, value, reinterpret_cast<const char *>(from) + at);
      char *kept = reinterpret_cast<char *>(to) + at;
      memcpy(kept, value, column.size);
      if (column.far)
        sl_batch_keep(to, column.type, kept);
    }
  copyRest(to, from);
}

/// A frame that is larger than a batch of the pool, in memory of its own: it is copied.
Batch *Receiver::readLarge(const remote::ReceiveLink::Frame &frame, const Batch &saved,
                           std::string &problem) {
  Peer &peer = peers[frame.peer];
  auto *b = static_cast<Batch *>(frame.spare);
  *b = saved;
  Batch none = {};
  auto *large = static_cast<Batch *>(frame.memory);
  auto wrong =
      readFrame(*schema, {p.options.job->id, peer.sequence, self, p.options.links.checksum}, large,
                frame.bytes, (frame.bytes + 63) / 64 * 64, none);
  if (wrong)
    problem = *wrong;
  copyBatch(b, large, schema->columns);
  arenaFree(&large->arena);
  giveMemory(large->puncts);
  remote::ReceiveLink::freeLarge(frame.memory);
  return b;
}

/// The batch that a frame has become.
Batch *Receiver::read(const remote::ReceiveLink::Frame &frame, std::string &problem) {
  Peer &peer = peers[frame.peer];
  const Batch &saved = peer.posted[peer.head++ % peer.posted.size()].saved;
  if (frame.spare)
    return readLarge(frame, saved, problem);
  auto wrong =
      readFrame(*schema, {p.options.job->id, peer.sequence, self, p.options.links.checksum},
                frame.memory, frame.bytes, schema->room, saved);
  if (wrong)
    problem = *wrong;
  return static_cast<Batch *>(frame.memory);
}

/// The frame is acknowledged when what is made of the batch is done. False: the peer has sent more
/// than it may.
bool Receiver::acknowledgeLater(uint32_t number, Batch *b) {
  Acknowledger *acknowledger = p.links.acknowledger;
  if (!acknowledger)
    return true;
  Receipts *&receipts = peers[number].receipts;
  if (!receipts)
    receipts = &acknowledger->admit(p.links.remote->receiver(self).acknowledgements(number));
  b->receipt = receipts->begin();
  acknowledger->noteBegun(*receipts);
  return b->receipt;
}

/// No more frames come of this peer, or of this life of it.
void Receiver::closeReceipts(uint32_t number) {
  if (Receipts *receipts = std::exchange(peers[number].receipts, nullptr))
    p.links.acknowledger->close(*receipts);
}

/// Forwards what a frame holds. Handler return values.
int32_t Receiver::take(Thread &t, const remote::ReceiveLink::Frame &frame) {
  std::string problem;
  Batch *b = read(frame, problem);
  if (problem.empty() && !acknowledgeLater(frame.peer, b))
    problem = "more frames than agreed are not acknowledged";
  ++peers[frame.peer].sequence;
  post(t, frame.peer);
  if (!problem.empty()) {
    giveBack(t, b);
    return sl_error(ctx, "a frame from PE %u is refused: %s",
                    p.table.pes.sendersTo(self)[frame.peer], problem.c_str());
  }
  if (const auto &links = p.options.links; !links.inPlace || !links.lazy) {
    Batch *copied = takeBatch(t, out);
    if (links.lazy)
      copyBatch(copied, b, schema->columns);
    else
      copyTuples(copied, b);
    setReceipt(copied, b->receipt);
    giveBack(t, std::exchange(b, copied));
  }
  LinkCounters &counters = *peers[frame.peer].counters;
  counters.frames.add(1);
  counters.tuples.add(b->rows);
  counters.bytes.add(frame.bytes);
  if (Batch *empty = t.at.ports[out].batch)
    giveBack(t, empty);
  setBatch(t.at.ports, out, b);
  return sl_forward(ctx, out - ctx->replica->out);
}

int32_t Receiver::process() {
  Thread &t = *ctx->thread;
  remote::ReceiveLink &link = p.links.remote->receiver(self);
  link.tell(&sleep);
  for (uint32_t peer = 0; peer < peers.size(); ++peer)
    if (peers[peer].hasEnded)
      link.close(peer);
    else
      for (uint32_t i = 0; i < link.depth(); ++i)
        post(t, peer);
  int32_t result = receive(t, link);
  if (lost) // the stream has not ended: what waits for its end goes on waiting
    p.natives.closed[desc->native] = true;
  return result;
}

static std::string endedName(uint32_t peer) { return "ended" + std::to_string(peer); }

void Receiver::save(Saver &saver) {
  for (uint32_t peer = 0; peer < peers.size(); ++peer)
    saver.number(endedName(peer), peers[peer].hasEnded);
}

int32_t Receiver::restore(const Loader &loader) {
  peers.resize(p.table.pes.sendersTo(p.indexOf(desc)).size());
  for (uint32_t peer = 0; peer < peers.size(); ++peer)
    peers[peer].hasEnded = loader.number(endedName(peer)).value_or(0) != 0;
  return 0;
}

/// Receives until nobody is left who sends.
int32_t Receiver::receive(Thread &t, remote::ReceiveLink &link) {
  using Result = remote::ReceiveLink::Result;
  for (;;) {
    remote::ReceiveLink::Frame frame = {};
    const Result result = link.next(frame);
    if (result == Result::Frame || result == Result::Ended)
      p.links.totals.received.fetch_add(1, std::memory_order_release); // as LinkTotals says
    switch (result) {
    case Result::Frame:
      if (int32_t result = take(t, frame))
        return result;
      break;
    case Result::Ended:
      peers[frame.peer].hasEnded = true;
      closeReceipts(frame.peer);
      break;
    case Result::PeerGone:
      lose(frame.peer, "is gone before the end of its stream");
      break;
    case Result::Broken:
      lose(frame.peer, "does not keep to the protocol: it is cut off");
      break;
    case Result::Renewed:
      renew(t, frame.peer);
      break;
    case Result::AllGone:
    case Result::Stopped:
      return 0;
    }
  }
}

void Receiver::lose(uint32_t peer, const char *why) {
  lost = true;
  closeReceipts(peer);
  if (!p.options.job->isWatched)
    sl_warn(ctx, desc, "PE %u %s", p.table.pes.sendersTo(self)[peer], why);
}

/// The PE may come back: its frames are numbered anew.
void Receiver::renew(Thread &t, uint32_t number) {
  Peer &peer = peers[number];
  closeReceipts(number);
  for (; peer.head != peer.tail; ++peer.head) {
    Posted &posted = peer.posted[peer.head % peer.posted.size()];
    *posted.batch = posted.saved;
    giveBack(t, posted.batch);
  }
  peer.sequence = 0;
  for (uint32_t i = p.links.remote->receiver(self).depth(); i; --i)
    post(t, number);
}

/// What was received into batches that nobody has taken is not theirs to free.
int32_t Receiver::close() {
  p.links.remote->drop(self);
  arenaFree(&tuple);
  for (Peer &peer : peers)
    for (; peer.head != peer.tail; ++peer.head) {
      Posted &posted = peer.posted[peer.head % peer.posted.size()];
      *posted.batch = posted.saved;
    }
  return 0;
}

NativeOp *makeReceiver(Program &p) { return new Receiver(p); }

} // namespace sluice
