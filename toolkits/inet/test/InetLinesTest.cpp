//===- InetLinesTest.cpp - texts that come in pieces ------------------------------===//
#include "toolkits/inet/native/Lines.h"
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace sluice::inet;

namespace {

/// The lines of a text that comes in pieces of these sizes, by turns.
std::vector<std::string> linesOf(std::string_view text, std::mt19937 &chance, size_t most) {
  std::vector<std::string> result;
  auto take = [&](std::string_view line) {
    result.emplace_back(line);
    return true;
  };
  Lines lines;
  while (!text.empty()) {
    size_t size = std::min<size_t>(1 + chance() % most, text.size());
    EXPECT_TRUE(lines.feed(text.substr(0, size), take));
    text.remove_prefix(size);
  }
  EXPECT_TRUE(lines.end(take));
  return result;
}

TEST(InetLines, AreTheSameInAnyPieces) {
  std::mt19937 chance(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text(chance() % 40, ' ');
    for (char &c : text)
      c = "ab\r\n"[chance() % 4];
    EXPECT_EQ(linesOf(text, chance, 1), linesOf(text, chance, 40)) << text;
  }
}

TEST(InetLines, EndByEitherLineEnd) {
  std::mt19937 chance(1);
  std::vector<std::string> wanted = {"a", "", "b\rc", "d"};
  EXPECT_EQ(linesOf("a\n\r\nb\rc\r\nd", chance, 3), wanted);
}

TEST(InetLines, AreNotTooLong) {
  Lines lines;
  auto take = [](std::string_view) { return true; };
  std::string part(1 << 20, 'x');
  for (size_t size = 0; size < Lines::kMost; size += part.size())
    EXPECT_TRUE(lines.feed(part, take));
  EXPECT_FALSE(lines.feed(part, take));
  EXPECT_TRUE(lines.isTooLong());
}

TEST(InetLines, StopWhereTheyAreToldTo) {
  Lines lines;
  int taken = 0;
  EXPECT_FALSE(lines.feed("a\nb\nc\n", [&](std::string_view) { return ++taken < 2; }));
  EXPECT_EQ(taken, 2);
}

TEST(InetEvents, HaveDataTypeAndId) {
  Events events;
  Event event;
  for (const char *line : {": a comment", "event: e", "id:7", "data: one", "data", "other: x"})
    EXPECT_FALSE(events.line(line, event));
  EXPECT_TRUE(events.line("", event));
  EXPECT_EQ(event.data, "one\n");
  EXPECT_EQ(event.type, "e");
  EXPECT_EQ(event.id, "7");
  EXPECT_FALSE(events.line("", event)); // without data it is none
  EXPECT_FALSE(events.line("data:  two", event));
  EXPECT_TRUE(events.line("", event));
  EXPECT_EQ(event.data, " two");
  EXPECT_EQ(event.type, "");
  EXPECT_EQ(event.id, "7"); // of the last one that had one
}

/// One that a connection breaks off comes again, so its number does not count.
TEST(InetEvents, CountWhereTheyEnd) {
  Events events;
  Event event;
  EXPECT_FALSE(events.line("id: 7", event));
  EXPECT_FALSE(events.line("data: one", event));
  EXPECT_EQ(events.id, "");
  events.clear();
  EXPECT_FALSE(events.line("data: two", event));
  EXPECT_TRUE(events.line("", event));
  EXPECT_EQ(event.data + event.id + events.id, "two");
}

TEST(InetEvents, AreNotTooLong) {
  Events events;
  Event event;
  std::string half = "data: " + std::string(Lines::kMost / 2, 'x');
  EXPECT_FALSE(events.line(half, event));
  EXPECT_FALSE(events.isTooLong);
  EXPECT_FALSE(events.line(half, event));
  EXPECT_TRUE(events.isTooLong);
  events.clear();
  EXPECT_FALSE(events.isTooLong);
}

} // namespace
