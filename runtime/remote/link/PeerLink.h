//===- PeerLink.h - links between two processes -----------------*- C++ -*-===//
//
// README.md has the protocol.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/carrier/Worker.h"
#include "runtime/remote/link/Link.h"

namespace sluice::remote {

class PeerSendLink : public SendLink {
public:
  /// Of a worker and a control socket that lead to the receiver's end. `stop`: a descriptor that
  /// can be read when waits are to end; -1: there is none.
  PeerSendLink(const LinkOptions &, int stop, Socket control, std::unique_ptr<Worker>);
  ~PeerSendLink() override;

  void tell(Sleeper *) override;
  Socket acknowledgements() const override;
  Result send(std::span<const Piece> frame) override;
  Result finish() override;
  int64_t creditNanos() const override;
  uint32_t onTheWay() const override;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

class PeerReceiveLink : public ReceiveLink {
public:
  /// `peers`: how many will send. Null, and `error` says why.
  static std::unique_ptr<PeerReceiveLink> make(const LinkOptions &, uint32_t peers, int stop,
                                               std::string &error);
  ~PeerReceiveLink() override;

  /// Whether sender number `peer` is expected. Any thread.
  enum class Seat { Free, Taken, Closed };
  Seat seat(uint32_t peer) const;
  /// The sender of number `peer`, whose seat was free, has come. Any thread.
  void attach(uint32_t peer, Socket control, std::unique_ptr<Worker>);
  /// Senders that have not come when `descriptor` can be read are not waited for. Once, before the
  /// first next().
  void expectUntil(int descriptor);

  void close(uint32_t peer) override;
  void tell(Sleeper *) override;
  Socket acknowledgements(uint32_t peer) const override;
  uint32_t depth() const override;
  void post(uint32_t peer, void *memory) override;
  Result next(Frame &frame) override;

private:
  struct Impl;
  explicit PeerReceiveLink(std::unique_ptr<Impl>);
  std::unique_ptr<Impl> impl;
};

} // namespace sluice::remote
