//===- Exporter.cpp - a stream that other jobs may take -------------------===//
#include "runtime/exec/exchange/Exporter.h"
#include "runtime/exec/state/Program.h"
#include <algorithm>

namespace sluice {

/// Bytes that may wait in a connection before the exporter waits, or cuts it.
static constexpr size_t kWaitBytes = 1 << 20, kDropBytes = 16 << 20;
/// ns for which it waits once the program was told to end; and for connections that are cut
/// rather than waited for.
static constexpr int64_t kGrace = os::kNanos / 2, kDropGrace = os::kNanos;

/// An output port that feeds an input port. All of them have the same type, and so the same
/// batches.
static const OutPortDesc &producerOf(const ProgramDesc &desc, uint32_t inPort) {
  uint32_t out = 0;
  for (; out + 1 < desc.outPortCount; ++out) {
    const OutPortDesc &port = desc.outPorts[out];
    const uint32_t *end = port.consumers + port.consumerCount;
    if (std::find(port.consumers, end, inPort) != end)
      break;
  }
  return desc.outPorts[out];
}

Exporter::Exporter(NativeOp &op, exchange::Offer given)
    : op(op), p(*op.ctx->program), offer(std::move(given)),
      schema(op.desc->inTypes[0], producerOf(p.desc, op.desc->firstIn).batchCapacity),
      exchange(exchangeOf(p)), sleep(op) {
  offer.stream = p.desc.operators[producerOf(p.desc, op.desc->firstIn).op].name;
  offer.type = exchange::typeText(op.desc->inTypes[0]);
  offer.schema = schema.hash;
  p.exporters.push_back(this);
  if (exchange)
    exchange->add(*this);
}

//===--- properties -----------------------------------------------------------===//

std::vector<exchange::Property> Exporter::properties() const {
  os::Held held(lock);
  return offer.properties;
}

void Exporter::setProperties(std::vector<exchange::Property> to) {
  {
    os::Held held(lock);
    offer.properties = std::move(to);
  }
  if (exchange)
    exchange->offersChanged();
}

bool Exporter::isFedBy(uint32_t outPort) const {
  const OutPortDesc &port = p.desc.outPorts[outPort];
  return std::find(port.consumers, port.consumers + port.consumerCount, op.desc->firstIn) !=
         port.consumers + port.consumerCount;
}

//===--- sending --------------------------------------------------------------===//

void Exporter::letPass() const {
  while (wanted.load(std::memory_order_relaxed))
    os::yieldThread();
}

void Exporter::send(const Batch &b, std::span<const Punctuation> puncts) {
  letPass();
  {
    os::Held held(lock);
    now = connections;
  }
  for (const ConnectionPtr &connection : now)
    if (awaitRoom(*connection, offer.waits ? kWaitBytes : kDropBytes, offer.waits ? -1 : 0))
      sendTo(*connection, b, puncts);
  now.clear();
}

void Exporter::sendTo(Connection &c, const Batch &b, std::span<const Punctuation> puncts) {
  const Batch *batch = &b;
  if (!c.filter.isAlways()) {
    batch = &c.filter.select(b, puncts);
    puncts = c.filter.punctuation();
  }
  if (!batch->rows && puncts.empty())
    return;
  os::Held held(lock);
  if (c.gone)
    return;
  bool waited = c.outbox.waiting() != 0;
  c.gone = !c.outbox.send(c.socket, c.writer.write(*batch, puncts));
  c.taker.tuples += batch->rows;
  if (c.gone || (!waited && c.outbox.waiting()))
    exchange->wake();
}

/// Waits until at most so many bytes wait in the connection; for `patience` ns at most (below 0:
/// for ever). False: it is gone, or was cut.
bool Exporter::awaitRoom(Connection &c, size_t most, int64_t patience) {
  for (int64_t until = patience < 0 ? -1 : os::now() + patience;;) {
    {
      os::Held held(lock);
      if (c.gone)
        return false;
      room.lower();
      if (c.outbox.waiting() > most)
        c.gone = !c.outbox.flush(c.socket);
      if (!c.gone && c.outbox.waiting() <= most)
        return true;
    }
    if (!sleepForRoom(until)) {
      cut(c, p.stop.raised() ? "has not taken all until the program ended"
                             : "is too slow: its connection is cut");
      return false;
    }
  }
}

/// False: the time is over, which is ns of os::now(); below 0: it never is, but the program is told
/// to end.
bool Exporter::sleepForRoom(int64_t &until) {
  if (p.failed.raised())
    return false;
  if (p.stop.raised() && until < 0)
    until = os::now() + kGrace;
  int64_t left = until < 0 ? -1 : until - os::now();
  if (until >= 0 && left <= 0)
    return false;
  sleep.beginSleep();
  if (until < 0)
    os::sleepOn({&room, &p.stop, &p.failed}, -1);
  else
    os::sleepOn({&room, &p.failed}, left);
  sleep.endSleep();
  return true;
}

void Exporter::cut(Connection &c, const char *why) {
  {
    os::Held held(lock);
    c.gone = true;
  }
  exchange->wake();
  if (!p.failed.raised() && told.insert(c.name).second)
    sl_warn(op.ctx, op.desc, "%s %s", c.name.c_str(), why);
}

void Exporter::finish() {
  {
    os::Held held(lock);
    if (ended)
      return;
    ended = true;
    now = connections;
  }
  for (const ConnectionPtr &connection : now)
    awaitRoom(*connection, 0, offer.waits ? -1 : kDropGrace);
  now.clear();
  os::Held held(lock);
  for (const ConnectionPtr &connection : connections)
    connection->gone = true;
  if (exchange)
    exchange->wake();
}

//===--- connections ------------------------------------------------------------===//

std::string Exporter::take(const exchange::Request &request, remote::Socket &socket) {
  if (request.type != offer.type || request.schema != schema.hash)
    return "its tuples are " + offer.type + ", and those of the Import are " + request.type;
  if (!request.filter.empty() && !offer.allowsFilter)
    return "it allows no filter (allowFilter : true)";
  auto made = std::make_shared<Connection>(schema, op.desc->inTypes[0], request.offer);
  if (std::string problem = made->filter.parse(request.filter); !problem.empty())
    return problem;
  Turn turn(*this);
  if (ended)
    return "it has ended";
  made->taker = {.job = request.job, .import_ = request.import_};
  made->taker.process = exchange::processOf(socket);
  made->name = "the Import " + request.import_ + " of " + request.job + " (process " +
               std::to_string(made->taker.process) + ")";
  made->gone = !made->outbox.send(socket, exchange::encodeAnswer(""));
  made->socket = std::move(socket);
  connections.push_back(std::move(made));
  return "";
}

void Exporter::watch(std::vector<exchange::Watched> &all) {
  Turn turn(*this);
  for (const ConnectionPtr &c : connections)
    all.push_back({c->socket.descriptor(), c->outbox.waiting() != 0});
}

void Exporter::serve() {
  Turn turn(*this);
  bool moved = false;
  for (const ConnectionPtr &c : connections) {
    char byte;
    bool quiet = remote::readSome(c->socket, &byte, 1) == -EAGAIN; // it has nothing to say
    size_t before = c->outbox.waiting();
    c->gone = c->gone || !quiet || !c->outbox.flush(c->socket);
    moved |= c->gone || c->outbox.waiting() < before;
  }
  std::erase_if(connections, [](const ConnectionPtr &c) { return c->gone; });
  if (moved)
    room.raise();
}

exchange::Offer Exporter::describe(uint32_t number, std::vector<exchange::Taker> &takers) {
  Turn turn(*this);
  for (const ConnectionPtr &c : connections) {
    takers.push_back(c->taker);
    takers.back().offer = number;
  }
  offer.ended = ended;
  return offer;
}

} // namespace sluice
