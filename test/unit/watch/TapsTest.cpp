//===- TapsTest.cpp - tuples of streams, for who looks --------------------===//
#include "runtime/exec/tap/Taps.h"
#include "runtime/exec/state/Program.h"
#include "test/unit/exec/Graph.h"
#include "value/Value.h"
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace sluice;
using namespace sluice::test;

namespace {
TypeDesc int64 = {Kind::Int64, 8, 8, 1, {}, {}, 0, 0, 0, 0, {}, {}};
TypeDesc text = {Kind::RString, sizeof(Str), 8, 0, {}, {}, 0, 0, 0, 0, {}, {}};
const Field kInner[] = {{"pin", &text, 0, 0}};
TypeDesc inner = {Kind::Tuple, sizeof(Str), 8, 0, {}, {}, 0, 0, 1, 0, kInner, {}};
const Field kOuter[] = {{"n", &int64, 0, 0}, {"s", &text, 8, 0}, {"of", &inner, 24, 0}};
TypeDesc outer = {Kind::Tuple, 8 + 2 * sizeof(Str), 8, 0, {}, {}, 0, 0, 3, 0, kOuter, {}};
const TypeDesc *const kTypes[] = {&outer};
constexpr uint32_t kCapacity = 64;

int32_t nothing(Ctx *, Batch *) { return 0; }

/// Two operators with a stream of (int64 n, rstring s, tuple<rstring pin> of) between them.
struct Stream : Graph {
  explicit Stream(uint32_t streams = 1) {
    for (uint32_t i = 0; i < streams; ++i) {
      op("From", 0, 1);
      op("To", 1, 0);
      connect(i, i, nothing);
      outPorts[i].batchCapacity = kCapacity;
      outPorts[i].batchBytes = schema.bytes;
      operators.back().inTypes = kTypes;
    }
    batch = new (aligned_alloc(64, schema.bytes)) Batch();
    build();
  }
  ~Stream() { free(batch); }
  void add(int64_t n, const char *s, const char *pin) {
    put(0, n);
    put(1, strView(s, strlen(s)));
    put(2, strView(pin, strlen(pin)));
    ++batch->rows;
  }
  template <typename T> void put(uint32_t column, const T &value) {
    memcpy(reinterpret_cast<char *>(batch) + schema.columns[column].offset +
               batch->rows * sizeof value,
           &value, sizeof value);
  }
  remote::Schema schema{&outer, kCapacity};
  Batch *batch;
};
using Rows = std::vector<std::string>;
} // namespace

TEST(Taps, ShowWhatIsLookedAtOnly) {
  Stream s;
  s.add(-7, "a \"b\"\n<img>", "x");
  Taps taps(s.desc, {}, {});
  taps.look(0, s.batch);
  EXPECT_EQ(taps.begin(0), "");
  EXPECT_EQ(taps.take(0), Rows()) << "it came before";
  taps.look(0, s.batch);
  EXPECT_EQ(taps.take(0), Rows{R"({n=-7,s="a \"b\"\n<img>",of={pin="x"}})"});
  EXPECT_EQ(taps.take(0), Rows()) << "once";
  taps.end(0);
  taps.look(0, s.batch);
  EXPECT_EQ(taps.take(0), Rows());
}

TEST(Taps, AreBounded) {
  Stream s(Taps::kMost + 1);
  for (int64_t n = 0; n < 50; ++n)
    s.add(n, "", "");
  Taps taps(s.desc, {}, {});
  for (uint32_t port = 0; port < Taps::kMost; ++port)
    EXPECT_EQ(taps.begin(port), "");
  EXPECT_NE(taps.begin(Taps::kMost).find("as many as may be"), std::string::npos);
  for (int i = 0; i < 1000; ++i)
    taps.look(0, s.batch);
  EXPECT_LE(taps.take(0).size(), 2 * Taps::kRows);
  taps.end(2);
  EXPECT_EQ(taps.begin(Taps::kMost), "");
}

TEST(Taps, HideWhatIsSecret) {
  Stream s;
  s.add(1, "the \"key\" is pass\n42", "1234");
  Taps named(s.desc, {"pin", "n"}, {});
  EXPECT_EQ(named.begin(0), "");
  named.look(0, s.batch);
  EXPECT_EQ(named.take(0), Rows{R"({n=(hidden),s="the \"key\" is pass\n42",of=(hidden)})"});
  Taps values(s.desc, {}, {"pass\n42", ""});
  EXPECT_EQ(values.begin(0), "");
  values.look(0, s.batch);
  EXPECT_EQ(values.take(0), Rows{R"({n=1,s=(hidden),of={pin="1234"}})"});
}

TEST(Taps, HideElementsOfSecretLists) {
  Stream s;
  s.submissions = {{"Main.keys", nullptr, /*isList=*/1, /*isSecret=*/1},
                   {"Main.more", nullptr, 1, 1},
                   {"Main.shown", nullptr, 1, 0},
                   {"Main.one", nullptr, 0, 1}};
  s.build();
  s.add(1, "with key-b.", "key-a,key-b");
  s.add(2, "with \"c\".", "d");
  s.add(3, "e", "g");
  s.add(4, "g,h", "f");
  RunOptions options;
  options.consoleTaps = true;
  options.values = {"key-a,key-b", R"(["\"c\"","d"])", "e,f", "g,h"};
  options.isDefault = {false, true, false, false};
  Program p(s.desc, {}, options);
  EXPECT_EQ(p.taps->begin(0), "");
  p.taps->look(0, s.batch);
  EXPECT_EQ(p.taps->take(0),
            (Rows{"{n=1,s=(hidden),of=(hidden)}", "{n=2,s=(hidden),of=(hidden)}",
                  R"({n=3,s="e",of={pin="g"}})", R"({n=4,s=(hidden),of={pin="f"}})"}));
}

TEST(Taps, CutWhatIsLong) {
  Stream s;
  std::string some, much(100'000, 'x');
  for (int i = 0; i < 1000; ++i)
    some += "\u00e4\u20ac";
  s.add(1, some.c_str(), "");
  s.add(2, much.c_str(), "end");
  Taps taps(s.desc, {}, {});
  EXPECT_EQ(taps.begin(0), "");
  taps.look(0, s.batch);
  Rows rows = taps.take(0);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_LE(rows[0].size(), Taps::kRowBytes + 3);
  EXPECT_TRUE(rows[0].ends_with("...")) << rows[0].substr(rows[0].size() - 9);
  EXPECT_EQ(rows[1], R"({n=2,s=(too long),of={pin="end"}})");
}

TEST(Taps, BeginAndEndWhileBatchesRun) {
  Stream s(2);
  s.add(7, "x", "y");
  Taps taps(s.desc, {}, {});
  std::atomic<bool> ends{false};
  std::vector<std::thread> threads;
  for (uint32_t port : {0u, 0u, 1u})
    threads.emplace_back([&, port] {
      while (!ends.load(std::memory_order_relaxed)) // a hint
        taps.look(port, s.batch);
    });
  size_t seen = 0;
  for (int i = 0; i < 60; ++i) {
    uint32_t port = i % 2; // another one in the same place
    EXPECT_EQ(taps.begin(port), "");
    for (const std::string &row : taps.take(port)) {
      EXPECT_EQ(row, R"({n=7,s="x",of={pin="y"}})");
      ++seen;
    }
    std::this_thread::yield();
    seen += taps.take(port).size();
    taps.end(port);
  }
  while (seen == 0) {
    taps.begin(0);
    std::this_thread::yield();
    seen += taps.take(0).size();
  }
  ends.store(true, std::memory_order_relaxed);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_GT(seen, 0u);
}

TEST(Taps, SayWhyThereAreNone) {
  Stream s;
  Taps taps(s.desc, {}, {});
  EXPECT_EQ(taps.begin(7), "there is no such stream");
  s.outPorts[0].segmentCount = 0; // its consumer is called
  EXPECT_NE(taps.begin(0).find("each tuple of it is a call"), std::string::npos);
}
