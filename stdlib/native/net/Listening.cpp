//===- Listening.cpp - where operators may be reached ---------------------===//
#include "stdlib/native/net/Listening.h"
#include "sluice/listen.h"

namespace sluice::net {

/// Of the addresses of a host, the first one of IPv4, else the first one.
static std::string pick(const std::vector<Address> &addresses) {
  for (const Address &address : addresses)
    if (address.family() == AF_INET)
      return numbersOf(address).host;
  return numbersOf(addresses.front()).host;
}

int32_t chooseAddress(const ParamOp &op, const char *parameter, std::string &address) {
  std::string host = op.text(parameter, "");
  bool mayListen = sl_may_listen(op.ctx);
  if (host.empty()) {
    address = mayListen ? "" : "127.0.0.1";
    return 0;
  }
  // The number is kept: a name server could say something else when it is asked again.
  if (std::vector<std::string> own = addressesOf(host); !own.empty()) {
    address = own.front();
  } else {
    std::vector<Address> found;
    if (Problem problem = resolve({host, "1"}, Use::Stream, /*listens=*/true, found);
        !problem.empty())
      return sl_error(op.ctx, "%s : \"%s\" is no address of this machine: %s", parameter,
                      host.c_str(), problem.c_str());
    address = pick(found);
  }
  return mayListen || isLoopback(address)
             ? 0
             : sl_error(op.ctx,
                        "%s : \"%s\" can be reached by others: --allow-listen permits it; without "
                        "%s only programs of this machine can",
                        parameter, host.c_str(), parameter);
}

} // namespace sluice::net
