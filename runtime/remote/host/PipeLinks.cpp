//===- PipeLinks.cpp - links over the pipes of a host ---------------------===//
#include "runtime/remote/host/PipeLinks.h"
#include "runtime/remote/link/Patience.h"
#include <cstdlib>
#include <utility>

namespace sluice::remote {

//===--- the sender -----------------------------------------------------------------===//

SendLink::Result PipeSendLink::write(HostFrame type, std::span<const Piece> frame) {
  pieces.assign({Piece{&link, sizeof link}});
  pieces.insert(pieces.end(), frame.begin(), frame.end());
  switch (pipe.write(type, pieces, sleeper, stop, &waited)) {
  case HostPipe::Written::All:
    return Result::Sent;
  case HostPipe::Written::Stopped:
    return Result::Stopped;
  case HostPipe::Written::Gone:
    return Result::PeerGone;
  }
  __builtin_unreachable();
}

SendLink::Result PipeSendLink::send(std::span<const Piece> frame) {
  return write(HostFrame::Data, frame);
}

SendLink::Result PipeSendLink::finish() { return write(HostFrame::End, {}); }

//===--- the receiver ---------------------------------------------------------------===//

PipeReceiveLink::PipeReceiveLink(HostPipe &pipe, uint32_t receiver,
                                 const std::vector<uint32_t> &senders, const LinkOptions &options,
                                 const os::Event &stop)
    : pipe(pipe), receiver(receiver), options(options), stop(stop) {
  for (uint32_t pe : senders)
    peers.push_back(
        {.pe = pe, .credits = ReceiverCredits(options.credits), .posted = {}, .frames = {}});
}

PipeReceiveLink::~PipeReceiveLink() {
  for (Peer &peer : peers) {
    if (peer.coming.spare)
      freeLarge(peer.coming.memory);
    for (Frame &frame : peer.frames)
      if (frame.spare)
        freeLarge(frame.memory);
  }
}

int64_t PipeReceiveLink::numberOf(uint32_t sender) const {
  for (size_t i = 0; i < peers.size(); ++i)
    if (peers[i].pe == sender)
      return int64_t(i);
  return -1;
}

void PipeReceiveLink::ring() {
  if (std::exchange(waits, false))
    bell.raise();
}

void PipeReceiveLink::close(uint32_t peer) {
  os::Held held(lock);
  peers[peer].ended = peers[peer].told = true; // who restores it knows
}

void PipeReceiveLink::post(uint32_t number, void *memory) {
  Peer &peer = peers[number];
  {
    os::Held held(lock);
    peer.posted.push_back(memory);
  }
  peer.credits.posted();
  if (uint32_t due = peer.credits.due()) {
    peer.credits.say(due);
    HostLink link{receiver, peer.pe};
    Piece pieces[] = {{&link, sizeof link}, {&due, sizeof due}};
    pipe.write(HostFrame::Grant, pieces, sleeper, stop.descriptor());
  }
}

void *PipeReceiveLink::place(uint32_t sender, size_t bytes, std::string &wrong) {
  int64_t number = numberOf(sender);
  os::Held held(lock);
  if (number < 0 || peers[size_t(number)].ended) {
    wrong = "PE " + std::to_string(sender) + " sends nothing, or nothing more, over link " +
            std::to_string(receiver);
    return nullptr;
  }
  Peer &peer = peers[size_t(number)];
  if (peer.posted.empty() || bytes > options.largest || !bytes) {
    wrong = peer.posted.empty() ? "more frames come than were granted"
                                : "a frame has " + std::to_string(bytes) + " bytes";
    return nullptr;
  }
  void *memory = peer.posted.front();
  peer.coming = {uint32_t(number), memory, bytes};
  if (bytes > options.room) {
    peer.coming.spare = memory;
    peer.coming.memory = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!peer.coming.memory) {
      peer.coming.spare = nullptr;
      wrong = "there is no memory for a frame of " + std::to_string(bytes) + " bytes";
      return nullptr;
    }
  }
  peer.posted.pop_front();
  return peer.coming.memory;
}

void PipeReceiveLink::arrived(uint32_t sender) {
  os::Held held(lock);
  Peer &peer = peers[size_t(numberOf(sender))];
  peer.frames.push_back(std::exchange(peer.coming, {}));
  ring();
}

std::string PipeReceiveLink::ended(uint32_t sender, bool inOrder) {
  int64_t number = numberOf(sender);
  if (number < 0)
    return "PE " + std::to_string(sender) + " sends nothing over link " + std::to_string(receiver);
  os::Held held(lock);
  Peer &peer = peers[size_t(number)];
  if (std::exchange(peer.ended, true))
    return !inOrder ? "" // the end is known from a checkpoint, or has come before
                    : "link " + std::to_string(receiver) + " from PE " + std::to_string(sender) +
                          " ends twice";
  peer.inOrder = inOrder;
  ring();
  return "";
}

/// What there is to tell, by who holds the lock.
std::optional<ReceiveLink::Result> PipeReceiveLink::look(Frame &frame) {
  bool areAllTold = true;
  for (size_t i = 0; i < peers.size(); ++i) {
    size_t number = (turn + i) % peers.size();
    Peer &peer = peers[number];
    areAllTold &= peer.told;
    if (!peer.frames.empty()) {
      frame = peer.frames.front();
      peer.frames.pop_front();
      turn = number + 1;
      return Result::Frame;
    }
    if (peer.ended && !std::exchange(peer.told, true)) {
      frame = {uint32_t(number), nullptr, 0};
      return peer.inOrder ? Result::Ended : Result::PeerGone;
    }
  }
  return areAllTold ? std::optional(Result::AllGone) : std::nullopt;
}

ReceiveLink::Result PipeReceiveLink::next(Frame &frame) {
  for (;;) {
    if (stop.raised())
      return Result::Stopped;
    {
      os::Held held(lock);
      if (auto told = look(frame))
        return *told;
      bell.lower();
      waits = true;
    }
    if (sleeper)
      sleeper->beginSleep();
    os::sleepOn({&bell, &stop}, -1);
    if (sleeper)
      sleeper->endSleep();
  }
}

} // namespace sluice::remote
