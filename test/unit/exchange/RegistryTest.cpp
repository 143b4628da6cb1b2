//===- RegistryTest.cpp - where the jobs of a user meet -------------------===//
#include "runtime/exchange/Registry.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace sluice::exchange;

namespace {
/// A registry of its own, with files of these names.
struct Own {
  explicit Own(std::vector<std::string> names) {
    const char *was = getenv("XDG_RUNTIME_DIR");
    before = was ? was : "";
    char name[] = "/tmp/sluice-registry-XXXXXX";
    folder = mkdtemp(name);
    setenv("XDG_RUNTIME_DIR", folder.c_str(), 1);
    problem = registry.open();
    for (const std::string &file : names)
      std::ofstream(registry.directory() + "/" + file) << "x";
  }
  ~Own() {
    std::filesystem::remove_all(folder);
    before.empty() ? unsetenv("XDG_RUNTIME_DIR") : setenv("XDG_RUNTIME_DIR", before.c_str(), 1);
  }
  std::vector<std::string> names(const std::vector<Place> &places) {
    std::vector<std::string> all;
    for (const Place &place : places)
      all.push_back(place.name);
    return all;
  }
  std::string before, folder, problem;
  Registry registry;
};
using Names = std::vector<std::string>;
} // namespace

TEST(Registry, EntriesOfAJob) {
  Own own({"7.9.job", "7.10.job", "77.1.job", "7.1.feed", ".7.3.job", "7.sock"});
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
  Own own({});
  std::filesystem::remove_all(own.folder);
  EXPECT_TRUE(own.registry.entries("", "").empty());
}
