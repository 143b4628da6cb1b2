#include "test/unit/adapters/Files.h"
#include <csignal>
#include <thread>

using namespace sluice;
using namespace sluice::test;

namespace {
TupleType pair({{"n", &int32}, {"s", &rstring}});

/// What happens to the file when a tuple has come out, by the number of the tuple; the last one
/// stops the program.
struct HotFile : Files {
  HotFile() {
    set("file", "in.csv");
    on("hotFile");
  }
  void append(std::string_view text) {
    std::ofstream(dir / "in.csv", std::ios::binary | std::ios::app) << text;
  }
  int follow(std::vector<std::function<void()>> steps) {
    size_t tuples = 0;
    afterTuple = [&, steps] {
      if (tuples < steps.size())
        steps[tuples]();
      if (++tuples == steps.size() + 1)
        raise(SIGTERM);
    };
    return source(pair);
  }
};
const auto nothing = [] {};
} // namespace

TEST_F(HotFile, WaitsForTheEndOfTheLine) {
  write("in.csv", "1,a\n2,");
  EXPECT_EQ(follow({[&] { append("b\n3,\"c\n"); }, [&] { append("c\"\n"); }}), 0) << err;
  EXPECT_EQ(events, strings({R"({n=1,s="a"})", R"({n=2,s="b"})", R"({n=3,s="c\nc"})", "Final"}));
}

TEST_F(HotFile, BeginsAgainWhenItIsCut) {
  write("in.csv", "1,a\n2,b\n");
  EXPECT_EQ(follow({nothing, [&] { write("in.csv", "7,z\n"); }}), 0) << err;
  EXPECT_EQ(events,
            strings({R"({n=1,s="a"})", R"({n=2,s="b"})", "Window", R"({n=7,s="z"})", "Final"}));
}

TEST_F(HotFile, GoesOnWithTheFileThatGetsItsName) {
  write("in.csv", "1,a\n");
  auto replace = [&] {
    append("2,b\n3,last");
    rename(write("new.csv", "4,d\n"), dir / "in.csv");
  };
  EXPECT_EQ(follow({replace, nothing, nothing}), 0) << err;
  EXPECT_EQ(events, strings({R"({n=1,s="a"})", R"({n=2,s="b"})", R"({n=3,s="last"})", "Window",
                             R"({n=4,s="d"})", "Final"}));
}

TEST_F(HotFile, StaysWithAFileWhoseNameIsFree) {
  write("in.csv", "1,a\n");
  std::thread later;
  auto moveAway = [&] {
    rename(dir / "in.csv", dir / "old.csv");
    later = std::thread([&] {
      usleep(250'000);
      std::ofstream(dir / "old.csv", std::ios::app) << "2,b\n";
      usleep(250'000);
      write("in.csv", "3,c\n");
    });
  };
  EXPECT_EQ(follow({moveAway, nothing}), 0) << err;
  later.join();
  EXPECT_EQ(events,
            strings({R"({n=1,s="a"})", R"({n=2,s="b"})", "Window", R"({n=3,s="c"})", "Final"}));
}

TEST_F(HotFile, CountsAnewInEachFile) {
  set("hasHeaderLine", "1", &uint32);
  set("$out.n", "TupleNumber");
  write("in.csv", "head\n1\n2\n");
  EXPECT_EQ(follow({nothing, [&] { write("in.csv", "head\n7\n"); }}), 0) << err;
  EXPECT_EQ(events,
            strings({R"({n=1,s="1"})", R"({n=2,s="2"})", "Window", R"({n=1,s="7"})", "Final"}));
}

TEST_F(HotFile, StopsWhileItWaits) {
  write("in.csv", "1,a\n2,b");
  std::thread later;
  afterTuple = [&] {
    later = std::thread([] {
      usleep(250'000);
      kill(getpid(), SIGTERM);
    });
  };
  EXPECT_EQ(source(pair), 0) << err;
  later.join();
  EXPECT_EQ(events, strings({R"({n=1,s="a"})", "Final"})); // the second line may go on
}
