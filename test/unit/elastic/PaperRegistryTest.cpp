//===- PaperRegistryTest.cpp ----------------------------------------------===//
#include "runtime/elastic/Policy.h"
#include <gtest/gtest.h>

using namespace sluice::elastic;

static std::string errorOf(const char *policy, const Constants &constants) {
  Graph graph{{{"S", 0, true, false, false, 1, {1}}, {"A", 1, false, true, false, 1, {}}}, 2};
  std::string error;
  auto made = makePolicy(policy, constants, graph, Machine(), initialConfiguration(graph), error);
  EXPECT_EQ(made == nullptr, !error.empty());
  return error;
}

TEST(Registry, EveryPolicyCanBeMadeAndIsExplained) {
  ASSERT_FALSE(policyNames().empty());
  for (const auto &[name, help] : policyNames()) {
    EXPECT_FALSE(help.empty()) << name;
    EXPECT_EQ(errorOf(name.c_str(), {}), "") << name;
    for (const Constant &constant : constantsOf(name)) {
      EXPECT_FALSE(constant.help.empty()) << constant.name;
      EXPECT_EQ(errorOf(name.c_str(), {{constant.name, constant.value}}), "") << constant.name;
      EXPECT_EQ(
          errorOf(name.c_str(), {{constant.name, constant.least}, {constant.name, constant.most}}),
          "");
      EXPECT_NE(errorOf(name.c_str(), {{constant.name, constant.most + 1}}), "") << constant.name;
    }
  }
}

TEST(Registry, ErrorsNameWhatThereIs) {
  EXPECT_TRUE(constantsOf("fast").empty());
  std::string error = errorOf("fast", {});
  EXPECT_EQ(error.rfind("there is no policy 'fast' (there is: model, paper, threads", 0), 0u)
      << error;
  error = errorOf("threads", {{"speed", 1}});
  EXPECT_EQ(
      error.rfind("policy 'threads' has no option 'speed' (there is: period, skip, sens, ", 0), 0u)
      << error;
  EXPECT_EQ(errorOf("paper", {{"period", 0}}),
            "option 'period' of policy 'paper' must be from 0.001 to 3600, not 0");
  EXPECT_NE(errorOf("paper", {{"sf", 0.0 / 0.0}}), "");
}
