//===- Peers.cpp - other PEs that this one meets --------------------------===//
#include "runtime/exec/remote/Peers.h"
#include "runtime/base/hash/Digest.h"
#include "runtime/base/process.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/job/Job.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/table/Structure.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace sluice {

/// ns for which a PE waits for another one to start, if nobody says that it will not.
static constexpr int64_t kStartNanos = 30 * os::kNanos;
/// ns after which it is looked at whether a PE has ended that does not answer.
static constexpr int64_t kLookNanos = 2 * os::kNanos;
/// ns until a PE that has died before it answered is asked again.
static constexpr int64_t kPauseNanos = os::kNanos / 50;
/// ns for which a launcher may take to see that a PE has died.
static constexpr int64_t kLauncherNanos = os::kNanos;
/// ns for which it is tried to tell a PE that the job ends.
static constexpr int64_t kEndNanos = 2 * os::kNanos;
/// ns for which it is tried to connect a sender until others are.
static constexpr int64_t kAttemptNanos = os::kNanos / 2;

/// Of what all PEs have to be started with alike: submission-time values, and how links work.
static uint64_t hashOf(const RunOptions &options) {
  Digest digest;
  for (const std::string &value : options.values)
    digest.add(value);
  digest.add(options.links.agreement());
  return digest.value();
}

Peers::Peers(Program &p) : p(p) {
  static_assert(sizeof identity.token == sizeof p.options.job->token);
  memcpy(identity.token.data(), p.options.job->token.data(), sizeof identity.token);
  identity.program = structureHash(p.desc);
  identity.values = hashOf(p.options);
}

Peers::~Peers() = default;

static remote::LinkOptions optionsOf(const Program &p, const OutPortDesc &port) {
  remote::LinkOptions options = p.options.links;
  options.room = remote::schemaOf(port).room;
  if (p.options.latency > 0) // half of it: the rest is for work
    options.latencyNanos = int64_t(p.options.latency * double(os::kNanos) / 2);
  return options;
}

std::string Peers::start() {
  if (auto problem = remote::prepare(p.options.links.transport, p.options.jobFile.empty()))
    return *problem;
  std::string error;
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op) {
    const OperatorDesc &desc = p.desc.operators[op];
    if (desc.link < 0 || desc.inputs || !p.isHere(op))
      continue;
    receivers[op] = remote::PeerReceiveLink::make(optionsOf(p, p.desc.outPorts[desc.firstOut]),
                                                  uint32_t(p.table.pes.sendersTo(op).size()),
                                                  p.end.failed.descriptor(), error);
    if (!receivers[op])
      return error;
    receivers[op]->expectUntil(p.end.stop.descriptor());
  }
  if (p.options.links.restarts)
    reconnector =
        std::make_unique<Reconnector>([this](uint32_t sender) { return reconnect(sender); });
  if (p.options.links.acknowledges) {
    acknowledges = std::make_unique<Acknowledger>(p);
    p.links.acknowledger = acknowledges.get();
  }
  const std::string &text = p.options.job->addresses[uint32_t(p.options.pe)];
  auto address = remote::parseAddress(text);
  if (!address)
    return "'" + text + "' is no address of a PE: unix:PATH, or HOST:PORT";
  if (int failed = remote::Acceptor::make(*address, identity, *this, acceptor))
    return "cannot listen at " + text + ": " + os::errorText(-failed);
  if (p.options.job->isAgain)
    callSenders();
  return "";
}

int64_t Peers::patience() const {
  return p.options.links.restarts ? 1000 * kStartNanos : kStartNanos;
}

/// A PE that dies has closed its sockets before its launcher can see that. It is the launcher who
/// says what has happened, and ends the others: this PE does not fail before. Whether it has said
/// that `pe` has ended.
bool Peers::awaitLauncher(uint32_t pe) const {
  if (!p.options.job->isWatched || p.options.links.restarts)
    return false;
  for (int64_t end = os::now() + kLauncherNanos; !p.options.job->hasEnded(pe) && os::now() < end;)
    if (p.end.stop.sleep(kPauseNanos))
      break;
  return p.options.job->hasEnded(pe);
}

/// Says hello to another PE for `nanos` ns at most, while that may still start. One that dies
/// before it has answered, and is to be started again, is asked again. `needsNone`: no answer is
/// waited for any more; then as if the stream had ended.
remote::Met Peers::introduce(uint32_t pe, const remote::Hello &hello, int64_t nanos,
                             const std::function<bool()> &needsNone) {
  auto address = remote::parseAddress(p.options.job->addresses[pe]);
  for (int64_t end = os::now() + nanos;;) {
    if (p.options.job->hasEnded(pe) || needsNone())
      return remote::StreamEnded{};
    int64_t left = end - os::now(), until = os::now() + std::min(left, kLookNanos);
    auto met = remote::introduce(*address, hello, until - os::now(), p.end.stop.descriptor());
    const bool failed = std::holds_alternative<std::string>(met), early = os::now() < until;
    if (failed && early && awaitLauncher(pe))
      return remote::StreamEnded{};
    if (!failed || left <= kLookNanos || (early && !p.options.links.restarts)) // an answer
      return met;
    if (p.end.stop.sleep(early ? kPauseNanos : 0))
      return met;
  }
}

/// This PE was started again: those that send to it are to introduce themselves. Those that have
/// nothing more to send are not waited for. One that starts at this moment does so by itself, and
/// so does one that an earlier process of this PE has called. It may be about to end: then it
/// answers nobody, and waits until this PE has taken what it has sent.
void Peers::callSenders() {
  for (auto &[op, link] : receivers) {
    const std::vector<uint32_t> &pes = p.table.pes.sendersTo(op);
    for (uint32_t peer = 0; peer < pes.size(); ++peer) {
      remote::Hello hello{
          identity, remote::Hello::Kind::Receiver, {}, op, uint32_t(p.options.pe), {}, 0};
      auto hasCome = [&link, peer] {
        return link->seat(peer) == remote::PeerReceiveLink::Seat::Taken;
      };
      auto met = introduce(pes[peer], hello, patience(), hasCome);
      if (!std::holds_alternative<remote::Introduced>(met))
        link->close(peer);
    }
  }
}

std::unique_ptr<remote::SendLink> Peers::connect(uint32_t sender, int64_t nanos,
                                                 std::string &error) {
  uint32_t receiver = p.table.pes.receiver(sender), pe = p.table.pes.of(receiver);
  auto options = optionsOf(p, p.desc.outPorts[p.desc.operators[receiver].firstOut]);
  remote::Hello hello{identity, {}, {}, receiver, uint32_t(p.options.pe), {}, 0};
  auto say = [&](const remote::Hello &said) { return introduce(pe, said, nanos); };
  std::unique_ptr<remote::Worker> worker;
  remote::Met met = remote::Apart{};
  for (remote::Carrier carrier : remote::carriersOf(options.transport))
    if (std::holds_alternative<remote::Apart>(met))
      met = remote::reach(hello, carrier, options, say, worker);
  if (std::holds_alternative<remote::StreamEnded>(met))
    return nullptr;
  if (auto *introduced = std::get_if<remote::Introduced>(&met))
    return std::make_unique<remote::PeerSendLink>(
        options, p.end.failed.descriptor(), std::move(introduced->control), std::move(worker));
  auto *problem = std::get_if<std::string>(&met);
  if (!p.end.stop.raised())
    error = "cannot connect to PE " + std::to_string(pe) + ": " +
            (problem ? *problem : "the two have no carrier in common");
  return nullptr;
}

void Peers::enter(uint32_t sender, Reconnects &op) {
  os::Held held(lock);
  senders[sender] = &op;
}

void Peers::leave(uint32_t sender) {
  os::Held held(lock);
  senders[sender] = nullptr;
}

void Peers::drop(uint32_t op) {
  acceptor.reset(); // all operators end together
  receivers.erase(op);
}

/// The number of the sender among those of the link; -1: it is none of them.
int64_t Peers::peerOf(const remote::Hello &hello) const {
  auto found = receivers.find(hello.link);
  if (found == receivers.end())
    return -1;
  const std::vector<uint32_t> &pes = p.table.pes.sendersTo(hello.link);
  auto pe = std::ranges::find(pes, hello.pe);
  return pe == pes.end() ? -1 : pe - pes.begin();
}

/// The sender here of the receiver that says hello; -1: there is none.
int64_t Peers::senderOf(const remote::Hello &hello) const {
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op)
    if (p.desc.operators[op].link >= 0 && p.desc.operators[op].inputs && p.isHere(op) &&
        p.table.pes.receiver(op) == hello.link && p.table.pes.of(hello.link) == hello.pe)
      return op;
  return -1;
}

remote::Answer Peers::welcomeReceiver(const remote::Hello &hello) {
  int64_t sender = senderOf(hello);
  if (sender < 0)
    return {.refusal = "this PE does not send link " + std::to_string(hello.link) + " to PE " +
                       std::to_string(hello.pe)};
  os::Held held(lock);
  auto found = senders.find(uint32_t(sender));
  bool ended = found != senders.end() && !found->second;
  return {ended ? remote::Reply::Ended : remote::Reply::Accepted};
}

void Peers::endOthers() {
  if (ends.exchange(true, std::memory_order_relaxed))
    return;
  if (p.options.job->isWatched && !p.cut.makes) // a signal would end them with a checkpoint
    return os::askParentToEnd();
  ender = os::Thread(
      [this] {
        remote::Hello hello{identity, remote::Hello::Kind::End, {}, 0, uint32_t(p.options.pe), {},
                            0};
        std::vector<remote::Address> others;
        for (uint32_t pe = 0; pe < p.options.job->addresses.size(); ++pe)
          if (auto address = remote::parseAddress(p.options.job->addresses[pe]);
              address && pe != hello.pe)
            others.push_back(*address);
        // One that cannot be reached has ended, or has not begun: the others do not wait for it.
        const int64_t end = os::now() + kEndNanos;
        for (int64_t nanos = kPauseNanos;; nanos = std::min(2 * nanos, kEndNanos)) {
          std::erase_if(others, [&](const remote::Address &address) {
            auto met = remote::introduce(address, hello, nanos, p.end.failed.descriptor());
            return !std::holds_alternative<std::string>(met);
          });
          if (others.empty() || os::now() > end || p.end.failed.sleep(kPauseNanos))
            return;
        }
      },
      256 << 10);
}

remote::Answer Peers::welcome(const remote::Hello &hello) {
  if (hello.kind == remote::Hello::Kind::End) {
    p.end.stop.raise();
    return {remote::Reply::Ended};
  }
  if (hello.kind == remote::Hello::Kind::Receiver)
    return welcomeReceiver(hello);
  int64_t peer = peerOf(hello);
  if (peer < 0)
    return {.refusal = "this PE does not receive link " + std::to_string(hello.link) + " from PE " +
                       std::to_string(hello.pe)};
  switch (receivers[hello.link]->seat(uint32_t(peer))) {
  case remote::PeerReceiveLink::Seat::Free:
    return offers.offer(hello,
                        optionsOf(p, p.desc.outPorts[p.desc.operators[hello.link].firstOut]));
  case remote::PeerReceiveLink::Seat::Taken:
    return {remote::Reply::Later};
  case remote::PeerReceiveLink::Seat::Closed:
    return {remote::Reply::Ended};
  }
  __builtin_unreachable();
}

void Peers::attach(const remote::Hello &hello, remote::Socket control) {
  switch (hello.kind) {
  case remote::Hello::Kind::Receiver:
    return callSender(uint32_t(senderOf(hello)));
  case remote::Hello::Kind::Connection:
    return offers.keep(hello, std::move(control));
  case remote::Hello::Kind::Sender:
    return receivers[hello.link]->attach(uint32_t(peerOf(hello)), std::move(control),
                                         offers.take(hello));
  case remote::Hello::Kind::End:
    return; // it is not accepted
  }
}

void Peers::callSender(uint32_t sender) {
  os::Held held(lock);
  if (reconnector && senders.contains(sender)) // else this PE has not connected yet
    reconnector->call(sender);
}

/// False: not yet.
bool Peers::reconnect(uint32_t sender) {
  std::string error; // another death, or the sender was quicker
  auto link = connect(sender, kAttemptNanos, error);
  if (!link)
    return error.empty();
  {
    os::Held held(lock);
    if (Reconnects *op = senders[sender])
      return op->offer(std::move(link)), true;
  }
  link->finish(); // the stream has ended since its receiver has called
  return true;
}

void Peers::refused(const std::string &what) {
  if (p.end.stop.raised())
    return; // PEs that are told to end before they have met
  tell(p, std::string(p.desc.mainName) + ": warning: PE " + std::to_string(p.options.pe) +
              " refused a connection: " + what + "\n");
}

} // namespace sluice
