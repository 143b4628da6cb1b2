//===- Exchange.cpp - streams between jobs --------------------------------===//
#include "runtime/exec/exchange/Exchange.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/exchange/Exporter.h"
#include "runtime/exec/exchange/Importer.h"
#include "runtime/exec/job/Job.h"
#include "runtime/exec/state/Program.h"

namespace sluice {

using exchange::Inbox;

static constexpr size_t kMostGuests = 64;
/// ns in which a guest says what he wants, and takes the answer.
static constexpr int64_t kPatience = 5 * os::kNanos;

Exchange::Exchange(Program &p) : p(p), name(p.desc.mainName) {}

Exchange::~Exchange() {
  ends.raise();
  thread.join();
  place.leave();
}

std::string Exchange::start() {
  std::string problem = place.open();
  if (problem.empty())
    problem = place.listen(listener);
  if (problem.empty())
    thread = os::Thread([this] { run(); }, 1 << 20);
  return problem;
}

void Exchange::offersChanged() {
  isOffering.store(true, std::memory_order_release);
  wake();
}

//===--- its thread -----------------------------------------------------------===//

void Exchange::run() {
  while (!ends.raised()) {
    std::vector<exchange::Watched> watched = {
        {ends.descriptor()}, {changed.descriptor()}, {listener.descriptor()}};
    for (Guest &guest : guests)
      watched.push_back({guest.socket.descriptor(), guest.outbox.waiting() != 0});
    for (Exporter *exporter : exporters)
      exporter->watch(watched);
    exchange::await(watched, guests.empty() ? -1 : os::kNanos);
    changed.lower();
    if (isOffering.exchange(false, std::memory_order_acquire))
      place.change();
    accept();
    std::erase_if(guests, [this](Guest &guest) { return !serve(guest); });
    for (Exporter *exporter : exporters)
      exporter->serve();
  }
}

void Exchange::accept() {
  remote::Socket socket;
  while (remote::acceptFrom(listener, socket) == 0)
    if (exchange::isOwn(socket) && guests.size() < kMostGuests) {
      Guest &guest = guests.emplace_back();
      guest.socket = std::move(socket);
      guest.since = os::now();
      socket = {};
    } else {
      socket.close();
    }
}

void Exchange::answer(Guest &guest, std::string_view message) {
  guest.isAnswered = true;
  guest.outbox.send(guest.socket, message);
}

bool Exchange::serve(Guest &guest) {
  if (os::now() - guest.since > kPatience)
    return false;
  if (guest.isAnswered)
    return guest.outbox.flush(guest.socket) &&
           guest.inbox.read(guest.socket, exchange::kMostMessage) == Inbox::State::Waits;
  switch (guest.inbox.read(guest.socket, exchange::kMostMessage)) {
  case Inbox::State::Waits:
    return true;
  case Inbox::State::Ended:
  case Inbox::State::Broken:
    return false;
  case Inbox::State::Message:
    break;
  }
  if (exchange::isAsk(guest.inbox.view())) {
    answer(guest, exchange::encode(report()));
    return true;
  }
  auto request = exchange::decodeRequest(guest.inbox.view());
  if (!request || request->offer >= exporters.size())
    return false;
  std::string refusal = exporters[request->offer]->take(*request, guest.socket);
  if (refusal.empty())
    return false; // the exporter has the socket
  answer(guest, exchange::encodeAnswer(refusal));
  return true;
}

exchange::Report Exchange::report() const {
  exchange::Report report;
  report.application = name;
  report.pe = p.options.pe;
  if (p.options.job)
    report.parent = std::to_string(p.options.job->id);
  for (const Importer *importer : importers)
    report.imports.push_back(importer->describe());
  for (uint32_t i = 0; i < exporters.size(); ++i)
    report.offers.push_back(exporters[i]->describe(i, report.takers));
  return report;
}

//===--- the program's --------------------------------------------------------===//

Exchange *exchangeOf(Program &p) {
  if (!p.links.exchange && p.options.exchange)
    p.links.exchange = std::make_unique<Exchange>(p);
  return p.links.exchange.get();
}

int32_t startExchange(Program &p) {
  if (!p.links.exchange)
    return 0;
  std::string problem = p.options.isHosted
                            ? "not supported yet under a host (--exchange=off leaves them out)"
                            : p.links.exchange->start();
  if (problem.empty())
    return 0;
  tell(p, p.links.exchange->application() +
              ": error: streams cannot be exported or imported: " + problem + "\n");
  p.end.failing = true;
  return -1;
}

} // namespace sluice
