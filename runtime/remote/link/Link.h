//===- Link.h - frames from one PE to another -------------------*- C++ -*-===//
//
// A SendLink sends frames to a ReceiveLink of another PE, which gets them in order, each in a
// buffer that it has posted before. Several SendLinks may send to one ReceiveLink. Each end is used
// by one thread at a time, except where it says otherwise. README.md has the protocol.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/remote/Piece.h"
#include "runtime/remote/link/LinkOptions.h"
#include "runtime/remote/peer/Hello.h"
#include "runtime/remote/peer/Socket.h"

namespace sluice::remote {

/// Told of sleeps of the thread that uses an end of a link (Patience.h).
class Sleeper;

class SendLink {
public:
  enum class Result { Sent, PeerGone, Stopped };
  /// Null, and `error` says why. `stop`: a descriptor that can be read when waits are to end; -1:
  /// there is none.
  static std::unique_ptr<SendLink> make(const LinkOptions &, int stop, std::string &error);
  ~SendLink();

  /// The address of this end, for Hello.
  Bytes address() const;
  /// Of the receiver's end, by introduce(). What is wrong, if there is no way to it.
  std::optional<std::string> connect(Socket control, std::span<const std::byte> address);
  void tell(Sleeper *);
  /// With LinkOptions::acknowledges: the control socket, to hear what is acknowledged. Not while
  /// finish() runs.
  Socket acknowledgements() const;
  /// Waits for a credit and sends one frame. The pieces may be reused when it returns. After
  /// another result than Sent nothing more can be sent.
  Result send(std::span<const Piece> frame);
  /// Says that there are no more frames, and waits until the receiver has taken all of them.
  Result finish();
  /// ns that send() has waited for credits.
  int64_t creditNanos() const;
  /// How many of the last frames the receiver may not have consumed.
  uint32_t onTheWay() const;

private:
  struct Impl;
  explicit SendLink(std::unique_ptr<Impl>);
  std::unique_ptr<Impl> impl;
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
  /// `peers`: how many will send.
  static std::unique_ptr<ReceiveLink> make(const LinkOptions &, uint32_t peers, int stop,
                                           std::string &error);
  ~ReceiveLink();

  /// Whether sender number `peer` is expected, and the address that it needs. Any thread.
  struct Seat {
    enum class State { Free, Taken, Closed } state;
    Bytes address; // of a free one
  };
  Seat seat(uint32_t peer) const;
  /// The sender of number `peer` was accepted for its seat, which was free. Any thread.
  void attach(uint32_t peer, Socket control, Bytes address);
  /// The sender of number `peer` has sent all before this process was started again: it will not
  /// come. Before the first next().
  void close(uint32_t peer);
  /// Senders that have not come when `descriptor` can be read are not waited for. Once, before the
  /// first next().
  void expectUntil(int descriptor);

  void tell(Sleeper *);
  /// The control socket of a peer that has sent a frame, to acknowledge those.
  Socket acknowledgements(uint32_t peer) const;
  /// Gives a buffer of `room` bytes for frames of a peer. Post `ring` of them before the first
  /// next(), then another one for each frame that was consumed: each is a credit.
  void post(uint32_t peer, void *memory);
  struct Frame {
    uint32_t peer;
    void *memory; // that was posted, or memory of its own if the frame is large
    size_t bytes;
    void *spare = nullptr; // the frame is large: the buffer that was posted. The frame itself is to
                           // be given to freeLarge()
  };
  /// Waits for something to tell. Frames of one peer come in order. Everything but Frame and
  /// Stopped sets `frame.peer` only.
  Result next(Frame &frame);
  static void freeLarge(void *memory);

private:
  struct Impl;
  explicit ReceiveLink(std::unique_ptr<Impl>);
  std::unique_ptr<Impl> impl;
};

} // namespace sluice::remote
