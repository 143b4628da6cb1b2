//===- RetainingSender.cpp - sends each batch until it is acknowledged ----===//
#include "runtime/exec/delivery/Acknowledger.h"
#include "runtime/exec/delivery/Retained.h"
#include "runtime/exec/remote/Sender.h"

namespace sluice {

namespace {
/// Bytes of frames that a sender keeps until they are acknowledged, but for one.
constexpr size_t kRetainedBytes = 8 << 20;
constexpr size_t kStackBytes = 1 << 20;

/// Keeps frames until they are acknowledged, and waits where it has too many. A thread of its own
/// sends them again to a PE that was started again: no new batch may come until then.
class RetainingSender : public Sender {
public:
  explicit RetainingSender(Program &p)
      : Sender(p), retained(p.options.links.unacknowledged, kRetainedBytes) {}
  int32_t open() override;
  int32_t close() override;

private:
  void send(const Batch &, std::span<const Punctuation>) override;
  void finish() override;
  void lose() override;
  void use(std::unique_ptr<remote::SendLink>) override;
  void follow();
  void resume();
  void enter();
  template <class Done> bool await(Done done);

  os::Lock inside; // for the link, the writer and what is retained
  Retained retained;
  os::Event ending;
  os::Thread follower;
};
} // namespace

int32_t RetainingSender::open() {
  if (int32_t result = Sender::open())
    return result;
  if (!link)
    p.links.acknowledger->lose(retained);
  follower = os::Thread([this] { follow(); }, kStackBytes);
  return 0;
}

int32_t RetainingSender::close() {
  ending.raise();
  follower.join();
  return Sender::close();
}

void RetainingSender::use(std::unique_ptr<remote::SendLink> made) {
  Sender::use(std::move(made));
  p.links.acknowledger->listen(retained, link->acknowledgements());
}

void RetainingSender::lose() {
  p.links.acknowledger->lose(retained);
  link.reset();
  p.links.remote->callSender(self); // who was started again may have called before open() was over
}

//===--- by the follower ------------------------------------------------------===//

void RetainingSender::follow() {
  for (;;) {
    os::sleepOn({&returned, &retained.gone, &ending}, -1);
    if (ending.raised())
      return;
    os::Held held(inside);
    retained.gone.lower();
    if (link && (returned.raised() || retained.isLost()))
      lose();
    if (returned.raised())
      resume();
    retained.moved.raise(); // await() looks again
  }
}

/// The other PE was started again: sends it what is not acknowledged.
void RetainingSender::resume() {
  use(takeOffered());
  const uint64_t count = retained.count();
  Amount again;
  for (uint64_t i = 0; i < count; ++i)
    again.add(retained.frame(i).rows);
  if (count)
    sl_warn(ctx, desc, "PE %u was started again: of this stream %s are sent again", otherPe(),
            again.text().c_str());
  link->tell(nullptr); // this thread is not inside the graph
  for (uint64_t i = 0; i < count && link; ++i) {
    Retained::Frame frame = retained.frame(i);
    remote::renumber(frame.bytes, i);
    remote::Piece whole = {frame.bytes.data(), frame.bytes.size()};
    transmit({&whole, 1}, frame.rows);
  }
  if (link)
    link->tell(&sleep);
  writer->continueAt(count);
}

//===--- by who is inside the domain --------------------------------------------===//

/// The follower may be inside for as long as the other PE takes.
void RetainingSender::enter() {
  if (inside.tryLock())
    return;
  sleep.beginSleep();
  inside.lock();
  sleep.endSleep();
}

/// Waits until `done`; others may be inside meanwhile. False: it will not be, as the other PE does
/// not come back.
template <class Done> bool RetainingSender::await(Done done) {
  while (!done()) {
    if (p.end.failed.raised() || (!link && (!mayReturn() || p.end.stop.raised())))
      return false;
    if (link && retained.isLost())
      lose();
    retained.beginWait();
    if (!done() && !(link && retained.isLost())) {
      const os::Event &stop = link ? p.end.failed : p.end.stop;
      inside.unlock();
      sleep.beginSleep();
      os::sleepOn({&retained.moved, &p.end.failed, &stop}, -1);
      sleep.endSleep();
      enter();
    }
    retained.endWait();
  }
  return true;
}

/// A batch is dropped where the other PE does not come back.
void RetainingSender::send(const Batch &b, std::span<const Punctuation> puncts) {
  enter();
  auto mayTake = [&] { return link || (mayReturn() && !p.end.stop.raised()); };
  if (await([&] { return mayTake() && retained.hasRoom(); })) {
    std::span<const remote::Piece> frame = writer->write(b, puncts);
    retained.add(frame, b.rows, b.receipt);
    if (link)
      transmit(frame, b.rows);
  }
  inside.unlock();
}

/// The end is sent when all is acknowledged: who has taken it may end, and what was not done by
/// then would be lost.
void RetainingSender::finish() {
  enter();
  while (await([&] { return link && retained.isEmpty(); })) {
    p.links.acknowledger->forget(retained);
    if (link->finish() == remote::SendLink::Result::Sent)
      break;
    lose();
  }
  inside.unlock();
}

Sender *makeRetainingSender(Program &p) { return new RetainingSender(p); }

} // namespace sluice
