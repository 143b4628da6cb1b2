//===- Remote.h - the other PEs of a job ------------------------*- C++ -*-===//
//
// A stream between PEs is a link (runtime/remote): a native operator in the producer's PE sends its
// batches, one in the consumer's PE receives them and is a source there.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/link/Link.h"
#include "sluice/native.h"
#include <memory>

namespace sluice {

/// The sender of a link, for who connects it again. Any thread.
class Reconnects {
public:
  virtual ~Reconnects() = default;
  virtual void offer(std::unique_ptr<remote::SendLink>) = 0;
};

/// What the operators at the ends of links use: links to PEs that this one meets (Peers.h), or
/// those that a host carries (Hosted.h).
class Remote {
public:
  virtual ~Remote() = default;

  /// Makes the receivers' ends of links. What is wrong; empty: nothing.
  virtual std::string start() = 0;
  /// The end of a link at its receiver, an operator of this PE.
  virtual remote::ReceiveLink &receiver(uint32_t op) = 0;
  /// The receiver has ended: nothing is received any more.
  virtual void drop(uint32_t op) = 0;
  /// Makes the end of a link at its sender, and connects it. Null, and `error` says why; no error:
  /// nothing more is taken there, or the program was told to stop.
  virtual std::unique_ptr<remote::SendLink> connect(uint32_t sender, int64_t nanos,
                                                    std::string &error) = 0;
  /// A sender is there from now on, and until its stream has ended.
  virtual void enter(uint32_t sender, Reconnects &) = 0;
  virtual void leave(uint32_t sender) = 0;
  /// Offers a new link to a sender, as soon as there is a PE to connect to.
  virtual void callSender(uint32_t sender) = 0;
  /// Tells all other PEs that the program is to end, as if each had got SIGTERM. Any thread.
  virtual void endOthers() = 0;
  /// ns for which a PE waits for another one to start.
  virtual int64_t patience() const = 0;
};

/// Starts to receive from the other PEs, if there are any. 0, or -1 after a failure, which is
/// pending.
int32_t startRemote(Program &);

/// The operators at the ends of a link.
NativeOp *makeSender(Program &);

NativeOp *makeReceiver(Program &);

} // namespace sluice
