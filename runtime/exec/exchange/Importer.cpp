//===- Importer.cpp - streams of other jobs -------------------------------===//
#include "runtime/exec/exchange/Importer.h"
#include "runtime/exec/dispatch/ForwardRows.h"
#include "runtime/exec/exchange/RowFilter.h"
#include "runtime/exec/state/Program.h"
#include "runtime/memory/Memory.h"
#include <algorithm>
#include <cstring>

namespace sluice {

using exchange::Inbox;

/// ns after which a job is asked again that was lost.
static constexpr int64_t kAgainNanos = os::kNanos / 2;
/// Bytes of a frame.
static constexpr uint32_t kMostFrame = 1u << 30;

Importer::Importer(NativeOp &op, exchange::Wish given, std::string subscription, std::string filter)
    : op(op), p(*op.ctx->program), wish(std::move(given)), hasId(wish.id.has_value()),
      adopted{std::move(subscription), std::move(filter)}, out(op.desc->firstOut),
      schema(op.desc->outTypes[0], p.desc.outPorts[out].batchCapacity), exchange(exchangeOf(p)),
      sleep(op), wanted(adopted) {
  wish.subscription.parse(adopted.subscription);
  p.links.importers.push_back(this);
  if (exchange)
    exchange->add(*this);
}

int32_t Importer::run() {
  if (!exchange) {
    while (!sl_wait(op.ctx, 1e10)) // thirty years are for ever
      ;
    p.natives.closed[op.desc->native] = true; // no stream has come that could end
    return 0;
  }
  exchange->registry().watch(appeared);
  scan();
  while (!p.end.stop.raised()) {
    if (changed.raised())
      adopt();
    if (int32_t result = receiveAll())
      return result;
    await();
  }
  return 0;
}

//===--- what is wanted ---------------------------------------------------------===//

std::string Importer::subscription() const {
  os::Held held(lock);
  return wanted.subscription;
}

std::string Importer::filter() const {
  os::Held held(lock);
  return wanted.filter;
}

void Importer::change(std::optional<std::string> subscription, const std::string &filter) {
  os::Held held(lock);
  if (subscription)
    wanted.subscription = *std::move(subscription);
  wanted.filter = filter;
  changed.raise();
}

bool Importer::subscribe(const std::string &condition) {
  exchange::Condition parsed;
  if (!parsed.parse(condition).empty() || parsed.isAlways())
    return false;
  change(condition, "");
  return true;
}

bool Importer::setFilter(const std::string &condition) {
  if (!RowFilter(schema, op.desc->outTypes[0]).parse(condition).empty())
    return false;
  change(std::nullopt, condition);
  return true;
}

/// Connections with another filter have to be made anew; whether those with this one are still
/// wanted is seen when their jobs say again what they offer.
void Importer::adopt() {
  Conditions now;
  {
    os::Held held(lock);
    changed.lower();
    now = wanted;
  }
  if (now.filter != adopted.filter)
    std::erase_if(links, [](const Link &link) { return link.state != Link::State::Asks; });
  adopted = std::move(now);
  wish.subscription.parse(adopted.subscription);
  asked.clear();
  refused.clear();
  scan();
}

exchange::Importing Importer::describe() const {
  os::Held held(lock);
  auto quoted = [](const std::string &text) {
    return literalOf(exchange::Value::of(std::string_view(text)));
  };
  std::string wants = wanted.subscription;
  if (wish.id)
    wants = "streamId " + quoted(*wish.id) +
            (wish.application.empty() ? "" : " of " + wish.application);
  if (wish.scope != exchange::kUsualScope)
    wants += " in scope " + quoted(wish.scope);
  return {op.desc->name, wants, wanted.filter, exchange::typeText(op.desc->outTypes[0])};
}

bool Importer::feeds(uint32_t inPort) const {
  const OutPortDesc &port = p.desc.outPorts[out];
  return std::find(port.consumers, port.consumers + port.consumerCount, inPort) !=
         port.consumers + port.consumerCount;
}

//===--- finding jobs -----------------------------------------------------------===//

/// Asks those that were not asked yet, and those that have changed since.
void Importer::scan() {
  nextScan = 0;
  std::vector<exchange::Found> found = exchange->registry().list();
  auto isLeft = [&](const exchange::Place &place) {
    return !std::ranges::binary_search(found, place, {}, &exchange::Found::place);
  };
  std::erase_if(asked, [&](const auto &each) { return isLeft(each.first); });
  std::erase_if(refused, [&](const OfferKey &key) { return isLeft(key.first); });
  for (const auto &[place, version] : found) {
    auto before = asked.find(place);
    if (before != asked.end() && before->second == version)
      continue;
    Link link;
    exchange::Outbox ask;
    if (!exchange->registry().connect(place, link.socket) ||
        !ask.send(link.socket, exchange::encodeAsk())) {
      nextScan = os::now() + kAgainNanos;
      continue;
    }
    asked[place] = version;
    link.place = place;
    links.push_back(std::move(link));
  }
}

/// Sleeps until a job has something to say, another one comes, or the program is to end.
void Importer::await() {
  std::vector<exchange::Watched> watched = {{p.end.stop.descriptor()}, {changed.descriptor()}};
  if (appeared)
    watched.push_back({appeared.descriptor()});
  for (const Link &link : links)
    watched.push_back({link.socket.descriptor()});
  if (!appeared && !nextScan)
    nextScan = os::now() + kAgainNanos;
  int64_t nanos = nextScan ? std::max<int64_t>(nextScan - os::now(), 0) : -1;
  if (!exchange::await(watched, 0)) {
    sleep.beginSleep();
    exchange::await(watched, nanos);
    sleep.endSleep();
  }
  bool came = appeared && exchange::drain(appeared);
  if (came || (nextScan && os::now() >= nextScan))
    scan();
}

//===--- what they say --------------------------------------------------------------===//

/// One message of each that has one. Handler return values.
int32_t Importer::receiveAll() {
  for (auto link = links.begin(); link != links.end();) {
    bool stays = true;
    if (int32_t result = serve(*link, stays))
      return result;
    link = stays ? std::next(link) : links.erase(link);
  }
  return 0;
}

int32_t Importer::serve(Link &link, bool &stays) {
  uint32_t most = link.state == Link::State::Receives ? kMostFrame : exchange::kMostMessage;
  Inbox::State state = link.inbox.read(link.socket, most);
  if (state == Inbox::State::Waits)
    return 0;
  if (state != Inbox::State::Message) {
    lose(link, state);
    stays = false;
    return 0;
  }
  switch (link.state) {
  case Link::State::Asks:
    stays = takeReport(link);
    return 0;
  case Link::State::Requests:
    stays = takeAnswer(link);
    return 0;
  case Link::State::Receives:
    return takeFrame(link, stays);
  }
  __builtin_unreachable();
}

/// The job has ended, or cut the connection: it may be there again.
void Importer::lose(Link &link, Inbox::State state) {
  asked.erase(link.place);
  nextScan = os::now() + kAgainNanos;
  if (link.state == Link::State::Receives && state == Inbox::State::Broken &&
      !p.end.stop.raised() && told.insert(link.name).second)
    sl_warn(op.ctx, op.desc, "%s was cut off in the middle of a message", link.name.c_str());
}

/// Asks for what is wanted of it, and ends the connections to what is not wanted any more. Whether
/// this connection is still needed.
bool Importer::takeReport(Link &link) {
  auto report = exchange::decodeReport(link.inbox.view());
  if (!report) {
    sl_warn(op.ctx, op.desc, "process %lld of the registry speaks another version",
            (long long)exchange::processOf(link.socket));
    return false;
  }
  auto isWanted = [&](uint32_t i) {
    return exchange::matches(wish, report->application, report->offers[i]);
  };
  std::erase_if(links, [&](const Link &other) {
    bool isOfJob = other.state != Link::State::Asks && other.place == link.place;
    return isOfJob && other.offer < report->offers.size() && // of one that ends the rest comes
           !report->offers[other.offer].ended && !isWanted(other.offer);
  });
  for (uint32_t i = 0; i < report->offers.size(); ++i) {
    auto has = [&](const Link &other) {
      return other.state != Link::State::Asks && other.place == link.place && other.offer == i;
    };
    if (isWanted(i) && !refused.contains({link.place, i}) && std::ranges::none_of(links, has))
      request(link.place, *report, i);
  }
  return false;
}

void Importer::request(const exchange::Place &place, const exchange::Report &report,
                       uint32_t offer) {
  Link link;
  exchange::Outbox outbox;
  exchange::Request request{offer,
                            exchange::typeText(op.desc->outTypes[0]),
                            schema.hash,
                            adopted.filter,
                            exchange->application(),
                            op.desc->name};
  if (!exchange->registry().connect(place, link.socket) ||
      !outbox.send(link.socket, exchange::encode(request))) {
    asked.erase(place);
    nextScan = os::now() + kAgainNanos;
    return;
  }
  link.state = Link::State::Requests;
  link.place = place;
  link.offer = offer;
  link.name = "the stream " + report.offers[offer].stream + " of " + report.application +
              " (process " + std::to_string(exchange::processOf(link.socket)) + ")";
  links.push_back(std::move(link));
}

bool Importer::takeAnswer(Link &link) {
  auto refusal = exchange::decodeAnswer(link.inbox.view());
  if (refusal && refusal->empty()) {
    link.state = Link::State::Receives;
    return true;
  }
  refused.insert({link.place, link.offer});
  sl_warn(op.ctx, op.desc, "%s cannot be imported: %s", link.name.c_str(),
          refusal ? refusal->c_str() : "it speaks another version");
  return false;
}

//===--- frames ---------------------------------------------------------------------===//

int32_t Importer::takeFrame(Link &link, bool &stays) {
  size_t bytes = link.inbox.size();
  link.inbox.reserve(std::max<size_t>(schema.room, bytes + schema.bytes));
  auto *b = reinterpret_cast<Batch *>(link.inbox.data());
  remote::Expected expected{0, link.sequence++, link.offer, /*checksum=*/true};
  remote::Problem problem =
      remote::readFrame(schema, expected, b, bytes, link.inbox.room(), Batch());
  int32_t result = problem ? 0 : forwardRows(op.ctx, out, schema, *b);
  arenaFree(&b->arena);
  giveMemory(b->puncts);
  link.inbox.shrink(schema.room + schema.bytes);
  if (problem) {
    sl_warn(op.ctx, op.desc, "%s sends what it should not: %s", link.name.c_str(),
            problem->c_str());
    refused.insert({link.place, link.offer});
    stays = false;
  }
  return result;
}

} // namespace sluice
