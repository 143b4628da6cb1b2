//===- Acceptor.cpp - answers those who say hello -------------------------===//
#include "runtime/remote/peer/Peers.h"
#include <algorithm>
#include <cerrno>
#include <poll.h>

namespace sluice::remote {

/// ns within which one that has connected must say hello, and take the answer.
static constexpr int64_t kPatience = 5 * os::kNanos;
/// Those that have not said hello yet. Others wait in the kernel.
static constexpr size_t kMostGuests = 64;

namespace {

/// One that has connected and not said hello.
struct Guest {
  Socket socket;
  int64_t deadline;
  Bytes message;                // what it has said
  size_t expected = kHelloHead; // how long that will be
};

} // namespace

struct Acceptor::Impl {
  Address at;
  Identity identity;
  Host &host;
  Socket listener, wake, woken; // `wake` ends the thread
  std::vector<Guest> guests;
  os::Thread thread;

  explicit Impl(Host &host) : host(host) {}
  void run();
  void admit();
  bool hear(Guest &);
  bool finish(Guest &);
  bool refuseGuest(Guest &, const std::string &why);
};

/// False: the guest is done with.
bool Acceptor::Impl::hear(Guest &guest) {
  size_t had = guest.message.size();
  guest.message.resize(guest.expected);
  int64_t n = readSome(guest.socket, guest.message.data() + had, guest.expected - had);
  guest.message.resize(had + size_t(std::max<int64_t>(n, 0)));
  if (n == -EAGAIN)
    return true;
  if (n <= 0) {
    host.refused(peerName(guest.socket) + " closed the connection without a hello");
    return false;
  }
  if (guest.message.size() < guest.expected)
    return true;
  if (guest.expected > kHelloHead)
    return finish(guest);
  auto rest = helloRest(std::span(guest.message).first<kHelloHead>());
  if (auto *wrong = std::get_if<std::string>(&rest))
    return refuseGuest(guest, *wrong);
  guest.expected += std::get<size_t>(rest);
  return guest.expected > kHelloHead || finish(guest);
}

/// The guest is done with: false.
bool Acceptor::Impl::refuseGuest(Guest &guest, const std::string &why) {
  host.refused("refused " + peerName(guest.socket) + ": " + why);
  // What was not read when a socket is closed would destroy the answer.
  std::byte unread[4096];
  for (int i = 0; i < 16 && readSome(guest.socket, unread, sizeof unread) > 0; ++i)
    ;
  writeAll(guest.socket, encode(Answer{Reply::Refused, {}, why}), 0);
  return false;
}

/// The guest has said all of its hello, and is done with: false.
bool Acceptor::Impl::finish(Guest &guest) {
  Hello hello = decodeHello(guest.message);
  if (auto why = refuse(identity, hello.identity))
    return refuseGuest(guest, *why);
  Answer answer = host.welcome(hello);
  if (answer.reply == Reply::Refused)
    return refuseGuest(guest, answer.refusal);
  // Who cannot be answered waits no longer and asks again, or has ended, which its launcher tells.
  if (writeAll(guest.socket, encode(answer), kPatience) == 0 && answer.reply == Reply::Accepted)
    host.attach(hello, std::move(guest.socket));
  return false;
}

void Acceptor::Impl::admit() {
  Socket socket;
  if (acceptFrom(listener, socket) == 0)
    guests.push_back({std::move(socket), os::now() + kPatience, {}});
}

void Acceptor::Impl::run() {
  std::vector<pollfd> files;
  for (;;) {
    files.assign({{woken.descriptor(), POLLIN, 0},
                  {guests.size() < kMostGuests ? listener.descriptor() : -1, POLLIN, 0}});
    for (const Guest &guest : guests)
      files.push_back({guest.socket.descriptor(), POLLIN, 0});
    poll(files.data(), files.size(), guests.empty() ? -1 : 100);
    if (files[0].revents)
      return;
    std::vector<Guest> staying;
    for (size_t i = 0; i < guests.size(); ++i) {
      Guest &guest = guests[i];
      if (files[i + 2].revents && !hear(guest))
        continue;
      if (os::now() > guest.deadline)
        refuseGuest(guest, "it connected and did not say hello");
      else
        staying.push_back(std::move(guest));
    }
    guests = std::move(staying);
    if (files[1].revents)
      admit();
  }
}

Acceptor::Acceptor(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
const Address &Acceptor::address() const { return impl->at; }

Acceptor::~Acceptor() {
  std::byte end{};
  writeAll(impl->wake, {&end, 1}, 0);
  impl->thread.join();
}

int Acceptor::make(const Address &address, const Identity &identity, Host &host,
                   std::unique_ptr<Acceptor> &to) {
  auto made = std::make_unique<Impl>(host);
  made->identity = identity;
  if (int error = listenAt(address, made->listener))
    return error;
  if (int error = socketPair(made->wake, made->woken))
    return error;
  made->at = listeningAt(made->listener, address);
  Impl *impl = made.get();
  made->thread = os::Thread([impl] { impl->run(); }, 256 << 10);
  to.reset(new Acceptor(std::move(made)));
  return 0;
}

} // namespace sluice::remote
