//===- PeerLink.h - links over UCX -------------------------------*- C++ -*-===//
//
// README.md has the protocol.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/link/Link.h"
#include "runtime/remote/peer/Hello.h"

namespace sluice::remote {

class PeerSendLink : public SendLink {
public:
  /// Null, and `error` says why. `stop`: a descriptor that can be read when waits are to end; -1:
  /// there is none.
  static std::unique_ptr<PeerSendLink> make(const LinkOptions &, int stop, std::string &error);
  ~PeerSendLink() override;

  /// The address of this end, for Hello.
  Bytes address() const;
  /// Of the receiver's end, by introduce(). What is wrong, if there is no way to it.
  std::optional<std::string> connect(Socket control, std::span<const std::byte> address);

  void tell(Sleeper *) override;
  Socket acknowledgements() const override;
  Result send(std::span<const Piece> frame) override;
  Result finish() override;
  int64_t creditNanos() const override;
  uint32_t onTheWay() const override;

private:
  struct Impl;
  explicit PeerSendLink(std::unique_ptr<Impl>);
  std::unique_ptr<Impl> impl;
};

class PeerReceiveLink : public ReceiveLink {
public:
  /// `peers`: how many will send.
  static std::unique_ptr<PeerReceiveLink> make(const LinkOptions &, uint32_t peers, int stop,
                                               std::string &error);
  ~PeerReceiveLink() override;

  /// Whether sender number `peer` is expected, and the address that it needs. Any thread.
  struct Seat {
    enum class State { Free, Taken, Closed } state;
    Bytes address; // of a free one
  };
  Seat seat(uint32_t peer) const;
  /// The sender of number `peer` was accepted for its seat, which was free. Any thread.
  void attach(uint32_t peer, Socket control, Bytes address);
  /// Senders that have not come when `descriptor` can be read are not waited for. Once, before the
  /// first next().
  void expectUntil(int descriptor);

  void close(uint32_t peer) override;
  void tell(Sleeper *) override;
  Socket acknowledgements(uint32_t peer) const override;
  void post(uint32_t peer, void *memory) override;
  Result next(Frame &frame) override;

private:
  struct Impl;
  explicit PeerReceiveLink(std::unique_ptr<Impl>);
  std::unique_ptr<Impl> impl;
};

} // namespace sluice::remote
