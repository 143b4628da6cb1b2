//===- Link.h - frames from one PE to another -------------------*- C++ -*-===//
//
// A SendLink sends frames to a ReceiveLink of another PE, which gets them in order, each in a
// buffer that it has posted before. Several SendLinks may send to one ReceiveLink. Each end is used
// by one thread at a time, except where it says otherwise. They go from PE to PE (PeerLink.h), or
// over the pipes of a host (host/PipeLinks.h).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/remote/Piece.h"
#include "runtime/remote/link/LinkOptions.h"
#include "runtime/remote/peer/Socket.h"

namespace sluice::remote {

/// Told of sleeps of the thread that uses an end of a link (Patience.h).
class Sleeper;

class SendLink {
public:
  enum class Result { Sent, PeerGone, Stopped };
  virtual ~SendLink() = default;

  virtual void tell(Sleeper *) = 0;
  /// With LinkOptions::acknowledges: the control socket, to hear what is acknowledged. Not while
  /// finish() runs.
  virtual Socket acknowledgements() const = 0;
  /// Waits for room and sends one frame. The pieces may be reused when it returns. After another
  /// result than Sent nothing more can be sent.
  virtual Result send(std::span<const Piece> frame) = 0;
  /// Says that there are no more frames, and waits until who carries them has taken all of them.
  virtual Result finish() = 0;
  /// ns that send() has waited for room.
  virtual int64_t creditNanos() const = 0;
  /// How many of the last frames the receiver may not have consumed.
  virtual uint32_t onTheWay() const = 0;
};

class ReceiveLink {
public:
  enum class Result {
    Frame,    // there is one
    Ended,    // a peer has sent its last frame, and all were taken
    PeerGone, // a peer has died or closed; all that arrived was taken
    Broken,   // a peer did not keep to the protocol, and is cut off
    Renewed,  // as PeerGone, and it may come back: its buffers are free, and are to be posted anew
    AllGone,  // every peer has ended in one of these ways, each of which was told
    Stopped
  };
  virtual ~ReceiveLink() = default;

  /// The sender of number `peer` has sent all before this process was started again: it will not
  /// come, unless it has. Before the first next().
  virtual void close(uint32_t peer) = 0;
  virtual void tell(Sleeper *) = 0;
  /// The control socket of a peer that has sent a frame, to acknowledge those.
  virtual Socket acknowledgements(uint32_t peer) const = 0;
  /// How many buffers it needs for each peer. What comes and finds none stays where the sender has
  /// put it.
  virtual uint32_t depth() const = 0;
  /// Gives a buffer of `room` bytes for frames of a peer. Post `depth` of them before the first
  /// next(), then another one for each frame that was consumed, which is a credit.
  virtual void post(uint32_t peer, void *memory) = 0;
  struct Frame {
    uint32_t peer;
    void *memory; // that was posted, or memory of its own if the frame is large
    size_t bytes;
    void *spare = nullptr; // the frame is large: the buffer that was posted. The frame itself is to
                           // be given to freeLarge()
  };
  /// Waits for something to tell. Frames of one peer come in order. Everything but Frame and
  /// Stopped sets `frame.peer` only.
  virtual Result next(Frame &frame) = 0;
  static void freeLarge(void *memory);
};

} // namespace sluice::remote
