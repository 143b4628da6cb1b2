//===- KafkaProducerTest.cpp - what KafkaProducer keeps -------------------===//
#include "toolkits/kafka/operators/KafkaProducer/Confirmations.h"
#include "toolkits/kafka/operators/KafkaProducer/Message.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::kafka;

TEST(KafkaProducerTest, OnlyWhatWasSentBeforeACutCounts) {
  Confirmations c;
  void *before = c.sent();
  uint64_t set = c.cut();
  void *behind = c.sent();
  EXPECT_EQ(c.leftUpTo(set), 1u);
  EXPECT_EQ(c.left(), 2u);
  c.heard(before);
  EXPECT_EQ(c.leftUpTo(set), 0u);
  EXPECT_EQ(c.left(), 1u);
  c.heard(behind);
  EXPECT_EQ(c.left(), 0u);
}

TEST(KafkaProducerTest, ConfirmationsComeInAnyOrder) {
  Confirmations c;
  void *marks[4];
  uint64_t sets[4];
  for (int i = 0; i < 4; ++i) {
    marks[i] = c.sent();
    sets[i] = c.cut();
  }
  c.heard(marks[2]);
  c.heard(marks[1]);
  EXPECT_EQ(c.leftUpTo(sets[0]), 1u);
  EXPECT_EQ(c.leftUpTo(sets[2]), 1u);
  c.heard(marks[0]);
  EXPECT_EQ(c.leftUpTo(sets[2]), 0u);
  EXPECT_EQ(c.leftUpTo(sets[3]), 1u);
  c.heard(marks[3]);
  EXPECT_EQ(c.left(), 0u);
}

TEST(KafkaProducerTest, SetsWithoutMessagesHaveNumbersOfTheirOwn) {
  Confirmations c;
  uint64_t empty = c.cut(), other = c.cut();
  EXPECT_NE(empty, other);
  EXPECT_EQ(c.leftUpTo(other), 0u);
  void *mark = c.sent();
  uint64_t set = c.cut();
  EXPECT_EQ(Confirmations::setOf(mark), set);
  EXPECT_EQ(c.leftUpTo(other), 0u);
  EXPECT_EQ(c.leftUpTo(c.cut()), 1u);
  c.heard(mark);
  EXPECT_EQ(c.leftUpTo(c.cut()), 0u);
}

TEST(KafkaProducerTest, TheFirstFailureIsTold) {
  Confirmations c;
  EXPECT_FALSE(c.hasFailed());
  c.failed("a", "too large");
  EXPECT_EQ(c.failure(), "Kafka did not take a message for the topic a: too large");
  c.failed("b", "unknown");
  EXPECT_TRUE(c.hasFailed());
  EXPECT_EQ(c.failure(), "Kafka did not take 2 messages, the first for the topic a: too large");
}

TEST(KafkaProducerTest, AMessageIsARowAndBack) {
  std::string row;
  Message m;
  m.topic = "orders";
  m.body = std::string_view("a\0b", 3);
  m.key = std::string_view("\0", 1);
  m.partition = 3;
  m.timestamp = 1'700'000'000'000;
  m.toRow(row);
  Message back;
  ASSERT_TRUE(back.fromRow(row));
  EXPECT_STREQ(back.topic, "orders");
  EXPECT_EQ(back.body, m.body);
  EXPECT_EQ(back.key, m.key);
  EXPECT_EQ(back.partition, m.partition);
  EXPECT_EQ(back.timestamp, m.timestamp);
}

TEST(KafkaProducerTest, AnEmptyKeyIsNotNone) {
  for (std::optional<std::string_view> key : {std::optional<std::string_view>(), {""}}) {
    std::string row;
    Message m;
    m.key = key;
    m.toRow(row);
    Message back;
    ASSERT_TRUE(back.fromRow(row));
    EXPECT_EQ(back.key, key);
    EXPECT_FALSE(back.partition || back.timestamp);
  }
}

TEST(KafkaProducerTest, BytesThatAreNoRowAreRefused) {
  std::string row;
  Message m;
  m.topic = "t";
  m.key = "key";
  m.toRow(row);
  Message back;
  for (size_t length = 0; length < row.size(); ++length)
    EXPECT_FALSE(back.fromRow(std::string_view(row).substr(0, length))) << length;
  EXPECT_TRUE(back.fromRow(row));
}
