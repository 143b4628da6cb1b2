#include "test/unit/adapters/Files.h"

using namespace sluice;
using namespace sluice::test;

namespace {
TupleType line({{"text", &rstring}});
using Throttle = Files;

TEST_F(Throttle, ForwardsInOrder) {
  set("rate", "2000.0", &float64);
  inputRows = {R"({text="1"})", R"({text="2"})", "W", R"({text="3"})"};
  EXPECT_EQ(run("spl.utility::Throttle", line, true, true), 0) << err;
  EXPECT_EQ(events,
            strings({R"({text="1"})", R"({text="2"})", "Window", R"({text="3"})", "Final"}));
  on("precise");
  on("includePunctuations");
  EXPECT_EQ(run("spl.utility::Throttle", line, true, true), 0) << err;
  EXPECT_EQ(events,
            strings({R"({text="1"})", R"({text="2"})", "Window", R"({text="3"})", "Final"}));
}

} // namespace
