//===- LimitsTest.cpp - what the process may use --------------------------===//
#include "runtime/base/os.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace sluice;
namespace fs = std::filesystem;

namespace {

/// The files of a system whose process is in the control group /jobs/one.
struct Limits : testing::Test {
  fs::path root = fs::path(testing::TempDir()) / ("limits-" + std::to_string(os::threadId()));

  void SetUp() override { write("proc/self/cgroup", "0::/jobs/one\n"); }
  void TearDown() override { fs::remove_all(root); }
  void write(const char *name, const char *text) const {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
  }
  uint64_t memory() const { return os::usableMemory(root.string()); }
};

TEST_F(Limits, WithoutAGroupTheMachineCounts) {
  EXPECT_GT(memory(), uint64_t(16) << 20);
  write("sys/fs/cgroup/jobs/one/memory.max", "max\n");
  EXPECT_EQ(memory(), os::usableMemory((root / "nothing").string()));
}

TEST_F(Limits, TheTightestGroupCounts) {
  write("sys/fs/cgroup/jobs/one/memory.max", "4194304\n");
  EXPECT_EQ(memory(), 4194304u);
  write("sys/fs/cgroup/jobs/memory.max", "2097152\n");
  EXPECT_EQ(memory(), 2097152u);
}

TEST_F(Limits, AGroupCannotHaveMoreThanTheMachine) {
  uint64_t machine = memory();
  write("sys/fs/cgroup/jobs/one/memory.max", "99999999999999999\n");
  EXPECT_EQ(memory(), machine);
}

TEST(Stack, LessIsLeftFurtherDown) {
  uint64_t here = os::stackLeft(), below = 0;
  auto deeper = [&] {
    volatile char frame[10000];
    frame[0] = 1;
    below = os::stackLeft() + frame[0] - 1;
  };
  deeper();
  EXPECT_GE(here, uint64_t(1) << 20);
  EXPECT_LE(below, here);
  uint64_t ofThread = 0;
  os::Thread([&] { ofThread = os::stackLeft(); }, 1 << 20).join();
  EXPECT_GT(ofThread, uint64_t(1) << 19);
  EXPECT_LE(ofThread, uint64_t(1) << 20);
}

} // namespace
