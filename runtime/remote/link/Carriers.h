//===- Carriers.h - how the two ends of a link find a carrier ---*- C++ -*-===//
//
// The sender asks for one carrier after the other until the receiver has it, too. It connects
// twice: first it asks for the memory, or brings the socket, that is to carry the frames; then it
// comes by its control socket, on which it says the number that it got. So a seat is taken only by
// a sender that has reached what carries its frames. UCX connects by itself.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/carrier/Worker.h"
#include "runtime/remote/link/LinkOptions.h"
#include "runtime/remote/peer/Peers.h"
#include <functional>
#include <map>
#include <vector>

namespace sluice::remote {

/// Opens what only some carriers need. What is wrong, if it is not there. It sets environment
/// variables, so no other thread may run. `isLocal`: all processes are on this machine.
std::optional<std::string> prepare(Transport, bool isLocal);

/// The carriers that a sender may ask for, the best one first.
std::vector<Carrier> carriersOf(Transport);

/// The sender's end. Says hello by `introduce`, as `hello`, of which it sets what belongs to the
/// carrier. Introduced: `worker` leads to the receiver.
Met reach(Hello hello, Carrier carrier, const LinkOptions &options,
          const std::function<Met(const Hello &)> &introduce, std::unique_ptr<Worker> &worker);

/// The receivers' end: what is to carry the frames of senders that have not come yet. One thread
/// uses it.
class Offers {
public:
  /// What to answer to a Sender, or to a Connection, that may come.
  Answer offer(const Hello &, const LinkOptions &options);
  /// A Connection was answered, over that socket.
  void keep(const Hello &, Socket);
  /// The worker for a Sender that was accepted. Once.
  std::unique_ptr<Worker> take(const Hello &);

private:
  struct Offer {
    uint64_t number = 0;
    std::unique_ptr<Worker> worker; // null: a socket that has not come
  };
  Answer connect(Offer &, const Hello &, const LinkOptions &);
  Answer offerMemory(Offer &, const Hello &, const LinkOptions &);
  Answer offerUcx(Offer &, const Hello &, const LinkOptions &);

  std::map<std::pair<uint32_t, uint32_t>, Offer> offers; // by link and PE of the sender
};

} // namespace sluice::remote
