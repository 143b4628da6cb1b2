//===- Peers.h - how the PEs of a job find each other -----------*- C++ -*-===//
//
// Each PE has one Acceptor. The sender of a link introduces itself to the PE of the receiver, which
// answers with what the sender needs to reach the link.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/remote/peer/Hello.h"
#include "runtime/remote/peer/Socket.h"

namespace sluice::remote {

/// What an Acceptor asks. All calls come from its thread.
class Host {
public:
  virtual ~Host() = default;
  /// `hello` is of this job: what to answer.
  virtual Answer welcome(const Hello &hello) = 0;
  /// The answer that accepts it was sent. The end of `control` tells that the sender has gone.
  virtual void attach(const Hello &hello, Socket control) = 0;
  /// Somebody was refused, or did not say hello.
  virtual void refused(const std::string &what) = 0;
};

/// Listens at an address, by a thread of its own. Refuses who is not of this job, and goes on.
class Acceptor {
public:
  /// A negative errno if it cannot listen. `host` outlives the acceptor.
  static int make(const Address &, const Identity &, Host &host, std::unique_ptr<Acceptor> &to);
  ~Acceptor();
  /// With the port that it got.
  const Address &address() const;

private:
  struct Impl;
  explicit Acceptor(std::unique_ptr<Impl>);
  std::unique_ptr<Impl> impl;
};

/// One that was accepted.
struct Introduced {
  Socket control;
  Bytes address; // what the carrier needs of the receiver
};
struct StreamEnded {};
struct Apart {}; // to be asked again with another carrier
struct Anew {};  // to be asked again from the beginning
using Met = std::variant<Introduced, StreamEnded, Apart, Anew, std::string>; // or what is wrong
/// Connects to the PE at `address` and says hello. Tries for `nanos` ns, as that PE may not have
/// started yet; gives up when `stop` can be read (-1: never).
Met introduce(const Address &address, const Hello &hello, int64_t nanos, int stop);

} // namespace sluice::remote
