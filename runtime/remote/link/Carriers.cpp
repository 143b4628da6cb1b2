//===- Carriers.cpp - how the two ends of a link find a carrier -----------===//
#include "runtime/remote/link/Carriers.h"
#include "runtime/base/process.h"
#include "runtime/remote/link/MemoryStream.h"
#include "runtime/remote/link/SocketStream.h"
#include "runtime/remote/link/StreamWorker.h"
#include "runtime/remote/link/UcxWorker.h"
#include <cstdlib>
#include <cstring>

namespace sluice::remote {

std::optional<std::string> prepare(Transport transport, bool isLocal) {
  if (transport != Transport::Ucx)
    return std::nullopt;
  if (isLocal) // UCX would listen at all its devices, where others could connect
    setenv("UCX_NET_DEVICES", "lo", /*overwrite=*/0);
  return loadUcx();
}

std::vector<Carrier> carriersOf(Transport transport) {
  switch (transport) {
  case Transport::Auto:
    if (hasRdma())
      return {Carrier::Memory, Carrier::Ucx, Carrier::Socket};
    return {Carrier::Memory, Carrier::Socket};
  case Transport::Shm:
    return {Carrier::Memory};
  case Transport::Socket:
    return {Carrier::Socket};
  case Transport::Ucx:
    return {Carrier::Ucx};
  }
  __builtin_unreachable();
}

static WorkerOptions workerOptions(const LinkOptions &options) {
  return {options.room, options.credits.sound().ring};
}

static Met reachByMemory(Hello &hello, const std::function<Met(const Hello &)> &introduce,
                         std::unique_ptr<Worker> &worker) {
  hello.domain = os::memoryDomain();
  Met met = introduce(hello);
  auto *introduced = std::get_if<Introduced>(&met);
  if (!introduced)
    return met;
  std::string error;
  auto stream = MemoryStream::open(introduced->address, error);
  if (!stream)
    return error;
  worker = std::make_unique<StreamWorker>(std::move(stream));
  return met;
}

static Met reachBySocket(Hello &hello, const std::function<Met(const Hello &)> &introduce,
                         std::unique_ptr<Worker> &worker) {
  hello.kind = Hello::Kind::Connection;
  Met met = introduce(hello);
  auto *connected = std::get_if<Introduced>(&met);
  if (!connected)
    return met;
  Socket frames = std::move(connected->control);
  hello.kind = Hello::Kind::Sender;
  hello.address = connected->address;
  met = introduce(hello);
  if (std::holds_alternative<Introduced>(met))
    worker = std::make_unique<StreamWorker>(std::make_unique<SocketStream>(std::move(frames)));
  return met;
}

static Met reachByUcx(Hello &hello, const LinkOptions &options,
                      const std::function<Met(const Hello &)> &introduce,
                      std::unique_ptr<Worker> &worker) {
  std::string error;
  auto ucx = UcxWorker::make(workerOptions(options), error);
  if (!ucx)
    return options.transport == Transport::Auto ? Met(Apart{}) : Met(error);
  hello.address.assign(ucx->address().begin(), ucx->address().end());
  Met met = introduce(hello);
  auto *introduced = std::get_if<Introduced>(&met);
  if (!introduced)
    return met;
  if (auto problem = ucx->connect(introduced->address))
    return *problem;
  worker = std::move(ucx);
  return met;
}

Met reach(Hello hello, Carrier carrier, const LinkOptions &options,
          const std::function<Met(const Hello &)> &introduce, std::unique_ptr<Worker> &worker) {
  hello.kind = Hello::Kind::Sender;
  hello.carrier = carrier;
  switch (carrier) {
  case Carrier::Memory:
    return reachByMemory(hello, introduce, worker);
  case Carrier::Socket:
    return reachBySocket(hello, introduce, worker);
  case Carrier::Ucx:
    return reachByUcx(hello, options, introduce, worker);
  }
  __builtin_unreachable();
}

Answer Offers::offerMemory(Offer &offer, const Hello &hello, const LinkOptions &options) {
  if (hello.domain != os::memoryDomain())
    return options.transport == Transport::Shm
               ? Answer{.refusal = "it is on another machine, or in another namespace or container "
                                   "of this one: they share no memory. Leave --transport=shm out"}
               : Answer{Reply::Apart};
  std::string error;
  const WorkerOptions ahead = workerOptions(options);
  auto stream = MemoryStream::make(ahead.ahead * (ahead.room + StreamWorker::kHead), error);
  if (!stream)
    return options.transport == Transport::Shm ? Answer{.refusal = error} : Answer{Reply::Apart};
  Bytes address = stream->address();
  offer.worker = std::make_unique<StreamWorker>(std::move(stream));
  return {Reply::Accepted, std::move(address)};
}

/// The number that a sender gets on the socket of its frames, and gives on its control socket.
Answer Offers::offerSocket(Offer &offer, const Hello &hello) {
  if (hello.kind == Hello::Kind::Connection) {
    offer = {os::secretBits(), {}, nullptr};
    auto number = std::as_bytes(std::span(&offer.number, 1));
    return {Reply::Accepted, {number.begin(), number.end()}};
  }
  uint64_t number = 0;
  if (hello.address.size() == sizeof number)
    memcpy(&number, hello.address.data(), sizeof number);
  if (!offer.socket || number != offer.number)
    return {.refusal = "it has not connected the socket of its frames before"};
  return {Reply::Accepted};
}

Answer Offers::offerUcx(Offer &offer, const Hello &hello, const LinkOptions &options) {
  std::string error;
  auto ucx = UcxWorker::make(workerOptions(options), error);
  if (!ucx)
    return options.transport == Transport::Auto ? Answer{Reply::Apart} : Answer{.refusal = error};
  if (auto problem = ucx->connect(hello.address))
    return {.refusal = *problem};
  Bytes address(ucx->address().begin(), ucx->address().end());
  offer.worker = std::move(ucx);
  return {Reply::Accepted, std::move(address)};
}

Answer Offers::offer(const Hello &hello, const LinkOptions &options) {
  Offer &offer = offers[{hello.link, hello.pe}];
  switch (hello.carrier) {
  case Carrier::Memory:
    return offerMemory(offer, hello, options);
  case Carrier::Socket:
    return offerSocket(offer, hello);
  case Carrier::Ucx:
    return offerUcx(offer, hello, options);
  }
  __builtin_unreachable();
}

void Offers::keep(const Hello &hello, Socket socket) {
  offers[{hello.link, hello.pe}].socket = std::move(socket);
}

std::unique_ptr<Worker> Offers::take(const Hello &hello) {
  auto offer = std::move(offers[{hello.link, hello.pe}]);
  offers.erase({hello.link, hello.pe});
  if (hello.carrier == Carrier::Socket)
    return std::make_unique<StreamWorker>(std::make_unique<SocketStream>(std::move(offer.socket)));
  return std::move(offer.worker);
}

} // namespace sluice::remote
