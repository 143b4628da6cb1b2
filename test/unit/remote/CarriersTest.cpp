//===- CarriersTest.cpp - how a sender reaches a receiver -----------------===//
#include "runtime/remote/link/Carriers.h"
#include "runtime/base/process.h"
#include <gtest/gtest.h>
#include <random>

namespace sluice::remote {
namespace {

Hello helloOf(Hello::Kind kind, Carrier carrier) {
  return {{}, kind, carrier, 3, 5, {}, os::memoryDomain()};
}

/// Answers as the PE of a receiver does.
struct Desk {
  LinkOptions options;
  Offers offers;
  std::unique_ptr<Worker> come = nullptr; // of the sender that was accepted
  int restartsBefore = 0;                 // that hello: what was offered is gone
  int asked = 0;

  Met answer(const Hello &hello) {
    if (++asked == restartsBefore)
      offers = {};
    Answer answer = offers.offer(hello, options);
    if (answer.reply == Reply::Apart)
      return Apart{};
    if (answer.reply == Reply::Anew)
      return Anew{};
    if (answer.reply != Reply::Accepted)
      return answer.refusal;
    Socket mine, other;
    EXPECT_EQ(socketPair(mine, other), 0);
    if (hello.kind == Hello::Kind::Connection)
      offers.keep(hello, std::move(other));
    else
      come = offers.take(hello);
    return Introduced{std::move(mine), std::move(answer.address)};
  }
  Met reached(Carrier carrier, std::unique_ptr<Worker> &worker) {
    return reach(
        helloOf(Hello::Kind::Sender, carrier), carrier, options,
        [this](const Hello &hello) { return answer(hello); }, worker);
  }
};

/// One message goes each way.
void talk(Worker &a, Worker &b) {
  for (auto [from, to] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    uint64_t said = 4711, heard = 0;
    Piece piece = {&said, sizeof said};
    Operation receive = to->receive(1, ~0ull, &heard, sizeof heard);
    Operation send = from->send(1, {&piece, 1});
    EXPECT_EQ(from->check(send), Progress::Done);
    while (!to->progress())
      ;
    Worker::Received received;
    EXPECT_EQ(to->check(receive, received), Progress::Done);
    EXPECT_EQ(heard, said);
  }
}

class RemoteCarriers : public testing::TestWithParam<Carrier> {};

TEST_P(RemoteCarriers, LeadToEachOther) {
  Desk desk;
  std::unique_ptr<Worker> worker;
  Met met = desk.reached(GetParam(), worker);
  ASSERT_TRUE(std::holds_alternative<Introduced>(met));
  ASSERT_TRUE(worker && desk.come);
  talk(*worker, *desk.come);
  EXPECT_EQ(desk.asked, 2);
}

TEST_P(RemoteCarriers, AReceiverThatIsStartedAgainIsAskedAgain) {
  Desk desk;
  desk.restartsBefore = 2;
  std::unique_ptr<Worker> worker;
  Met met = desk.reached(GetParam(), worker);
  ASSERT_TRUE(std::holds_alternative<Introduced>(met));
  talk(*worker, *desk.come);
  EXPECT_EQ(desk.asked, 4);
}

TEST_P(RemoteCarriers, ANumberThatWasNotGivenIsNone) {
  Desk desk;
  for (size_t bytes : {0, 7, 8, 9}) {
    Hello hello = helloOf(Hello::Kind::Sender, GetParam());
    hello.address.resize(bytes);
    EXPECT_TRUE(std::holds_alternative<Anew>(desk.answer(hello)));
  }
  Hello connection = helloOf(Hello::Kind::Connection, GetParam());
  EXPECT_TRUE(std::holds_alternative<Introduced>(desk.answer(connection)));
  Hello hello = helloOf(Hello::Kind::Sender, GetParam());
  hello.address.resize(8);
  EXPECT_TRUE(std::holds_alternative<Anew>(desk.answer(hello)));
}

INSTANTIATE_TEST_SUITE_P(Carriers, RemoteCarriers,
                         testing::Values(Carrier::Memory, Carrier::Socket), [](const auto &info) {
                           return info.param == Carrier::Memory ? "Memory" : "Socket";
                         });

TEST(RemoteCarrier, MemoryOfAnotherMachineIsApart) {
  Desk desk;
  Hello hello = helloOf(Hello::Kind::Connection, Carrier::Memory);
  hello.domain ^= 1;
  EXPECT_TRUE(std::holds_alternative<Apart>(desk.answer(hello)));
  desk.options.transport = Transport::Shm;
  Met met = desk.answer(hello);
  EXPECT_NE(std::get<std::string>(met).find("they share no memory"), std::string::npos);
}

/// Memory that cannot be opened: another carrier is asked for, or the message says which one.
TEST(RemoteCarrier, MemoryThatCannotBeOpenedIsApart) {
  for (Transport transport : {Transport::Auto, Transport::Shm}) {
    Desk desk;
    desk.options.transport = transport;
    std::unique_ptr<Worker> worker;
    Met met = reach(
        helloOf(Hello::Kind::Sender, Carrier::Memory), Carrier::Memory, desk.options,
        [&](const Hello &hello) {
          Met answered = desk.answer(hello);
          desk.offers = {}; // the descriptors that it names are closed
          return answered;
        },
        worker);
    EXPECT_EQ(std::holds_alternative<Apart>(met), transport == Transport::Auto);
    if (auto *error = std::get_if<std::string>(&met)) {
      EXPECT_NE(error->find("--transport=socket does without"), std::string::npos) << *error;
    }
    EXPECT_FALSE(worker || desk.come);
  }
}

TEST(RemoteCarrier, UcxConnectsByItself) {
  Desk desk;
  Met met = desk.answer(helloOf(Hello::Kind::Connection, Carrier::Ucx));
  EXPECT_EQ(std::get<std::string>(met), "UCX connects by itself");
}

} // namespace
} // namespace sluice::remote
