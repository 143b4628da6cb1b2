//===- MessagesTest.cpp - what jobs say to each other ---------------------===//
#include "runtime/exchange/Messages.h"
#include "runtime/exchange/Jobs.h"
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace sluice::exchange {
namespace {

Owned text(const std::string &t) { return {Value::Kind::Text, 0, 0, t, {}}; }
Owned integer(int64_t i) { return {Value::Kind::Integer, i, 0, "", {}}; }
Owned number(double d) { return {Value::Kind::Float, 0, d, "", {}}; }
Owned list(std::vector<Owned> all) { return {Value::Kind::List, 0, 0, "", std::move(all)}; }

Offer offer() {
  Offer o;
  o.stream = "Trades";
  o.properties = {{"kind", text("trade")},
                  {"level", integer(3)},
                  {"ratio", number(0.5)},
                  {"topics", list({text("a"), text("b")})}};
  o.type = "tuple<int32 n>";
  o.schema = 77;
  o.allowsFilter = true;
  return o;
}

Report report() {
  Report r;
  r.application = "my::App";
  r.pe = 2;
  r.parent = "17";
  r.offers = {offer(), {}};
  r.offers[1].stream = "Other";
  r.offers[1].id = "by name";
  r.offers[1].type = "tuple<rstring k>";
  r.offers[1].waits = false;
  r.offers[1].ended = true;
  r.imports = {{"In", "kind == \"x\"", "n > 3", "tuple<int32 n>"}};
  r.takers = {{0, "Taker", "Import", 99, 1}};
  return r;
}

std::string_view body(const std::string &message) {
  uint32_t length = 0;
  memcpy(&length, message.data(), sizeof length);
  EXPECT_EQ(length + sizeof length, message.size());
  return std::string_view(message).substr(sizeof length);
}

TEST(Messages, ComeBack) {
  EXPECT_TRUE(isAsk(body(encodeAsk())));
  Request request{3, "tuple<int32 n>", 77, "n > 3", "Main", "Outer.In"};
  std::string bytes = encode(request);
  auto read = decodeRequest(body(bytes));
  ASSERT_TRUE(read);
  EXPECT_EQ(encode(*read), bytes);
  EXPECT_EQ(read->filter, "n > 3");
  bytes = encode(report());
  auto again = decodeReport(body(bytes));
  ASSERT_TRUE(again);
  EXPECT_EQ(encode(*again), bytes);
  EXPECT_EQ(again->offers[1].id, "by name");
  EXPECT_EQ(again->offers[0].properties[3].value.list[1].text, "b");
  bytes = encodeAnswer("no");
  EXPECT_EQ(decodeAnswer(body(bytes)), "no");
}

TEST(Messages, OfAnotherKindAreRefused) {
  std::string ask = encodeAsk(), answer = encodeAnswer("");
  EXPECT_FALSE(isAsk(body(answer)));
  EXPECT_FALSE(decodeReport(body(ask)));
  EXPECT_FALSE(decodeRequest(body(answer)));
  EXPECT_FALSE(decodeAnswer(body(ask)));
  EXPECT_FALSE(isAsk(""));
}

TEST(Messages, EveryPartOfOneIsRefused) {
  std::string bytes = encode(report());
  std::string_view whole = body(bytes);
  for (size_t n = 0; n < whole.size(); ++n)
    EXPECT_FALSE(decodeReport(whole.substr(0, n))) << n;
  EXPECT_FALSE(decodeReport(std::string(whole) + "x"));
}

TEST(Messages, ListsInsideListsAreRefused) {
  Report r;
  r.offers = {offer()};
  r.offers[0].properties = {{"deep", list({list({})})}};
  std::string bytes = encode(r);
  EXPECT_FALSE(decodeReport(body(bytes)));
  r.offers[0].properties = {{"odd", integer(1)}};
  r.offers[0].properties[0].value.list = {integer(2)};
  bytes = encode(r);
  EXPECT_FALSE(decodeReport(body(bytes)));
}

/// Changed bytes: refused, or a report that can be shown.
TEST(Messages, TakeAnything) {
  const std::string bytes = encode(report());
  std::mt19937 random(3);
  for (int i = 0; i < 20'000; ++i) {
    std::string changed(body(bytes));
    for (unsigned n = 1 + random() % 4; n--;)
      changed[random() % changed.size()] = char(random() % 2 ? random() : 0xff);
    if (auto read = decodeReport(changed))
      EXPECT_NE(jobsText({{1, *read}}), "");
  }
}

TEST(Messages, AreShown) {
  EXPECT_EQ(jobsText({{4711, report()}}),
            "my::App: process 4711, PE 2\n"
            "  exports Trades with kind = \"trade\", level = 3, ratio = 0.5, topics = [\"a\", "
            "\"b\"], filters allowed\n"
            "    tuple<int32 n>\n"
            "    to Import of Taker (process 99): 1 tuple sent\n"
            "  exports Other as streamId \"by name\", slow imports are cut off, ended\n"
            "    tuple<rstring k>\n"
            "  imports In by kind == \"x\", filter n > 3\n"
            "    tuple<int32 n>\n");
}

//===--- who takes what -------------------------------------------------------===//

bool takes(const std::string &subscription, const Offer &o = offer()) {
  Wish wish;
  EXPECT_EQ(wish.subscription.parse(subscription), "");
  return matches(wish, "my::App", o);
}

TEST(Offers, MatchSubscriptions) {
  for (const char *text : {"kind == \"trade\"", "level > 2 && level < 4", "ratio <= 0.5",
                           "\"b\" in topics", "topics[0] == \"a\"", "level % 2 == 1"})
    EXPECT_TRUE(takes(text)) << text;
  for (const char *text : {"kind == \"x\"", "level > 3", "\"c\" in topics", "other == 1", ""})
    EXPECT_FALSE(takes(text)) << text;
  Offer ended = offer(), named = offer();
  ended.ended = true;
  named.id = "x";
  EXPECT_FALSE(takes("level == 3", ended));
  EXPECT_FALSE(takes("level == 3", named));
}

TEST(Offers, MatchIds) {
  Offer named = offer();
  named.id = "x";
  Wish wish;
  wish.id = "x";
  EXPECT_TRUE(matches(wish, "my::App", named));
  EXPECT_FALSE(matches(wish, "my::App", offer()));
  wish.application = "my::App";
  EXPECT_TRUE(matches(wish, "my::App", named));
  EXPECT_FALSE(matches(wish, "App", named));
  wish.id = "y";
  EXPECT_FALSE(matches(wish, "my::App", named));
}

TEST(Offers, MatchWithinAScope) {
  Offer named = offer(), other = offer();
  named.id = other.id = "x";
  other.scope = "other";
  Wish wish, elsewhere;
  wish.id = elsewhere.id = "x";
  elsewhere.scope = "other";
  EXPECT_TRUE(matches(wish, "my::App", named));
  EXPECT_FALSE(matches(wish, "my::App", other));
  EXPECT_FALSE(matches(elsewhere, "my::App", named));
  EXPECT_TRUE(matches(elsewhere, "my::App", other));
  EXPECT_NE(jobsText({{1, {.application = "A", .offers = {other}}}}).find("in scope \"other\""),
            std::string::npos);
}

} // namespace
} // namespace sluice::exchange
