//===- NamesTest.cpp - servers that clients find by a name ----------------===//
#include "stdlib/native/net/Names.h"
#include "test/unit/exchange/OwnRegistry.h"
#include <gtest/gtest.h>
#include <memory>
#include <sys/wait.h>
#include <unistd.h>

using namespace sluice;
using namespace sluice::net;

namespace {
const char *const kNobody = "no server has registered this name";

NamedServer serverAt(const char *port) {
  return {{"127.0.0.1", port}, "localhost", getpid(), "my::Main"};
}

class NamesTest : public testing::Test {
protected:
  /// What findServer() says, or the server's port.
  static std::string portOf(const ServerName &name) {
    NamedServer found;
    Problem problem = findServer(name, found);
    return problem.empty() ? found.at.port : problem;
  }
  std::vector<std::string> files() { return own.names(own.registry.entries("", ".server")); }
  exchange::OwnRegistry own;
};

/// Runs it in a process that ends without destructors. Its exit code.
template <typename Body> int inProcess(Body body) {
  pid_t child = fork();
  if (child == 0)
    _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
} // namespace

TEST_F(NamesTest, AServerIsFoundUntilItLeaves) {
  EXPECT_EQ(portOf({"Default", "a"}), kNobody);
  {
    NameEntry entry;
    ASSERT_EQ(entry.enter({"Default", "a"}, serverAt("4711")), "");
    NamedServer found;
    ASSERT_EQ(findServer({"Default", "a"}, found), "");
    EXPECT_EQ(found, serverAt("4711"));
    entry.leave();
    EXPECT_EQ(portOf({"Default", "a"}), kNobody);
    ASSERT_EQ(entry.enter({"Default", "a"}, serverAt("4712")), "");
    EXPECT_EQ(portOf({"Default", "a"}), "4712");
  }
  EXPECT_EQ(portOf({"Default", "a"}), kNobody);
  EXPECT_TRUE(files().empty());
}

TEST_F(NamesTest, ANameIsOneInItsScope) {
  const ServerName names[] = {{"Default", "a"}, {"b", "a"},  {"b", "A"},  {"b", "a.b"},
                              {"b.a", "b"},     {"b", "/a"}, {"b", ".."}, {"b", "\xc3\xa4\n%41"}};
  std::vector<std::unique_ptr<NameEntry>> entries;
  for (const ServerName &name : names) {
    entries.push_back(std::make_unique<NameEntry>());
    EXPECT_EQ(entries.back()->enter(name, serverAt(std::to_string(entries.size()).c_str())), "");
  }
  for (size_t i = 0; i < std::size(names); ++i)
    EXPECT_EQ(portOf(names[i]), std::to_string(i + 1));
  EXPECT_EQ(files().size(), std::size(names));
}

TEST_F(NamesTest, TwoServersCannotHaveOneName) {
  NameEntry first, second;
  ASSERT_EQ(first.enter({"Default", "a"}, serverAt("1")), "");
  EXPECT_EQ(second.enter({"Default", "a"}, serverAt("2")),
            "process " + std::to_string(getpid()) + " (my::Main) has it");
  EXPECT_EQ(inProcess([] { return !NameEntry().enter({"Default", "a"}, serverAt("3")).empty(); }),
            1);
  EXPECT_EQ(portOf({"Default", "a"}), "1");
  first.leave();
  EXPECT_EQ(second.enter({"Default", "a"}, serverAt("2")), "");
}

TEST_F(NamesTest, AnEntryOfAProcessThatWasKilledDoesNotCount) {
  auto die = [] {
    auto *entry = new NameEntry;
    return int(!entry->enter({"Default", "a"}, serverAt("1")).empty());
  };
  ASSERT_EQ(inProcess(die), 0);
  EXPECT_EQ(files().size(), 1u) << "it is left";
  EXPECT_EQ(portOf({"Default", "a"}), kNobody);
  EXPECT_TRUE(files().empty());
  ASSERT_EQ(inProcess(die), 0);
  NameEntry entry;
  EXPECT_EQ(entry.enter({"Default", "a"}, serverAt("2")), "");
  EXPECT_EQ(portOf({"Default", "a"}), "2");
}

/// Looks, or enters the name. 1: it has the name; 2: it has seen what is no entry.
static char tryName(NameEntry &entry, bool looks) {
  if (!looks)
    return entry.enter({"Default", "a"}, serverAt("1")).empty();
  NamedServer found;
  for (int n = 0; n < 50; ++n)
    if (Problem problem = findServer({"Default", "a"}, found);
        problem.empty() ? found.program != "my::Main" : problem != kNobody)
      return 2;
  return 0;
}

/// Processes try at once while others look: one gets the name, nobody sees half an entry. In later
/// rounds there is an entry that was left.
TEST_F(NamesTest, OneOfManyGetsTheName) {
  constexpr int kProcesses = 8;
  for (int round = 0; round < 20; ++round) {
    int go[2], got[2];
    ASSERT_EQ(pipe(go) | pipe(got), 0);
    std::vector<pid_t> children;
    for (int i = 0; i < kProcesses; ++i) {
      children.push_back(fork());
      if (children.back() == 0) {
        close(go[1]);
        NameEntry entry;
        char result = tryName(entry, i % 2), end;
        bool isTold = write(got[1], &result, 1) == 1;
        _exit(!isTold || read(go[0], &end, 1) != 0);
      }
    }
    int sum = 0;
    for (pid_t child : children) {
      char result = 2;
      EXPECT_EQ(read(got[0], &result, 1), 1) << child;
      sum += result;
    }
    EXPECT_EQ(sum, 1);
    close(go[1]); // they end
    for (pid_t child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      EXPECT_EQ(status, 0);
    }
    close(go[0]), close(got[0]), close(got[1]);
  }
}

TEST_F(NamesTest, WhatCannotBeAnEntry) {
  NameEntry entry;
  EXPECT_EQ(entry.enter({"Default", std::string(300, 'x')}, serverAt("1")), "the name is too long");
  EXPECT_EQ(portOf({"Default", std::string(300, 'x')}), "the name is too long");
  setenv("XDG_RUNTIME_DIR", "/dev/null", 1);
  EXPECT_NE(entry.enter({"Default", "a"}, serverAt("1")), "");
}
