//===- Peers.h - other PEs that this one meets ------------------*- C++ -*-===//
#pragma once
#include "runtime/exec/delivery/Acknowledger.h"
#include "runtime/exec/remote/Reconnector.h"
#include "runtime/exec/remote/Remote.h"
#include "runtime/remote/frame/Schema.h"
#include "runtime/remote/link/Carriers.h"
#include "runtime/remote/link/PeerLink.h"
#include "runtime/remote/peer/Peers.h"
#include <atomic>
#include <functional>
#include <map>

namespace sluice {

/// This PE as the others see it: it listens, and says to senders where their receiver is.
class Peers : public Remote, public remote::Host {
public:
  explicit Peers(Program &);
  ~Peers() override;

  /// Listens, too.
  std::string start() override;
  remote::ReceiveLink &receiver(uint32_t op) override { return *receivers.at(op); }
  /// Nobody may introduce himself to it then.
  void drop(uint32_t op) override;
  std::unique_ptr<remote::SendLink> connect(uint32_t sender, int64_t nanos,
                                            std::string &error) override;
  void enter(uint32_t sender, Reconnects &) override;
  void leave(uint32_t sender) override;
  void callSender(uint32_t sender) override;
  void endOthers() override;
  int64_t patience() const override;

  remote::Answer welcome(const remote::Hello &) override;
  void attach(const remote::Hello &, remote::Socket control) override;
  void refused(const std::string &what) override;

private:
  bool awaitLauncher(uint32_t pe) const;
  remote::Met introduce(
      uint32_t pe, const remote::Hello &, int64_t nanos,
      const std::function<bool()> &needsNone = [] { return false; });
  int64_t peerOf(const remote::Hello &) const;
  int64_t senderOf(const remote::Hello &) const;
  remote::Answer welcomeReceiver(const remote::Hello &);
  bool reconnect(uint32_t sender);
  void callSenders();

  Program &p;
  remote::Identity identity;
  std::map<uint32_t, std::unique_ptr<remote::PeerReceiveLink>> receivers; // by operator
  remote::Offers offers; // to their senders; the acceptor's thread uses it
  os::Lock lock;
  std::map<uint32_t, Reconnects *> senders; // by operator; null: the stream has ended. Guarded
  std::unique_ptr<Reconnector> reconnector; // null: no PE is started again
  std::atomic<bool> ends{false};            // endOthers() was called. relaxed: it is done once
  os::Thread ender;                         // who does it, if no launcher does
  std::unique_ptr<remote::Acceptor> acceptor;
  std::unique_ptr<Acknowledger> acknowledges;
};

} // namespace sluice
