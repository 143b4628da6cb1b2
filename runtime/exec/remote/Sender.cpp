//===- Sender.cpp - the operator that sends a stream to another PE --------===//
#include "runtime/exec/job/Job.h"
#include "runtime/exec/program/Program.h"
#include "runtime/exec/remote/Remote.h"
#include "runtime/remote/frame/Frame.h"

namespace sluice {

namespace {
/// Sends each batch as a frame, at once. By the thread that is inside its domain.
class Sender : public NativeOp {
public:
  explicit Sender(Program &p) : p(p), sleep(*this) {}
  int32_t open() override;
  int32_t batch(uint32_t port, const Batch &, const Punctuation *, uint32_t count) override;

private:
  void send(const Batch &, std::span<const Punctuation>);
  void lose();

  Program &p;
  uint32_t receiver = 0;
  std::unique_ptr<remote::Schema> schema;
  std::unique_ptr<remote::FrameWriter> writer;
  std::unique_ptr<remote::SendLink> link;
  LinkCounters *counters = nullptr;
  OperatorSleep sleep;
  bool gone = false; // the other PE is: what is sent to it is lost
};
} // namespace

int32_t Sender::open() {
  uint32_t sender = p.indexOf(desc);
  receiver = p.pes.receiver(sender);
  schema = std::make_unique<remote::Schema>(
      schemaOf(p.desc.outPorts[p.desc.operators[receiver].firstOut]));
  writer = std::make_unique<remote::FrameWriter>(*schema, p.options.job->id, receiver,
                                                 p.options.links.checksum);
  std::string error;
  link = p.remote->connect(sender, error);
  if (!link)
    return sl_error(ctx, "%s", error.c_str());
  link->tell(&sleep);
  counters = &p.links.emplace_back(LinkCounters{sender, p.pes.of(receiver), /*sends=*/true});
  return 0;
}

/// The other PE cannot be reached any more. This one goes on: others may take what it makes.
void Sender::lose() {
  if (!gone && !p.failing && !p.options.job->isWatched)
    sl_warn(ctx, desc, "PE %u is gone: what is sent to it is lost", p.pes.of(receiver));
  gone = true;
}

void Sender::send(const Batch &b, std::span<const Punctuation> puncts) {
  std::span<const remote::Piece> frame = writer->write(b, puncts);
  size_t bytes = 0;
  for (const remote::Piece &piece : frame)
    bytes += piece.bytes;
  if (link->send(frame) != remote::SendLink::Result::Sent)
    return lose();
  counters->frames.add(1);
  counters->tuples.add(b.rows);
  counters->bytes.add(bytes);
  counters->waited.set(uint64_t(link->creditNanos()));
}

int32_t Sender::batch(uint32_t, const Batch &b, const Punctuation *puncts, uint32_t count) {
  bool ends = count && isFinal(puncts[count - 1].kind);
  count -= ends;
  if (!gone && (b.rows || count))
    send(b, {puncts, count});
  if (!gone && ends && link->finish() != remote::SendLink::Result::Sent)
    lose();
  return 0;
}

NativeOp *makeSender(Program &p) { return new Sender(p); }

} // namespace sluice
