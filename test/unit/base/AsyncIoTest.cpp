//===- AsyncIoTest.cpp - io_uring and threads do the same -------------------===//
#include "runtime/base/AsyncIo.h"
#include "runtime/base/os.h"
#include <cerrno>
#include <gtest/gtest.h>
#include <random>

namespace sluice::os {
namespace {

using Bytes = std::vector<char>;

struct AsyncIoTest : testing::TestWithParam<bool> {
  void SetUp() override {
    io = GetParam() ? AsyncIo::byKernel() : AsyncIo::byThreads();
    if (!io)
      GTEST_SKIP() << "the kernel refuses io_uring";
    fd = openScratch("/tmp", false);
    ASSERT_GE(fd, 0);
  }
  void TearDown() override {
    io.reset();
    if (fd >= 0)
      closeFile(fd);
  }
  std::unique_ptr<AsyncIo> io;
  int fd = -1;
};

/// Parts of a buffer, none of them empty.
std::vector<Part> partsOf(char *bytes, size_t size, size_t count) {
  std::vector<Part> parts;
  for (size_t i = 0; i < count; ++i) {
    size_t begin = size * i / count, end = size * (i + 1) / count;
    parts.push_back({bytes + begin, end - begin});
  }
  return parts;
}

TEST_P(AsyncIoTest, GivesBackWhatWasWritten) {
  constexpr size_t kSize = 200'000;
  std::mt19937 random(3);
  // More parts than one call of the kernel takes, too.
  for (size_t parts : {1, 2, 77, 1024, 1025, 5000}) {
    std::vector<Bytes> written(AsyncIo::kMostPending, Bytes(kSize));
    for (size_t i = 0; i < written.size(); ++i) {
      for (char &byte : written[i])
        byte = char(random());
      io->begin({true, fd, i * kSize, partsOf(written[i].data(), kSize, parts)});
    }
    EXPECT_EQ(io->pending(), written.size());
    for (size_t i = 0; i < written.size(); ++i) {
      AsyncIo::Result result = io->finish();
      EXPECT_EQ(result.error, 0);
      EXPECT_EQ(result.bytes, kSize);
      EXPECT_EQ(result.request.offset, i * kSize) << "in the order in which they were begun";
    }
    std::vector<Bytes> read(written.size(), Bytes(kSize));
    for (size_t i = read.size(); i-- > 0;)
      io->begin({false, fd, i * kSize, partsOf(read[i].data(), kSize, 5001 - parts)});
    for (size_t i = read.size(); i-- > 0;)
      EXPECT_EQ(io->finish().error, 0);
    EXPECT_TRUE(read == written);
  }
}

TEST_P(AsyncIoTest, SaysHowFarItCameAtTheEndOfTheFile) {
  Bytes bytes(10'000, 'x');
  io->begin({true, fd, 0, {{bytes.data(), 7000}}});
  EXPECT_EQ(io->finish().bytes, 7000u);
  io->begin({false, fd, 1000, partsOf(bytes.data(), bytes.size(), 10)});
  io->begin({false, fd, 0, {}});
  AsyncIo::Result result = io->finish();
  EXPECT_EQ(result.error, -EIO);
  EXPECT_EQ(result.bytes, 6000u);
  EXPECT_EQ(io->finish().error, 0) << "nothing is to be read";
}

TEST_P(AsyncIoTest, TellsErrors) {
  Bytes bytes(100);
  int full = openFile("/dev/full", Open::Append), readOnly = openFile("/dev/zero", Open::Read);
  io->begin({true, full, 0, {{bytes.data(), bytes.size()}}});
  io->begin({true, readOnly, 0, {{bytes.data(), bytes.size()}}});
  io->begin({false, 12345, 0, {{bytes.data(), bytes.size()}}});
  EXPECT_EQ(io->finish().error, -ENOSPC);
  EXPECT_EQ(io->finish().error, -EBADF);
  EXPECT_EQ(io->finish().error, -EBADF);
  closeFile(full);
  closeFile(readOnly);
}

TEST_P(AsyncIoTest, WaitsAtItsEnd) {
  Bytes bytes(1 << 20, 'y'), read(bytes.size());
  for (size_t i = 0; i < AsyncIo::kMostPending; ++i)
    io->begin({true, fd, i * bytes.size(), {{bytes.data(), bytes.size()}}});
  io.reset();
  size_t moved = 0;
  Part part = {read.data(), read.size()};
  EXPECT_EQ(readAt(fd, {&part, 1}, (AsyncIo::kMostPending - 1) * bytes.size(), moved), 0);
  EXPECT_TRUE(read == bytes);
}

INSTANTIATE_TEST_SUITE_P(BothWays, AsyncIoTest, testing::Bool(),
                         [](const auto &info) { return info.param ? "Kernel" : "Threads"; });

} // namespace
} // namespace sluice::os
