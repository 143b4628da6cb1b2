//===- Carriers.cpp - how the two ends of a link find a carrier -----------===//
#include "runtime/remote/link/Carriers.h"
#include "runtime/base/process.h"
#include "runtime/remote/carrier/MemoryStream.h"
#include "runtime/remote/carrier/SocketStream.h"
#include "runtime/remote/carrier/StreamWorker.h"
#include "runtime/remote/carrier/UcxWorker.h"
#include <cstdlib>
#include <cstring>

namespace sluice::remote {

std::optional<std::string> prepare(Transport transport, bool isLocal) {
  if (transport == Transport::Auto && hasRdma())
    (void)loadUcx(); // where it is missing there are other carriers
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

static Bytes bytesOf(uint64_t number) {
  auto bytes = std::as_bytes(std::span(&number, 1));
  return {bytes.begin(), bytes.end()};
}

static WorkerOptions workerOptions(const LinkOptions &options) {
  return {options.room, options.credits.sound().ring};
}

/// Asks for what is to carry the frames, opens it by `open(what was answered)`, which returns what
/// is wrong, and comes then. The receiver may be started again meanwhile.
template <class Open>
static Met reachInTwo(Hello &hello, const std::function<Met(const Hello &)> &introduce, Open open) {
  for (;;) {
    hello.kind = Hello::Kind::Connection;
    hello.address.clear();
    Met met = introduce(hello);
    auto *answered = std::get_if<Introduced>(&met);
    if (!answered)
      return met;
    if (auto wrong = open(*answered, hello.address))
      return std::move(*wrong);
    hello.kind = Hello::Kind::Sender;
    met = introduce(hello);
    if (!std::holds_alternative<Anew>(met))
      return met;
  }
}

static Met reachByMemory(Hello &hello, const LinkOptions &options,
                         const std::function<Met(const Hello &)> &introduce,
                         std::unique_ptr<Worker> &worker) {
  hello.domain = os::memoryDomain();
  return reachInTwo(hello, introduce, [&](Introduced &answered, Bytes &number) {
    std::string error;
    auto stream = MemoryStream::open(answered.address, error);
    if (!stream)
      return std::optional(options.transport == Transport::Auto ? Met(Apart{}) : Met(error));
    number = bytesOf(stream->nonce());
    worker = std::make_unique<StreamWorker>(std::move(stream));
    return std::optional<Met>();
  });
}

static Met reachBySocket(Hello &hello, const std::function<Met(const Hello &)> &introduce,
                         std::unique_ptr<Worker> &worker) {
  return reachInTwo(hello, introduce, [&](Introduced &answered, Bytes &number) {
    number = answered.address;
    worker =
        std::make_unique<StreamWorker>(std::make_unique<SocketStream>(std::move(answered.control)));
    return std::optional<Met>();
  });
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
    return reachByMemory(hello, options, introduce, worker);
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
  offer = {stream->nonce(), std::make_unique<StreamWorker>(std::move(stream))};
  return {Reply::Accepted, std::move(address)};
}

Answer Offers::offerUcx(Offer &offer, const Hello &hello, const LinkOptions &options) {
  if (options.transport == Transport::Auto && !hasRdma())
    return {Reply::Apart};
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

/// What is to carry the frames.
Answer Offers::connect(Offer &offer, const Hello &hello, const LinkOptions &options) {
  switch (hello.carrier) {
  case Carrier::Memory:
    return offerMemory(offer, hello, options);
  case Carrier::Socket:
    offer = {os::secretBits(), nullptr}; // its worker comes with the socket
    return {Reply::Accepted, bytesOf(offer.number)};
  case Carrier::Ucx:
    return {.refusal = "UCX connects by itself"};
  }
  __builtin_unreachable();
}

Answer Offers::offer(const Hello &hello, const LinkOptions &options) {
  Offer &offer = offers[{hello.link, hello.pe}];
  if (hello.kind == Hello::Kind::Connection)
    return connect(offer, hello, options);
  if (hello.carrier == Carrier::Ucx)
    return offerUcx(offer, hello, options);
  bool isThere = offer.worker && hello.address == bytesOf(offer.number);
  return {isThere ? Reply::Accepted : Reply::Anew};
}

void Offers::keep(const Hello &hello, Socket socket) {
  if (hello.carrier == Carrier::Socket)
    offers[{hello.link, hello.pe}].worker =
        std::make_unique<StreamWorker>(std::make_unique<SocketStream>(std::move(socket)));
}

std::unique_ptr<Worker> Offers::take(const Hello &hello) {
  auto taken = offers.extract({hello.link, hello.pe});
  return std::move(taken.mapped().worker);
}

} // namespace sluice::remote
