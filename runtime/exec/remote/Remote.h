//===- Remote.h - the other PEs of a job ------------------------*- C++ -*-===//
//
// A stream between PEs is a link (runtime/remote): a native operator in the producer's PE sends its
// batches, one in the consumer's PE receives them and is a source there.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/delivery/Acknowledger.h"
#include "runtime/exec/remote/Reconnector.h"
#include "runtime/remote/frame/Schema.h"
#include "runtime/remote/link/Link.h"
#include "runtime/remote/link/Patience.h"
#include "runtime/remote/peer/Peers.h"
#include "sluice/native.h"
#include <atomic>
#include <map>
#include <memory>

namespace sluice {

/// The sender of a link, for who connects it again. Any thread.
class Reconnects {
public:
  virtual ~Reconnects() = default;
  virtual void offer(std::unique_ptr<remote::SendLink>) = 0;
};

/// This PE as the others see it: it listens, and says to senders where their receiver is.
class Remote : public remote::Host {
public:
  explicit Remote(Program &);
  ~Remote() override;

  /// Makes the receivers' ends of links, and listens. What is wrong; empty: nothing.
  std::string start();
  /// The end of a link at its receiver, an operator of this PE.
  remote::ReceiveLink &receiver(uint32_t op) { return *receivers.at(op); }
  /// The receiver has ended: nothing is received any more. Nobody may introduce himself to it then.
  void drop(uint32_t op);
  /// Makes the end of a link at its sender, and connects it. Null, and `error` says why; no error:
  /// nothing more is taken there, or the program was told to stop.
  std::unique_ptr<remote::SendLink> connect(uint32_t sender, int64_t nanos, std::string &error);
  /// A sender is there from now on, and until its stream has ended.
  void enter(uint32_t sender, Reconnects &);
  void leave(uint32_t sender);
  /// Offers a new link to a sender, as soon as there is a PE to connect to.
  void callSender(uint32_t sender);
  /// Tells all other PEs that the program is to end, as if each had got SIGTERM. Any thread.
  void endOthers();
  /// ns for which a PE waits for another one to start.
  int64_t patience() const;

  remote::Answer welcome(const remote::Hello &) override;
  void attach(const remote::Hello &, remote::Socket control) override;
  void refused(const std::string &what) override;

private:
  remote::Met introduce(uint32_t pe, const remote::Hello &, int64_t nanos);
  int64_t peerOf(const remote::Hello &) const;
  int64_t senderOf(const remote::Hello &) const;
  remote::Answer welcomeReceiver(const remote::Hello &);
  bool reconnect(uint32_t sender);
  void callSenders();

  Program &p;
  remote::Identity identity;
  std::map<uint32_t, std::unique_ptr<remote::ReceiveLink>> receivers; // by operator
  os::Lock lock;
  std::map<uint32_t, Reconnects *> senders; // by operator; null: the stream has ended. Guarded
  std::unique_ptr<Reconnector> reconnector; // null: no PE is started again
  std::atomic<bool> ends{false};            // endOthers() was called. relaxed: it is done once
  os::Thread ender;                         // who does it, if no launcher does
  std::unique_ptr<remote::Acceptor> acceptor;
  std::unique_ptr<Acknowledger> acknowledges;
};

/// Starts to listen to the other PEs, if there are any. 0, or -1 after a failure, which is pending.
int32_t startRemote(Program &);

/// The operators at the ends of a link.
NativeOp *makeSender(Program &);

NativeOp *makeReceiver(Program &);

} // namespace sluice
