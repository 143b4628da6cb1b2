//===- RingTest.cpp - bytes in shared memory, messages over them ----------===//
#include "runtime/remote/carrier/MemoryStream.h"
#include "runtime/remote/carrier/StreamWorker.h"
#include <gtest/gtest.h>
#include <poll.h>
#include <random>

namespace sluice::remote {
namespace {

constexpr size_t kRing = 65536;

/// Both ends, in one process.
struct Ends {
  std::string error;
  std::unique_ptr<MemoryStream> receiver = MemoryStream::make(kRing, error);
  std::unique_ptr<MemoryStream> sender = MemoryStream::open(receiver->address(), error);
};

bool isRung(const Stream &stream) {
  pollfd file = {stream.descriptor(), stream.events(false), 0};
  return poll(&file, 1, 0) == 1;
}

TEST(RemoteRing, BytesComeInOrder) {
  Ends ends;
  ASSERT_TRUE(ends.sender) << ends.error;
  std::mt19937 random(1);
  uint64_t written = 0, read = 0;
  std::vector<uint8_t> from(3 * kRing), to(3 * kRing);
  for (int i = 0; i < 20000; ++i) {
    size_t count = random() % (i % 10 ? 3000 : from.size());
    for (size_t k = 0; k < count; ++k)
      from[k] = uint8_t((written + k) * 7 >> 3);
    Piece pieces[2] = {{from.data(), count / 3}, {from.data() + count / 3, count - count / 3}};
    written += ends.sender->write(pieces);
    size_t n = ends.receiver->read(to.data(), random() % to.size());
    for (size_t k = 0; k < n; ++k)
      ASSERT_EQ(to[k], uint8_t((read + k) * 7 >> 3)) << "byte " << read + k;
    read += n;
    ASSERT_LE(written - read, kRing);
  }
  EXPECT_GT(read, 20 * kRing);
}

/// Positions that the other end cannot have make a ring look empty to who reads, and full to who
/// writes.
TEST(RemoteRing, PositionsOfAStrangerLeadNowhere) {
  std::mt19937_64 random(4);
  std::vector<std::byte> memory(2 * kRing);
  for (int i = 0; i < 1000; ++i) {
    RingHead head = {};
    RingReader reader(head, {memory.data(), kRing});
    RingWriter writer(head, {memory.data(), kRing});
    uint64_t lie = kRing + 1 + random() % (~0ull - kRing - 1);
    std::byte to[64];
    bool wake = false;
    head.written = lie;
    EXPECT_EQ(reader.read(to, sizeof to, wake), 0u);
    EXPECT_TRUE(reader.arm());
    head.taken = lie;
    Piece piece = {to, sizeof to};
    size_t before = 0;
    for (size_t n; (n = writer.write({&piece, 1}, wake)); before += n)
      ASSERT_LE(before, kRing);
    EXPECT_TRUE(writer.arm());
  }
}

TEST(RemoteRing, WhoSleepsIsWokenOnce) {
  Ends ends;
  char bytes[kRing] = {};
  Piece one = {bytes, 1}, all = {bytes, kRing};
  ends.sender->write({&one, 1});
  EXPECT_FALSE(isRung(*ends.receiver)) << "it does not sleep";
  EXPECT_FALSE(ends.receiver->arm(true, false)) << "there is something";
  EXPECT_EQ(ends.receiver->read(bytes, 10), 1u);
  EXPECT_TRUE(ends.receiver->arm(true, false));
  ends.sender->write({&one, 1});
  EXPECT_TRUE(isRung(*ends.receiver));
  EXPECT_EQ(ends.receiver->read(bytes, 10), 1u);
  EXPECT_TRUE(ends.receiver->arm(true, false));
  EXPECT_FALSE(isRung(*ends.receiver)) << "it was rung before";
  // The writer waits until half of the ring is free.
  EXPECT_EQ(ends.sender->write({&all, 1}), kRing);
  EXPECT_EQ(ends.sender->write({&one, 1}), 0u);
  EXPECT_TRUE(ends.sender->arm(true, true));
  EXPECT_EQ(ends.receiver->read(bytes, kRing / 2 - 1), kRing / 2 - 1);
  EXPECT_FALSE(isRung(*ends.sender));
  EXPECT_EQ(ends.receiver->read(bytes, kRing / 2), kRing / 2);
  EXPECT_TRUE(isRung(*ends.sender));
  EXPECT_FALSE(ends.sender->arm(true, true));
}

TEST(RemoteRing, AnAddressOfSomethingElseIsRefused) {
  Ends ends;
  Bytes address = ends.receiver->address();
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    Bytes changed = address;
    changed[random() % changed.size()] ^= std::byte(1 << random() % 8);
    if (random() % 8 == 0)
      changed.resize(random() % changed.size());
    if (changed == address)
      continue;
    std::string error;
    auto opened = MemoryStream::open(changed, error);
    // The last bytes mean nothing, and a bell may be another pipe of that process.
    if (!opened) {
      EXPECT_NE(error.find("cannot open its memory"), std::string::npos) << error;
    }
  }
  for (size_t i = 0; i < 8; ++i) {
    Bytes changed = address;
    changed[i] ^= std::byte(1);
    std::string error;
    EXPECT_FALSE(MemoryStream::open(changed, error)) << "another nonce";
  }
}

TEST(RemoteRing, AMessageThatNobodyWaitsForStays) {
  Ends ends;
  StreamWorker sender(std::move(ends.sender)), receiver(std::move(ends.receiver));
  for (uint64_t tag : {1, 2}) {
    Piece message = {&tag, sizeof tag};
    Operation sent = sender.send(tag, {&message, 1});
    EXPECT_EQ(sender.check(sent), Progress::Done);
  }
  uint64_t got[2] = {};
  Worker::Received received;
  Operation second = receiver.receive(2, ~0ull, &got[1], sizeof got[1]);
  EXPECT_FALSE(receiver.progress());
  EXPECT_FALSE(receiver.progress());
  EXPECT_TRUE(receiver.arm()) << "only a receive helps";
  EXPECT_EQ(receiver.check(second, received), Progress::Pending);
  Operation first = receiver.receive(1, ~0ull, &got[0], sizeof got[0]);
  EXPECT_TRUE(receiver.progress());
  EXPECT_EQ(receiver.check(first, received), Progress::Done);
  EXPECT_EQ(got[0], 1u);
  EXPECT_TRUE(receiver.progress());
  EXPECT_EQ(receiver.check(second, received), Progress::Done);
  EXPECT_EQ(got[1], 2u);
  EXPECT_TRUE(receiver.arm());
}

TEST(RemoteRing, AMessageThatIsTooLongBreaksTheWorker) {
  Ends ends;
  StreamWorker sender(std::move(ends.sender)), receiver(std::move(ends.receiver));
  uint64_t values[2] = {};
  Piece message = {values, sizeof values};
  sender.send(1, {&message, 1});
  Operation operation = receiver.receive(1, ~0ull, values, sizeof values[0]);
  EXPECT_FALSE(receiver.isGone());
  EXPECT_FALSE(receiver.progress());
  EXPECT_TRUE(receiver.isGone());
  Worker::Received received;
  EXPECT_EQ(receiver.check(operation, received), Progress::Failed);
}

/// Random bytes are no messages: the worker reads nothing that was not asked for.
TEST(RemoteRing, GarbageBreaksTheWorker) {
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    Ends ends;
    MemoryStream &raw = *ends.sender;
    StreamWorker receiver(std::move(ends.receiver));
    std::vector<std::byte> memory(64 + 8, std::byte(0x55));
    Operation operation = receiver.receive(round % 4, ~3ull, memory.data(), 64);
    for (int i = 0; i < 20; ++i) {
      uint64_t words[3] = {random() % 8, random() % 100, random()};
      Piece piece = {words, random() % sizeof words};
      raw.write({&piece, 1});
      receiver.progress();
      Worker::Received received;
      if (receiver.check(operation, received) == Progress::Done) {
        EXPECT_LE(received.bytes, 64u);
        operation = receiver.receive(round % 4, ~3ull, memory.data(), 64);
      }
    }
    for (size_t i = 64; i < memory.size(); ++i)
      ASSERT_EQ(memory[i], std::byte(0x55));
  }
}

} // namespace
} // namespace sluice::remote
