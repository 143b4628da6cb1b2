//===- LinkFixture.h - both ends of a link, in two processes ----*- C++ -*-===//
#pragma once
#include "runtime/remote/link/Carriers.h"
#include "runtime/remote/link/PeerLink.h"
#include "test/unit/remote/Processes.h"
#include <cstring>
#include <optional>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <vector>

namespace sluice::remote {

using Sent = SendLink::Result;
using Got = ReceiveLink::Result;

/// Frames of random sizes that say which they are.
struct Pattern {
  uint64_t seed = 1;
  size_t most = 65536;

  size_t bytes(uint64_t number) const { return 16 + mix(number) % (most - 15); }
  void fill(uint64_t number, std::byte *to) const {
    size_t size = bytes(number);
    uint64_t head[2] = {number, size};
    memcpy(to, head, sizeof head);
    memset(to + 16, int(mix(number) >> 40 & 0xff), size - 16);
  }
  /// What is wrong with frame `number`.
  std::string check(uint64_t number, const std::byte *from, size_t size) const {
    uint64_t head[2];
    if (size != bytes(number))
      return "frame " + std::to_string(number) + " has " + std::to_string(size) + " bytes, not " +
             std::to_string(bytes(number));
    memcpy(head, from, sizeof head);
    if (head[0] != number)
      return "frame " + std::to_string(number) + " says " + std::to_string(head[0]);
    std::byte expected{uint8_t(mix(number) >> 40)};
    for (size_t i = 16; i < size; i += size > 8192 ? 509 : 1)
      if (from[i] != expected)
        return "frame " + std::to_string(number) + " differs at " + std::to_string(i);
    return size == 16 || from[size - 1] == expected ? "" : "the last byte differs";
  }

private:
  uint64_t mix(uint64_t x) const {
    x = (x + seed) * 0x9e3779b97f4a7c15;
    return (x ^ x >> 29) * 0xbf58476d1ce4e5b9 >> 7;
  }
};

/// Memory of a receiver's buffers.
class Buffers {
public:
  Buffers(ReceiveLink &link, uint32_t peer, const LinkOptions &options)
      : memory(link.depth() * options.room) {
    for (uint32_t i = 0; i < link.depth(); ++i)
      link.post(peer, memory.data() + i * options.room);
  }

private:
  std::vector<std::byte> memory;
};

/// Two ends of one control socket for each sender, made before the processes are.
struct Wires {
  struct Pair {
    Socket sender, receiver;
  };
  std::vector<Pair> pairs, frames; // control sockets, and those of Carrier::Socket

  explicit Wires(size_t count = 1) : pairs(count), frames(count) {
    for (Pair &pair : pairs)
      socketPair(pair.sender, pair.receiver);
    for (Pair &pair : frames)
      tcpPair(pair);
  }
  /// Of one process: the other ends are closed, so that their end is seen.
  Pair sender(size_t number) {
    Pair mine = {std::move(pairs[number].sender), std::move(frames[number].sender)};
    close();
    return mine;
  }
  void receiver() {
    for (std::vector<Pair> *all : {&pairs, &frames})
      for (Pair &pair : *all)
        pair.sender.close();
  }
  void close() {
    pairs.clear();
    frames.clear();
  }

private:
  static void tcpPair(Pair &pair) {
    Socket listener;
    Address any = *parseAddress("127.0.0.1:0");
    ASSERT_EQ(listenAt(any, listener), 0);
    ASSERT_EQ(connectTo(listeningAt(listener, any), pair.sender), 0);
    ASSERT_EQ(acceptFrom(listener, pair.receiver), 0);
  }
};

/// Bytes are exchanged here as Hello and Answer do it.
inline void say(const Socket &to, const Bytes &bytes) {
  uint32_t size = uint32_t(bytes.size());
  writeAll(to, std::as_bytes(std::span(&size, 1)), os::kNanos);
  writeAll(to, bytes, os::kNanos);
}
inline Bytes hear(const Socket &from) {
  uint32_t size = 0;
  if (recv(from.descriptor(), &size, sizeof size, MSG_WAITALL) != sizeof size)
    return {};
  Bytes bytes(size);
  if (size)
    recv(from.descriptor(), bytes.data(), size, MSG_WAITALL);
  return bytes;
}

/// The sender's end; null: says why. `wires`: the control socket, and the one for frames.
inline std::unique_ptr<PeerSendLink> openSender(const LinkOptions &options, Wires::Pair wires,
                                                std::string &error, int stop = -1) {
  Socket &control = wires.sender, &frames = wires.receiver;
  std::unique_ptr<Worker> worker;
  auto introduce = [&](const Hello &hello) -> Met {
    if (hello.kind == Hello::Kind::Connection) {
      say(control, encode(hello));
      return Introduced{std::move(frames), hear(control)};
    }
    say(control, encode(hello));
    Bytes address = hear(control);
    return Introduced{std::move(control), std::move(address)};
  };
  Met met = reach({}, carriersOf(options.transport).front(), options, introduce, worker);
  if (auto *wrong = std::get_if<std::string>(&met)) {
    error = *wrong;
    return nullptr;
  }
  return std::make_unique<PeerSendLink>(options, stop, std::move(std::get<Introduced>(met).control),
                                        std::move(worker));
}
/// The receiver's end for all of `wires`.
inline std::unique_ptr<PeerReceiveLink> openReceiver(const LinkOptions &options, Wires &wires,
                                                     std::string &error, int stop = -1) {
  wires.receiver();
  auto link = PeerReceiveLink::make(options, uint32_t(wires.pairs.size()), stop, error);
  Offers offers;
  for (uint32_t i = 0; link && i < wires.pairs.size(); ++i)
    for (Socket &control = wires.pairs[i].receiver; control;) {
      Bytes said = hear(control);
      if (said.empty()) // the sender has died
        break;
      Hello hello = decodeHello(said);
      Answer answer = offers.offer(hello, options);
      if (error = answer.refusal; answer.reply != Reply::Accepted)
        return nullptr;
      say(control, answer.address);
      if (hello.kind == Hello::Kind::Connection)
        offers.keep(hello, std::move(wires.frames[i].receiver));
      else
        link->attach(i, std::move(control), offers.take(hello));
    }
  return link;
}

/// Sends frames 0 .. count-1 in up to three pieces each.
inline std::string sendAll(SendLink &link, const Pattern &pattern, uint64_t count) {
  std::vector<std::byte> memory(pattern.most);
  for (uint64_t i = 0; i < count; ++i) {
    pattern.fill(i, memory.data());
    size_t size = pattern.bytes(i), first = i % 3 ? size : size / 2, second = (size - first) / 3;
    Piece pieces[3] = {{memory.data(), first},
                       {memory.data() + first, second},
                       {memory.data() + first + second, size - first - second}};
    if (link.send({pieces, size_t(i % 3 ? 1 : 3)}) != SendLink::Result::Sent)
      return "frame " + std::to_string(i) + " was not sent";
  }
  return "";
}

struct Way {
  Transport transport;
  Wait wait;
};
inline std::string nameOf(const testing::TestParamInfo<Way> &info) {
  const char *waits[] = {"Poll", "Interrupt", "Sleep", "Auto"};
  const char *transports[] = {"Auto", "Shm", "Socket", "Ucx"};
  return std::string(transports[int(info.param.transport)]) + waits[int(info.param.wait)];
}

class LinkOfAnyWay : public testing::TestWithParam<Way> {
protected:
  LinkOptions options() const {
    LinkOptions o;
    o.transport = GetParam().transport;
    o.wait = GetParam().wait;
    o.sleepNanos = 2'000'000;
    return o;
  }
};

#define SLUICE_LINK_WAYS                                                                           \
  testing::Values(Way{Transport::Shm, Wait::Poll}, Way{Transport::Shm, Wait::Interrupt},           \
                  Way{Transport::Shm, Wait::Sleep}, Way{Transport::Shm, Wait::Auto},               \
                  Way{Transport::Socket, Wait::Poll}, Way{Transport::Socket, Wait::Interrupt},     \
                  Way{Transport::Socket, Wait::Sleep}, Way{Transport::Socket, Wait::Auto},         \
                  Way{Transport::Ucx, Wait::Poll}, Way{Transport::Ucx, Wait::Interrupt},           \
                  Way{Transport::Ucx, Wait::Sleep}, Way{Transport::Ucx, Wait::Auto})

/// A stop: raised by the second thread or by another process, read by a link.
class StopSwitch {
public:
  StopSwitch() : fd(eventfd(0, EFD_CLOEXEC)) {}
  ~StopSwitch() { close(fd); }
  int descriptor() const { return fd; }
  void raise() const {
    uint64_t one = 1;
    EXPECT_EQ(write(fd, &one, sizeof one), ssize_t(sizeof one));
  }

private:
  int fd;
};

} // namespace sluice::remote
