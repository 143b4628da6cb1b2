//===- PeerSendLink.cpp - the sender's end of a link -------------------------===//
#include "runtime/remote/link/Patience.h"
#include "runtime/remote/link/PeerLink.h"
#include "runtime/remote/link/Wire.h"

namespace sluice::remote {

static WaitOptions senderWaits(const LinkOptions &options) {
  // A sender has nothing to gather: it waits for one event, a credit.
  return {options.wait == Wait::Poll ? Wait::Poll : Wait::Interrupt};
}

/// Bytes for which kernels have room between two processes, whether the receiver looks or not.
static constexpr uint64_t kAlwaysRoom = 32 << 10;
/// ns for which the last word of a receiver is waited for that has closed the socket of the frames.
static constexpr int64_t kLastWord = os::kNanos;

struct PeerSendLink::Impl {
  LinkOptions options;
  SenderCredits credits;
  std::unique_ptr<Worker> worker;
  Socket control;
  Patience patience;
  struct CreditSlot {
    wire::Credit message;
    Operation receive;
  };
  std::vector<CreditSlot> slots; // receives for credits, a ring
  size_t oldest = 0, posted = 0;
  uint64_t frames = 0;
  uint64_t unsure = 0;     // bytes that were sent since the receiver was known to have nearly all
  bool hears;              // it reads the control socket itself
  bool taken = false;      // the receiver has said that it has all frames
  int64_t creditNanos = 0; // waited for credits
  Result state = Result::Sent;

  Impl(const LinkOptions &options, int stop, Socket control, std::unique_ptr<Worker> worker)
      : options(options), credits(options.credits), worker(std::move(worker)),
        control(std::move(control)), patience(senderWaits(options), stop),
        slots(options.credits.sound().window), hears(!options.acknowledges) {}

  void watch();
  bool takeCredits();
  void postReceives();
  bool lookAtControl();
  Result give(Result why);
  Result giveUp();
  template <class Done> Result await(Done done, bool pending);
  Result awaitCredit();
  Result complete(Operation);
  Result transmit(uint64_t tag, std::span<const Piece> message);
  Result transmitFrame(std::span<const Piece> frame, size_t bytes);
};

/// Nothing more is sent. What was begun is abandoned: its memory is the caller's.
PeerSendLink::Result PeerSendLink::Impl::give(Result why) {
  lookAtControl(); // the receiver's last word may be there
  worker.reset();
  control.close();
  return state = why;
}

/// The frames have no receiver any more. Whether it has taken all of them is said on the control
/// socket, which another way may bring later.
PeerSendLink::Result PeerSendLink::Impl::giveUp() {
  const int word[] = {control.descriptor()};
  if (!taken)
    awaitReadable(word, kLastWord);
  return give(Result::PeerGone);
}

/// Says anew what is waited for.
void PeerSendLink::Impl::watch() {
  patience.clear();
  patience.add(worker.get(), control.descriptor(), !hears);
}

void PeerSendLink::Impl::postReceives() {
  for (uint32_t n = credits.refill(); n; --n, ++posted) {
    CreditSlot &slot = slots[posted % slots.size()];
    slot.receive = worker->receive(wire::kCredit, wire::kExact, &slot.message, sizeof slot.message);
  }
}

/// False: the receiver breaks the protocol, or cannot be reached.
bool PeerSendLink::Impl::takeCredits() {
  for (; oldest < posted; ++oldest) {
    CreditSlot &slot = slots[oldest % slots.size()];
    Worker::Received received;
    Progress progress = worker->check(slot.receive, received);
    if (progress == Progress::Pending)
      break;
    if (progress == Progress::Failed || received.bytes != sizeof slot.message ||
        slot.message.buffers > UINT32_MAX || !credits.granted(uint32_t(slot.message.buffers)))
      return false;
    if (credits.caughtUp())
      unsure = 0;
  }
  postReceives();
  return true;
}

/// False: the receiver has gone.
bool PeerSendLink::Impl::lookAtControl() {
  if (!hears)
    return !isHungUp(control);
  char byte;
  int64_t n = readSome(control, &byte, 1);
  if (n > 0 && byte == wire::kTaken)
    taken = true;
  return n > 0 ? byte == wire::kTaken : n == -EAGAIN;
}

/// Waits until `done`. `pending`: for something that was begun here.
template <class Done> PeerSendLink::Result PeerSendLink::Impl::await(Done done, bool pending) {
  for (;;) {
    if (!takeCredits())
      return give(Result::PeerGone);
    if (done())
      return Result::Sent;
    if (worker->progress())
      continue;
    if (worker->isGone())
      return giveUp();
    switch (patience.wait(pending)) {
    case Patience::Woken::Again:
      break;
    case Patience::Woken::Stopped:
      return give(Result::Stopped);
    case Patience::Woken::Control:
      if (!lookAtControl())
        return give(Result::PeerGone);
    }
  }
}

PeerSendLink::Result PeerSendLink::Impl::awaitCredit() {
  int64_t since = credits.maySend() ? 0 : os::now();
  Result result = await([this] { return credits.maySend(); }, /*pending=*/false);
  creditNanos += since ? os::now() - since : 0;
  return result;
}

PeerSendLink::Result PeerSendLink::Impl::complete(Operation operation) {
  Progress progress = Progress::Pending;
  Result result = await(
      [&] {
        progress = worker->check(operation);
        return progress != Progress::Pending;
      },
      /*pending=*/worker->lingers());
  if (result == Result::Sent && progress == Progress::Failed)
    return give(Result::PeerGone);
  return result;
}

PeerSendLink::Result PeerSendLink::Impl::transmit(uint64_t tag, std::span<const Piece> message) {
  return complete(worker->send(tag, message));
}

/// A frame that has left this process when it returns: nobody need look at it again. Where a worker
/// may keep the last part of a message, as UCX does if the kernel has no room for it, a second
/// message has room when that part is gone. A flush would do as well, but waits for the receiver.
PeerSendLink::Result PeerSendLink::Impl::transmitFrame(std::span<const Piece> frame, size_t bytes) {
  Result result = transmit(wire::kFrame, frame);
  unsure += bytes;
  if (result != Result::Sent || unsure <= kAlwaysRoom || !worker->lingers())
    return result;
  Piece nothing = {nullptr, 0};
  return transmit(wire::kProbe, {&nothing, 1});
}

PeerSendLink::PeerSendLink(const LinkOptions &options, int stop, Socket control,
                           std::unique_ptr<Worker> worker)
    : impl(std::make_unique<Impl>(options, stop, std::move(control), std::move(worker))) {
  impl->watch();
  impl->postReceives();
}
PeerSendLink::~PeerSendLink() = default;

Socket PeerSendLink::acknowledgements() const { return impl->control.duplicate(); }

void PeerSendLink::tell(Sleeper *sleeper) { impl->patience.tell(sleeper); }

int64_t PeerSendLink::creditNanos() const { return impl->creditNanos; }

PeerSendLink::Result PeerSendLink::send(std::span<const Piece> frame) {
  Impl &m = *impl;
  if (m.state != Result::Sent || m.taken)
    return m.taken ? Result::PeerGone : m.state;
  if (m.options.restarts && !m.lookAtControl()) // frames would go into memory of nobody
    return m.give(Result::PeerGone);
  size_t bytes = 0;
  for (const Piece &piece : frame)
    bytes += piece.bytes;
  if (Result waited = m.awaitCredit(); waited != Result::Sent)
    return waited;
  m.credits.begin();
  Result result;
  if (bytes <= m.options.room) {
    result = m.transmitFrame(frame, bytes);
  } else {
    wire::Large large = {bytes};
    Piece announcement = {&large, sizeof large};
    result = m.transmit(wire::kLarge, {&announcement, 1});
    if (result == Result::Sent)
      result = m.transmit(wire::kBody, frame);
  }
  m.credits.complete();
  ++m.frames;
  return result;
}

uint32_t PeerSendLink::onTheWay() const {
  uint32_t used = impl->options.credits.sound().ring - impl->credits.credits();
  return uint32_t(std::min<uint64_t>(used, impl->frames));
}

PeerSendLink::Result PeerSendLink::finish() {
  Impl &m = *impl;
  if (m.state != Result::Sent || m.taken)
    return m.state;
  m.hears = true;
  m.watch();
  wire::End end = {m.frames};
  Piece message = {&end, sizeof end};
  Result result = m.transmit(wire::kEnd, {&message, 1});
  if (result == Result::Sent)
    result = m.await([&] { return m.taken; }, false);
  return m.state = m.taken ? Result::Sent : result;
}

} // namespace sluice::remote
