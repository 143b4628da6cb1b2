//===- RegistryTest.cpp - where the jobs of a user meet -------------------===//
#include "test/unit/exchange/OwnRegistry.h"
#include <gtest/gtest.h>

using namespace sluice::exchange;

namespace {
using Names = std::vector<std::string>;
} // namespace

TEST(Registry, EntriesOfAJob) {
  OwnRegistry own({"7.9.job", "7.10.job", "77.1.job", "7.1.feed", ".7.3.job", "7.sock"});
  ASSERT_EQ(own.problem, "");
  EXPECT_EQ(own.names(own.registry.entriesOf(7, ".job")), (Names{"7.10.job", "7.9.job"}));
  EXPECT_EQ(own.names(own.registry.entriesOf(7, ".feed")), Names{"7.1.feed"});
  EXPECT_EQ(own.names(own.registry.entries("", ".job")),
            (Names{"7.10.job", "7.9.job", "77.1.job"}));
  EXPECT_EQ(own.registry.list().size(), 1u) << "sockets";
  own.registry.forget(7);
  EXPECT_EQ(own.names(own.registry.entries("", ".job")), Names{"77.1.job"});
}

TEST(Registry, HasNoEntriesWithoutItsFolder) {
  OwnRegistry own({});
  std::filesystem::remove_all(own.folder);
  EXPECT_TRUE(own.registry.entries("", "").empty());
}
