//===- PeersTest.cpp - control sockets ------------------------------------===//
#include "runtime/remote/peer/Peers.h"
#include <algorithm>
#include <atomic>
#include <csignal>
#include <gtest/gtest.h>
#include <random>
#include <sys/socket.h>
#include <unistd.h>

namespace sluice::remote {
namespace {

Bytes bytesOf(const std::string &text) {
  auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Identity job(int token = 1) {
  Identity identity;
  identity.token.fill(std::byte(token));
  identity.program = 11;
  identity.values = 22;
  return identity;
}

Hello helloOf(const Identity &identity, uint32_t link = 3) {
  return {identity, Hello::Kind::Sender, Carrier::Ucx, link, 5, bytesOf("sender's address"), 0};
}

/// Knows link 3.
struct Book : Host {
  os::Lock lock;
  std::vector<std::string> refusals;
  std::vector<Socket> attached;

  Answer welcome(const Hello &hello) override {
    if (hello.domain)
      return {Reply::Apart};
    if (hello.link != 3)
      return {Reply::Refused, {}, "there is no link " + std::to_string(hello.link)};
    return {Reply::Accepted, bytesOf("receiver's address"), ""};
  }
  void attach(const Hello &hello, Socket control) override {
    EXPECT_EQ(hello.address, bytesOf("sender's address"));
    EXPECT_EQ(hello.pe, 5u);
    os::Held held(lock);
    attached.push_back(std::move(control));
  }
  void refused(const std::string &what) override {
    os::Held held(lock);
    refusals.push_back(what);
  }
  /// Waits until `count` were refused; all of their words.
  std::string words(size_t count) {
    for (int64_t end = os::now() + 10 * os::kNanos; os::now() < end; os::yieldThread()) {
      os::Held held(lock);
      if (refusals.size() >= count)
        break;
    }
    os::Held held(lock);
    std::string all;
    for (const std::string &each : refusals)
      all += each + "\n";
    return all;
  }
};

class RemotePeers : public testing::TestWithParam<bool> {
protected:
  void SetUp() override {
    Address at = *parseAddress("127.0.0.1:0");
    if (GetParam()) {
      path = testing::TempDir() + "/sluice-peers-" + std::to_string(getpid()) + ".sock";
      at = *parseAddress("unix:" + path);
    }
    ASSERT_EQ(Acceptor::make(at, job(), book, acceptor), 0);
  }
  void TearDown() override {
    acceptor.reset();
    if (!path.empty())
      unlink(path.c_str());
  }
  Met hello(const Hello &hello) {
    return introduce(acceptor->address(), hello, 5 * os::kNanos, -1);
  }
  std::string refusal(const Hello &said) {
    auto answer = hello(said);
    auto *words = std::get_if<std::string>(&answer);
    return words ? *words : "accepted";
  }

  std::string path;
  Book book;
  std::unique_ptr<Acceptor> acceptor;
};

TEST_P(RemotePeers, Introduce) {
  auto answer = hello(helloOf(job()));
  ASSERT_TRUE(std::holds_alternative<Introduced>(answer)) << std::get<std::string>(answer);
  EXPECT_EQ(std::get<Introduced>(answer).address, bytesOf("receiver's address"));
  // The end of the socket is seen at the other end.
  for (int64_t end = os::now() + 5 * os::kNanos; os::now() < end; os::yieldThread()) {
    os::Held held(book.lock);
    if (!book.attached.empty())
      break;
  }
  os::Held held(book.lock);
  ASSERT_EQ(book.attached.size(), 1u);
  char byte;
  EXPECT_EQ(readSome(book.attached[0], &byte, 1), -EAGAIN);
  answer = "";
  int64_t end = os::now() + 5 * os::kNanos, n;
  while ((n = readSome(book.attached[0], &byte, 1)) == -EAGAIN && os::now() < end)
    os::yieldThread();
  EXPECT_EQ(n, 0);
}

TEST_P(RemotePeers, RefuseInWords) {
  Identity program = job(), values = job();
  program.program = 12;
  values.values = 23;
  EXPECT_NE(refusal(helloOf(job(2))).find("does not have the token"), std::string::npos);
  EXPECT_NE(refusal(helloOf(program)).find("another program"), std::string::npos);
  EXPECT_NE(refusal(helloOf(values)).find("submission-time values"), std::string::npos);
  EXPECT_NE(refusal(helloOf(job(), 4)).find("there is no link 4"), std::string::npos);
  std::string words = book.words(4);
  EXPECT_NE(words.find(path.empty() ? "refused 127.0.0.1:" : "refused process "), std::string::npos)
      << words;
  EXPECT_EQ(refusal(helloOf(job())), "accepted");
}

TEST_P(RemotePeers, SurviveGarbage) {
  std::mt19937 random(3);
  constexpr size_t kRuns = 200;
  for (size_t run = 0; run < kRuns; ++run) {
    Bytes message = encode(helloOf(job()));
    switch (run % 4) {
    case 0: // anything
      message.resize(random() % 300);
      std::generate(message.begin(), message.end(), [&] { return std::byte(random()); });
      break;
    case 1: // a part
      message.resize(random() % message.size());
      break;
    case 2: // one bit of the head differs, other than in the numbers of link and PE
      message[random() % 56] ^= std::byte(1 << random() % 8);
      break;
    case 3: // an address that is too long
      message[64] = message[65] = message[66] = std::byte(0xff);
    }
    Socket socket;
    ASSERT_EQ(connectTo(acceptor->address(), socket), 0);
    writeAll(socket, message, os::kNanos);
    shutdown(socket.descriptor(), SHUT_WR);
    std::byte answer[2048];
    int64_t n;
    while ((n = readSome(socket, answer, sizeof answer)) == -EAGAIN)
      os::yieldThread();
    if (n >= int64_t(kAnswerHead))
      EXPECT_EQ(decodeAnswer({answer, size_t(n)}).reply, Reply::Refused) << run;
  }
  book.words(kRuns);
  EXPECT_EQ(book.refusals.size(), kRuns);
  EXPECT_TRUE(book.attached.empty());
  EXPECT_EQ(refusal(helloOf(job())), "accepted");
}

/// Who does not wait for its answer is not refused, and nothing is said of it: it asks again.
TEST_P(RemotePeers, GoneBeforeTheAnswer) {
  if (path.empty())
    GTEST_SKIP() << "TCP takes what nobody will read";
  Socket socket;
  ASSERT_EQ(connectTo(acceptor->address(), socket), 0);
  shutdown(socket.descriptor(), SHUT_RD);
  writeAll(socket, encode(helloOf(job())), os::kNanos);
  std::byte answer;
  while (readSome(socket, &answer, 1) == -EAGAIN) // until it is closed
    os::yieldThread();
  EXPECT_EQ(refusal(helloOf(job())), "accepted");
  os::Held held(book.lock);
  EXPECT_EQ(book.refusals, std::vector<std::string>());
}

/// Guests that say nothing do not keep others out.
TEST_P(RemotePeers, OthersComeInWhileGuestsAreSilent) {
  std::vector<Socket> silent(20);
  for (Socket &socket : silent)
    ASSERT_EQ(connectTo(acceptor->address(), socket), 0);
  int64_t start = os::now();
  EXPECT_EQ(refusal(helloOf(job())), "accepted");
  EXPECT_LT(os::now() - start, 3 * os::kNanos);
}

INSTANTIATE_TEST_SUITE_P(Sockets, RemotePeers, testing::Bool(),
                         [](const testing::TestParamInfo<bool> &info) {
                           return info.param ? "Unix" : "Tcp";
                         });

TEST(RemotePeer, WaitsForOneThatStartsLater) {
  std::string path = testing::TempDir() + "/sluice-late-" + std::to_string(getpid()) + ".sock";
  Address at = *parseAddress("unix:" + path);
  Book book;
  std::unique_ptr<Acceptor> acceptor;
  os::Event never;
  os::Thread later(
      [&] {
        never.sleep(os::kNanos / 5);
        EXPECT_EQ(Acceptor::make(at, job(), book, acceptor), 0);
      },
      256 << 10);
  auto answer = introduce(at, helloOf(job()), 10 * os::kNanos, -1);
  later.join();
  EXPECT_TRUE(std::holds_alternative<Introduced>(answer)) << std::get<std::string>(answer);
  acceptor.reset();
  unlink(path.c_str());
}

std::atomic<int> caught; // signals; relaxed: nothing else is read by it

/// A console asks a PE to look, by a signal, while it connects: the wait for an answer goes on.
TEST(RemotePeer, SignalsDoNotEndTheWait) {
  std::string path = testing::TempDir() + "/sluice-signals-" + std::to_string(getpid()) + ".sock";
  Address at = *parseAddress("unix:" + path);
  Socket listener, guest;
  ASSERT_EQ(listenAt(at, listener), 0);
  struct sigaction handling = {}, before;
  handling.sa_handler = [](int) { caught.fetch_add(1, std::memory_order_relaxed); };
  handling.sa_flags = SA_RESTART;
  sigaction(SIGWINCH, &handling, &before);
  std::atomic<pthread_t> self = {}; // release, for the load below
  std::atomic<bool> isOver = false; // relaxed: the join orders what was written
  Met answer;
  os::Thread asking(
      [&] {
        self.store(pthread_self(), std::memory_order_release);
        answer = introduce(at, helloOf(job()), 600 * os::kNanos, -1);
        isOver.store(true, std::memory_order_relaxed);
      },
      256 << 10);
  while (acceptFrom(listener, guest))
    os::yieldThread();
  Bytes said(encode(helloOf(job())).size());
  for (size_t had = 0; had < said.size(); os::yieldThread())
    had += size_t(std::max<int64_t>(readSome(guest, said.data() + had, said.size() - had), 0));
  for (int n = 1; n <= 50 && !isOver.load(std::memory_order_relaxed); ++n) {
    pthread_kill(self.load(std::memory_order_acquire), SIGWINCH); // of the store above
    while (caught.load(std::memory_order_relaxed) < n && !isOver.load(std::memory_order_relaxed))
      usleep(1000);
  }
  writeAll(guest, encode(Answer{Reply::Accepted, bytesOf("receiver's address"), ""}), os::kNanos);
  asking.join();
  sigaction(SIGWINCH, &before, nullptr);
  unlink(path.c_str());
  auto *problem = std::get_if<std::string>(&answer);
  EXPECT_TRUE(std::holds_alternative<Introduced>(answer)) << (problem ? *problem : "");
}

TEST(RemotePeer, GivesUp) {
  Address nobody = *parseAddress("unix:" + testing::TempDir() + "/nobody.sock");
  int64_t start = os::now();
  auto answer = introduce(nobody, helloOf(job()), os::kNanos / 10, -1);
  EXPECT_LT(os::now() - start, 5 * os::kNanos);
  ASSERT_TRUE(std::holds_alternative<std::string>(answer));
  EXPECT_NE(std::get<std::string>(answer).find("nobody.sock: No such file"), std::string::npos);
  Socket stop, stopper;
  socketPair(stop, stopper);
  stopper.close();
  start = os::now();
  EXPECT_TRUE(std::holds_alternative<std::string>(
      introduce(nobody, helloOf(job()), 60 * os::kNanos, stop.descriptor())));
  EXPECT_LT(os::now() - start, 5 * os::kNanos);
}

TEST(RemotePeer, Addresses) {
  for (const char *text : {"unix:/tmp/a.sock", "127.0.0.1:7000", "host.example:1", "[::1]:65535"})
    EXPECT_EQ(toText(*parseAddress(text)), text);
  for (const char *text :
       {"", "unix:", "host", ":7", "host:", "host:x", "host:65536", "::1:7", "[]:7", "host:7x"})
    EXPECT_FALSE(parseAddress(text)) << text;
  Socket socket;
  EXPECT_EQ(listenAt(*parseAddress("unix:/" + std::string(200, 'x')), socket), -ENAMETOOLONG);
}

TEST(RemotePeer, HellosReadBack) {
  Hello hello = helloOf(job(9), 77);
  hello.domain = 0x123456789abcdef0;
  Bytes bytes = encode(hello);
  EXPECT_EQ(std::get<size_t>(helloRest(std::span(bytes).first<kHelloHead>())),
            hello.address.size());
  Hello back = decodeHello(bytes);
  EXPECT_EQ(back.identity.token, hello.identity.token);
  EXPECT_EQ(back.link, 77u);
  EXPECT_EQ(back.domain, hello.domain);
  EXPECT_EQ(back.address, hello.address);
  EXPECT_EQ(back.kind, hello.kind);
  EXPECT_EQ(back.carrier, hello.carrier);
  for (size_t at : {76, 78}) { // kind and carrier
    Bytes unknown = bytes;
    unknown[at] = std::byte(7);
    EXPECT_NE(std::get<std::string>(helloRest(std::span(unknown).first<kHelloHead>()))
                  .find("of no kind that is known"),
              std::string::npos);
  }
  bytes = encode(Answer{Reply::Refused, {}, std::string(5000, 'w')});
  EXPECT_EQ(std::get<size_t>(answerRest(std::span(bytes).first<kAnswerHead>())), kLongestRefusal);
  EXPECT_EQ(decodeAnswer(bytes).refusal, std::string(kLongestRefusal, 'w'));
  bytes[4] = std::byte(9);
  EXPECT_NE(
      std::get<std::string>(answerRest(std::span(bytes).first<kAnswerHead>())).find("version 9"),
      std::string::npos);
}

} // namespace
} // namespace sluice::remote
