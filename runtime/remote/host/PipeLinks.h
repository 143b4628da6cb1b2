//===- PipeLinks.h - links over the pipes of a host -------------*- C++ -*-===//
#pragma once
#include "runtime/remote/host/HostPipe.h"
#include "runtime/remote/link/Link.h"
#include <deque>
#include <vector>

namespace sluice::remote {

class PipeSendLink : public SendLink {
public:
  /// `stop`: a descriptor that can be read when waits are to end.
  PipeSendLink(HostPipe &pipe, HostLink link, int stop) : pipe(pipe), link(link), stop(stop) {}

  void tell(Sleeper *told) override { sleeper = told; }
  Socket acknowledgements() const override { return {}; }
  Result send(std::span<const Piece> frame) override;
  /// The host keeps the order: the end arrives behind all frames.
  Result finish() override;
  int64_t creditNanos() const override { return waited; }
  uint32_t onTheWay() const override { return 0; } // the host does not say

private:
  Result write(HostFrame, std::span<const Piece>);

  HostPipe &pipe;
  HostLink link;
  int stop;
  Sleeper *sleeper = nullptr;
  int64_t waited = 0; // ns
  std::vector<Piece> pieces;
};

class PipeReceiveLink : public ReceiveLink, public Inbox {
public:
  /// `senders`: the PEs that send, by number of the peer. `stop` is raised when waits are to end.
  PipeReceiveLink(HostPipe &, uint32_t receiver, const std::vector<uint32_t> &senders,
                  const LinkOptions &, const os::Event &stop);
  ~PipeReceiveLink() override;

  void close(uint32_t peer) override;
  void tell(Sleeper *told) override { sleeper = told; }
  Socket acknowledgements(uint32_t) const override { return {}; }
  uint32_t depth() const override { return options.credits.sound().ring; }
  void post(uint32_t peer, void *memory) override;
  Result next(Frame &frame) override;

  void *place(uint32_t sender, size_t bytes, std::string &wrong) override;
  void arrived(uint32_t sender) override;
  std::string ended(uint32_t sender, bool inOrder) override;

private:
  struct Peer {
    uint32_t pe;
    ReceiverCredits credits;   // by who receives
    std::deque<void *> posted; // guarded, as the rest
    std::deque<Frame> frames;  // that have arrived
    Frame coming = {};         // that is being read
    bool ended = false, inOrder = true, told = false;
  };
  int64_t numberOf(uint32_t sender) const;
  std::optional<Result> look(Frame &);
  void ring();

  HostPipe &pipe;
  const uint32_t receiver;
  const LinkOptions options;
  const os::Event &stop;
  Sleeper *sleeper = nullptr;
  size_t turn = 0; // the peer that is looked at first
  os::Lock lock;
  std::vector<Peer> peers;
  bool waits = false; // guarded: bell is to be raised when something comes
  os::Event bell;
};

} // namespace sluice::remote
