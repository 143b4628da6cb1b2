//===- ThreadsTest.cpp - threads that cannot be started --------------------===//
#include "runtime/base/os.h"
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace sluice;

/// As somebody who may have no process and no thread more.
static void needOneMore() {
  rlimit none = {1, 1};
  setrlimit(RLIMIT_NPROC, &none);
  constexpr uid_t nobody = 65534;
  if (geteuid() == 0 && setresuid(nobody, nobody, nobody))
    _exit(2);
  os::needThreads(8, 1 << 20);
  _exit(0);
}

TEST(Threads, TooMany) {
  os::needThreads(4, 1 << 20); // there may be so many
  EXPECT_EXIT(needOneMore(), testing::ExitedWithCode(1),
              "error: cannot start 8 threads with 1024 KiB of stack: Resource temporarily");
  EXPECT_EXIT(os::needThreads(1 << 20, size_t(1) << 30), testing::ExitedWithCode(1),
              "cannot start 1048576 threads");
}
