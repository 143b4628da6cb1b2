//===- Remote.cpp - the other PEs of a job --------------------------------===//
#include "runtime/exec/remote/Remote.h"
#include "runtime/base/hash/Digest.h"
#include "runtime/base/process.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/job/Job.h"
#include "runtime/exec/state/Program.h"
#include <algorithm>
#include <cstring>
#include <string_view>

namespace sluice {

/// ns for which a PE waits for another one to start, if nobody says that it will not.
static constexpr int64_t kStartNanos = 30 * os::kNanos;
/// ns after which it is looked at whether a PE has ended that does not answer.
static constexpr int64_t kLookNanos = 2 * os::kNanos;
/// ns until a PE that has died before it answered is asked again.
static constexpr int64_t kPauseNanos = os::kNanos / 50;
/// ns for which it is tried to tell a PE that the job ends.
static constexpr int64_t kEndNanos = 2 * os::kNanos;
/// ns for which it is tried to connect a sender until others are.
static constexpr int64_t kAttemptNanos = os::kNanos / 2;

/// Equal for the same program: all PEs of a job have to be of one.
static uint64_t hashOf(const ProgramDesc &desc) {
  Digest digest;
  for (const char *text : {desc.mainName, desc.sourceFile})
    digest.add(std::string_view(text));
  for (uint32_t i = 0; i < desc.operatorCount; ++i) {
    const OperatorDesc &op = desc.operators[i];
    for (const char *text : {op.name, op.kind})
      digest.add(std::string_view(text));
    for (uint64_t number :
         {uint64_t(op.line), uint64_t(op.column), uint64_t(op.pe), uint64_t(uint32_t(op.link)),
          uint64_t(op.inputs), uint64_t(op.outputs), op.stateBytes})
      digest.add(number);
  }
  return digest.value();
}

/// Of what all PEs have to be started with alike: submission-time values, and how links work.
static uint64_t hashOf(const RunOptions &options) {
  Digest digest;
  for (const std::string &value : options.values)
    digest.add(value);
  digest.add(options.links.agreement());
  return digest.value();
}

Remote::Remote(Program &p) : p(p) {
  static_assert(sizeof identity.token == sizeof p.options.job->token);
  memcpy(identity.token.data(), p.options.job->token.data(), sizeof identity.token);
  identity.program = hashOf(p.desc);
  identity.values = hashOf(p.options);
}

Remote::~Remote() = default;

static remote::LinkOptions optionsOf(const Program &p, const OutPortDesc &port) {
  remote::LinkOptions options = p.options.links;
  options.room = remote::schemaOf(port).room;
  if (p.options.latency > 0) // half of it: the rest is for work
    options.latencyNanos = int64_t(p.options.latency * double(os::kNanos) / 2);
  return options;
}

std::string Remote::start() {
  if (auto problem = remote::loadUcx())
    return *problem;
  std::string error;
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op) {
    const OperatorDesc &desc = p.desc.operators[op];
    if (desc.link < 0 || desc.inputs || !p.isHere(op))
      continue;
    receivers[op] = remote::ReceiveLink::make(optionsOf(p, p.desc.outPorts[desc.firstOut]),
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

int64_t Remote::patience() const {
  return p.options.links.restarts ? 1000 * kStartNanos : kStartNanos;
}

/// Says hello to another PE for `nanos` ns at most, while that may still start. One that dies
/// before it has answered, and is to be started again, is asked again.
remote::Met Remote::introduce(uint32_t pe, const remote::Hello &hello, int64_t nanos) {
  auto address = remote::parseAddress(p.options.job->addresses[pe]);
  for (int64_t end = os::now() + nanos;;) {
    if (p.options.job->hasEnded(pe))
      return remote::StreamEnded{};
    int64_t left = end - os::now(), until = os::now() + std::min(left, kLookNanos);
    auto met = remote::introduce(*address, hello, until - os::now(), p.end.stop.descriptor());
    const bool failed = std::holds_alternative<std::string>(met), early = os::now() < until;
    if (!failed || left <= kLookNanos || (early && !p.options.links.restarts)) // an answer
      return met;
    if (p.end.stop.sleep(early ? kPauseNanos : 0))
      return met;
  }
}

/// This PE was started again: those that send to it are to introduce themselves. Those that have
/// nothing more to send are not waited for. One that starts at this moment does so by itself.
void Remote::callSenders() {
  for (auto &[op, link] : receivers) {
    const std::vector<uint32_t> &pes = p.table.pes.sendersTo(op);
    for (uint32_t peer = 0; peer < pes.size(); ++peer) {
      remote::Hello hello{identity, op, uint32_t(p.options.pe), {}, 0};
      if (!std::holds_alternative<remote::Introduced>(introduce(pes[peer], hello, patience())))
        link->close(peer);
    }
  }
}

/// For Hello: where the memory is that a link with these options would share.
static uint64_t domain(const remote::LinkOptions &options) {
  return options.transport == remote::Transport::Tcp ? 0 : os::memoryDomain();
}

std::unique_ptr<remote::SendLink> Remote::connect(uint32_t sender, int64_t nanos,
                                                  std::string &error) {
  uint32_t receiver = p.table.pes.receiver(sender), pe = p.table.pes.of(receiver);
  auto options = optionsOf(p, p.desc.outPorts[p.desc.operators[receiver].firstOut]);
  auto link = remote::SendLink::make(options, p.end.failed.descriptor(), error);
  if (!link)
    return nullptr;
  remote::Hello hello{identity, receiver, uint32_t(p.options.pe), link->address(), domain(options)};
  auto met = introduce(pe, hello, nanos);
  if (std::holds_alternative<remote::Apart>(met)) {
    options.transport = remote::Transport::Tcp;
    link = remote::SendLink::make(options, p.end.failed.descriptor(), error);
    if (!link)
      return nullptr;
    hello.address = link->address();
    hello.domain = domain(options);
    met = introduce(pe, hello, nanos);
  }
  if (std::holds_alternative<remote::StreamEnded>(met))
    return nullptr;
  auto *introduced = std::get_if<remote::Introduced>(&met);
  auto problem = introduced ? link->connect(std::move(introduced->control), introduced->address)
                            : std::optional(std::get<std::string>(met));
  if (!problem)
    return link;
  if (!p.end.stop.raised())
    error = "cannot connect to PE " + std::to_string(pe) + ": " + *problem;
  return nullptr;
}

void Remote::enter(uint32_t sender, Reconnects &op) {
  os::Held held(lock);
  senders[sender] = &op;
}

void Remote::leave(uint32_t sender) {
  os::Held held(lock);
  senders[sender] = nullptr;
}

void Remote::drop(uint32_t op) {
  acceptor.reset(); // all operators end together
  receivers.erase(op);
}

/// The number of the sender among those of the link; -1: it is none of them.
int64_t Remote::peerOf(const remote::Hello &hello) const {
  auto found = receivers.find(hello.link);
  if (found == receivers.end())
    return -1;
  const std::vector<uint32_t> &pes = p.table.pes.sendersTo(hello.link);
  auto pe = std::ranges::find(pes, hello.pe);
  return pe == pes.end() ? -1 : pe - pes.begin();
}

/// The sender here of the receiver that says hello; -1: there is none.
int64_t Remote::senderOf(const remote::Hello &hello) const {
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op)
    if (p.desc.operators[op].link >= 0 && p.desc.operators[op].inputs && p.isHere(op) &&
        p.table.pes.receiver(op) == hello.link && p.table.pes.of(hello.link) == hello.pe)
      return op;
  return -1;
}

remote::Answer Remote::welcomeReceiver(const remote::Hello &hello) {
  int64_t sender = senderOf(hello);
  if (sender < 0)
    return {.refusal = "this PE does not send link " + std::to_string(hello.link) + " to PE " +
                       std::to_string(hello.pe)};
  os::Held held(lock);
  auto found = senders.find(uint32_t(sender));
  bool ended = found != senders.end() && !found->second;
  return {ended ? remote::Reply::Ended : remote::Reply::Accepted};
}

void Remote::endOthers() {
  if (ends.exchange(true, std::memory_order_relaxed))
    return;
  if (p.options.job->isWatched && !p.cut.makes) // a signal would end them with a checkpoint
    return os::askParentToEnd();
  ender = os::Thread(
      [this] {
        remote::Hello hello{identity, remote::Hello::kNoLink, uint32_t(p.options.pe), {}, 0};
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

remote::Answer Remote::welcome(const remote::Hello &hello) {
  if (hello.isEnd()) {
    p.end.stop.raise();
    return {remote::Reply::Ended};
  }
  if (hello.isOfReceiver())
    return welcomeReceiver(hello);
  int64_t peer = peerOf(hello);
  if (peer < 0)
    return {.refusal = "this PE does not receive link " + std::to_string(hello.link) + " from PE " +
                       std::to_string(hello.pe)};
  if (hello.domain && hello.domain != os::memoryDomain()) {
    if (p.options.links.transport == remote::Transport::Shm)
      return {.refusal = "it is on another machine, or in another namespace or container of this "
                         "one: they share no memory. Leave --transport=shm out"};
    return {remote::Reply::Apart};
  }
  auto seat = receivers[hello.link]->seat(uint32_t(peer));
  switch (seat.state) {
  case remote::ReceiveLink::Seat::State::Free:
    return {remote::Reply::Accepted, std::move(seat.address)};
  case remote::ReceiveLink::Seat::State::Taken:
    return {remote::Reply::Later};
  case remote::ReceiveLink::Seat::State::Closed:
    return {remote::Reply::Ended};
  }
  __builtin_unreachable();
}

void Remote::attach(const remote::Hello &hello, remote::Socket control) {
  if (hello.isOfReceiver())
    return callSender(uint32_t(senderOf(hello)));
  receivers[hello.link]->attach(uint32_t(peerOf(hello)), std::move(control), hello.address);
}

void Remote::callSender(uint32_t sender) {
  os::Held held(lock);
  if (reconnector && senders.contains(sender)) // else this PE has not connected yet
    reconnector->call(sender);
}

/// False: not yet.
bool Remote::reconnect(uint32_t sender) {
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

void Remote::refused(const std::string &what) {
  if (p.end.stop.raised())
    return; // PEs that are told to end before they have met
  tell(p, std::string(p.desc.mainName) + ": warning: PE " + std::to_string(p.options.pe) +
              " refused a connection: " + what + "\n");
}

int32_t startRemote(Program &p) {
  if (p.options.pe < 0)
    return 0;
  p.links.remote = std::make_unique<Remote>(p);
  std::string problem = p.links.remote->start();
  if (problem.empty())
    return 0;
  tell(p, std::string(p.desc.mainName) + ": error: PE " + std::to_string(p.options.pe) + ": " +
              problem + "\n");
  p.end.failing = true;
  return -1;
}

} // namespace sluice
