//===- PeerReceiveLink.cpp - the receiver's end of a link --------------------===//
#include "runtime/remote/link/Patience.h"
#include "runtime/remote/link/PeerLink.h"
#include "runtime/remote/link/Wire.h"
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <poll.h>

namespace sluice::remote {

/// ns for which what a dead peer has sent may still arrive.
static constexpr int64_t kDrain = os::kNanos / 20;

namespace {

/// A buffer that was posted.
struct Slot {
  void *memory;
  Operation receive;
};

/// One sender. It has a worker of its own, so that one that dies while it writes to memory that is
/// shared harms no other.
struct Peer {
  std::unique_ptr<Worker> worker; // null until it has come
  ReceiverCredits credits;
  Socket control;
  std::vector<Slot> ring;
  size_t head = 0, tail = 0; // of the buffers that are posted
  uint64_t frames = 0;       // that were taken
  wire::End end = {};
  Operation ending;  // receives `end`
  Operation probe;   // receives what is only sent to find room
  bool last = false; // `end` is there
  struct Granting {
    wire::Credit message;
    Operation send;
  };
  std::array<Granting, 16> grants; // credits that are on their way
  bool granting = false;           // one of them is not sent
  void *large = nullptr;           // memory of a large frame that is being received
  wire::Large announced = {};
  Operation body;
  int64_t goneAt = -1; // when the control socket ended
  bool over = false;
  bool ended = false; // it will not come: to be told

  explicit Peer(const LinkOptions &options)
      : credits(options.credits, options.credits.sound().ring - options.depth()),
        ring(options.depth()), room(options.room) {}
  Peer(const Peer &) = delete; // the worker has the address of `end`
  ~Peer() {
    worker.reset(); // before its memory
    std::free(large);
  }

  void come(Socket, std::unique_ptr<Worker>);
  void awaitFrame(Slot &);
  void grant();
  void dropProbes();
  void close();

  size_t room; // bytes of a buffer
};

} // namespace

/// The sender has come: everything that is posted waits for it.
void Peer::come(Socket socket, std::unique_ptr<Worker> to) {
  control = std::move(socket);
  worker = std::move(to);
  ending = worker->receive(wire::kEnd, wire::kExact, &end, sizeof end);
  for (size_t i = head; i < tail; ++i)
    awaitFrame(ring[i % ring.size()]);
}

void Peer::awaitFrame(Slot &slot) {
  slot.receive = worker->receive(wire::kFrame, wire::kFrameMask, slot.memory, room);
}

/// Tells the sender of frames for which there is room.
void Peer::grant() {
  if (!granting && !credits.due())
    return;
  granting = false;
  Granting *free = nullptr;
  for (Granting &each : grants)
    if (worker->check(each.send) == Progress::Pending)
      granting = true;
    else
      free = &each;
  if (uint32_t due = credits.due(); due && free) {
    free->message.buffers = due;
    Piece message = {&free->message, sizeof free->message};
    free->send = worker->send(wire::kCredit, {&message, 1});
    granting |= free->send.handle != nullptr;
    credits.say(due);
  }
}

void Peer::dropProbes() {
  Worker::Received received;
  while (!probe.handle || worker->check(probe, received) != Progress::Pending)
    probe = worker->receive(wire::kProbe, wire::kExact, nullptr, 0);
}

void Peer::close() {
  over = true;
  worker.reset();
  control.close();
}

struct PeerReceiveLink::Impl {
  LinkOptions options;
  std::vector<std::unique_ptr<Peer>> peers;
  std::vector<Seat> seats; // guarded by the lock; all are free at first
  Patience patience;
  int stop;
  uint32_t turn = 0;   // the peer that is looked at first
  Socket bell, ringer; // rung by attach()
  int until = -1;      // senders that have not come when it can be read are not waited for
  mutable os::Lock lock;
  struct Arrival {
    uint32_t peer;
    Socket control;
    std::unique_ptr<Worker> worker;
  };
  std::vector<Arrival> arrivals; // guarded by the lock

  Impl(const LinkOptions &options, int stop)
      : options(options), patience({options.wait, options.sleepNanos, options.latencyNanos,
                                    options.credits.sound().ring},
                                   stop),
        stop(stop) {}

  void leave(uint32_t number, Seat);
  Result lose(uint32_t number, Result why);
  void watch();
  void admit();
  std::optional<Result> look(uint32_t number, Frame &);
  std::optional<Result> takeHead(Peer &, Frame &);
  std::optional<Result> takeLarge(Peer &, Frame &);
  bool progress();
  void lookAtControls();
  bool pending() const;
};

/// The peer is over.
void PeerReceiveLink::Impl::leave(uint32_t number, Seat seat) {
  peers[number]->close();
  if (seat == Seat::Free)
    peers[number] = std::make_unique<Peer>(options);
  watch();
  os::Held held(lock);
  seats[number] = seat;
}

PeerReceiveLink::Result PeerReceiveLink::Impl::lose(uint32_t number, Result why) {
  if (peers[number]->control)
    shutDown(peers[number]->control); // who acknowledges has it as well
  leave(number, options.restarts ? Seat::Free : Seat::Closed);
  return options.restarts ? Result::Renewed : why;
}

/// Says anew what is waited for.
void PeerReceiveLink::Impl::watch() {
  patience.clear();
  patience.add(nullptr, bell.descriptor());
  patience.add(nullptr, until);
  for (auto &peer : peers)
    if (!peer->over)
      patience.add(peer->worker.get(), peer->goneAt < 0 ? peer->control.descriptor() : -1);
}

/// Lets those in that attach() has announced.
void PeerReceiveLink::Impl::admit() {
  char bytes[64];
  if (readSome(bell, bytes, sizeof bytes) <= 0)
    return;
  std::vector<Arrival> now;
  {
    os::Held held(lock);
    now.swap(arrivals);
  }
  for (Arrival &arrival : now) {
    Peer &peer = *peers[arrival.peer];
    if (!peer.over && !peer.worker) // else its socket is closed
      peer.come(std::move(arrival.control), std::move(arrival.worker));
  }
  watch();
}

void PeerReceiveLink::Impl::lookAtControls() {
  admit();
  pollfd file = {until, POLLIN, 0};
  if (until >= 0 && poll(&file, 1, 0) > 0) {
    until = -1;
    for (auto &peer : peers)
      if (!peer->over && !peer->control)
        peer->goneAt = 0;
    options.restarts = false;
  }
  for (auto &each : peers) {
    Peer &peer = *each;
    char byte;
    if (peer.over || !peer.control || peer.goneAt >= 0)
      continue;
    int64_t n = readSome(peer.control, &byte, 1); // senders say nothing there
    if (n != -EAGAIN)
      peer.goneAt = os::now();
  }
  watch();
}

std::optional<PeerReceiveLink::Result> PeerReceiveLink::Impl::takeLarge(Peer &peer, Frame &frame) {
  Worker::Received received;
  Progress progress = peer.worker->check(peer.body, received);
  if (progress == Progress::Pending)
    return std::nullopt;
  if (progress == Progress::Failed || received.bytes != peer.announced.bytes)
    return Result::Broken;
  frame.memory = std::exchange(peer.large, nullptr);
  frame.bytes = received.bytes;
  frame.spare = peer.ring[peer.head++ % peer.ring.size()].memory;
  ++peer.frames;
  return Result::Frame;
}

/// What is in the oldest buffer, if something is.
std::optional<PeerReceiveLink::Result> PeerReceiveLink::Impl::takeHead(Peer &peer, Frame &frame) {
  if (peer.head == peer.tail)
    return std::nullopt;
  Slot &slot = peer.ring[peer.head % peer.ring.size()];
  Worker::Received received;
  Progress progress = peer.worker->check(slot.receive, received);
  if (progress == Progress::Pending)
    return std::nullopt;
  if (progress == Progress::Failed)
    return Result::Broken;
  if (received.tag == wire::kFrame) {
    frame.memory = slot.memory;
    frame.bytes = received.bytes;
    frame.spare = nullptr;
    ++peer.head, ++peer.frames;
    return Result::Frame;
  }
  if (received.bytes != sizeof peer.announced)
    return Result::Broken;
  memcpy(&peer.announced, slot.memory, sizeof peer.announced);
  size_t bytes = peer.announced.bytes;
  if (bytes <= options.room || bytes > options.largest)
    return Result::Broken;
  peer.large = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (!peer.large)
    return Result::Broken;
  peer.body = peer.worker->receive(wire::kBody, wire::kExact, peer.large, bytes);
  return takeLarge(peer, frame);
}

std::optional<PeerReceiveLink::Result> PeerReceiveLink::Impl::look(uint32_t number, Frame &frame) {
  Peer &peer = *peers[number];
  if (peer.ended) {
    leave(number, Seat::Closed);
    return Result::Ended;
  }
  if (!peer.worker)
    return peer.goneAt < 0 ? std::nullopt : std::optional(lose(number, Result::PeerGone));
  if (auto taken = peer.large ? takeLarge(peer, frame) : takeHead(peer, frame))
    return *taken == Result::Broken ? lose(number, *taken) : *taken;
  if (!peer.last) {
    Worker::Received received;
    Progress progress = peer.worker->check(peer.ending, received);
    peer.last = progress == Progress::Done && received.bytes == sizeof peer.end;
  }
  if (peer.last && peer.frames == peer.end.frames) {
    std::byte taken{wire::kTaken};
    writeAll(peer.control, {&taken, 1}, 0);
    leave(number, Seat::Closed);
    return Result::Ended;
  }
  if (peer.goneAt >= 0 && peer.worker->isGone())
    return lose(number, Result::PeerGone);
  // Whoever receives may have been away for longer than that, and more may be there. A look that
  // finds nothing may have spared a call (SocketStream); the second one is sure.
  if (peer.goneAt >= 0 && os::now() - peer.goneAt > kDrain && !peer.worker->progress() &&
      !peer.worker->progress())
    return lose(number, Result::PeerGone);
  return std::nullopt;
}

bool PeerReceiveLink::Impl::progress() {
  bool moved = false;
  for (auto &peer : peers)
    if (peer->over || !peer->worker) {
      continue;
    } else if (peer->worker->progress()) {
      moved = true;
      if (peer->goneAt >= 0)
        peer->goneAt = os::now(); // what it has sent still arrives
    } else if (peer->goneAt < 0 && peer->worker->isGone()) {
      peer->goneAt = os::now();
    }
  return moved;
}

/// Something moves on only if it is looked at.
bool PeerReceiveLink::Impl::pending() const {
  for (const auto &peer : peers)
    if (!peer->over && (peer->granting || peer->goneAt >= 0 || peer->large || peer->ended))
      return true;
  return false;
}

PeerReceiveLink::PeerReceiveLink(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
PeerReceiveLink::~PeerReceiveLink() = default;

std::unique_ptr<PeerReceiveLink> PeerReceiveLink::make(const LinkOptions &options, uint32_t peers,
                                                       int stop, std::string &error) {
  auto made = std::make_unique<Impl>(options, stop);
  if (int failed = socketPair(made->bell, made->ringer)) {
    error = "cannot make a socket: " + os::errorText(-failed);
    return nullptr;
  }
  made->seats.resize(peers);
  for (uint32_t i = 0; i < peers; ++i)
    made->peers.push_back(std::make_unique<Peer>(options));
  made->watch();
  return std::unique_ptr<PeerReceiveLink>(new PeerReceiveLink(std::move(made)));
}

PeerReceiveLink::Seat PeerReceiveLink::seat(uint32_t peer) const {
  os::Held held(impl->lock);
  return impl->seats[peer];
}

void PeerReceiveLink::close(uint32_t peer) {
  os::Held held(impl->lock);
  if (impl->seats[peer] == Seat::Taken)
    return; // it has come, and says itself when it ends
  impl->peers[peer]->ended = true;
  impl->seats[peer] = Seat::Closed;
}

void PeerReceiveLink::expectUntil(int descriptor) {
  impl->until = descriptor;
  impl->watch();
}

void PeerReceiveLink::attach(uint32_t peer, Socket control, std::unique_ptr<Worker> worker) {
  {
    os::Held held(impl->lock);
    impl->seats[peer] = Seat::Taken;
    impl->arrivals.push_back({peer, std::move(control), std::move(worker)});
  }
  std::byte ring{};
  writeAll(impl->ringer, {&ring, 1}, os::kNanos);
}

Socket PeerReceiveLink::acknowledgements(uint32_t peer) const {
  return impl->peers[peer]->control.duplicate();
}

void PeerReceiveLink::tell(Sleeper *sleeper) { impl->patience.tell(sleeper); }

uint32_t PeerReceiveLink::depth() const { return impl->options.depth(); }

void PeerReceiveLink::post(uint32_t number, void *memory) {
  Peer &peer = *impl->peers[number];
  if (peer.over)
    return;
  Slot &slot = peer.ring[peer.tail++ % peer.ring.size()];
  slot.memory = memory;
  peer.credits.posted();
  if (!peer.worker)
    return;
  peer.awaitFrame(slot);
  peer.grant();
}

PeerReceiveLink::Result PeerReceiveLink::next(Frame &frame) {
  Impl &m = *impl;
  for (;;) {
    bool any = false;
    for (size_t i = 0; i < m.peers.size(); ++i) {
      uint32_t number = uint32_t((m.turn + i) % m.peers.size());
      Peer &peer = *m.peers[number];
      if (peer.over)
        continue;
      any = true;
      if (peer.worker) {
        peer.grant();
        if (peer.worker->lingers())
          peer.dropProbes();
      }
      if (auto told = m.look(number, frame)) {
        m.turn = number + 1;
        m.patience.found();
        frame.peer = number;
        return *told;
      }
    }
    if (!any)
      return Result::AllGone;
    if (m.progress())
      continue;
    switch (m.patience.wait(m.pending())) {
    case Patience::Woken::Again:
      break;
    case Patience::Woken::Stopped:
      return Result::Stopped;
    case Patience::Woken::Control:
      m.lookAtControls();
    }
  }
}

void ReceiveLink::freeLarge(void *memory) { std::free(memory); }

} // namespace sluice::remote
