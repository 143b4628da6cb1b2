//===- ThreadsTest.cpp - threads that cannot be started --------------------===//
#include "runtime/base/os.h"
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sluice;

/// Root has no limit of threads. False: this process may not become somebody else.
static bool becomeNobody() {
  constexpr uid_t nobody = 65534;
  return geteuid() != 0 || setresuid(nobody, nobody, nobody) == 0;
}

static bool mayBecomeNobody() {
  pid_t child = fork();
  if (child == 0)
    _exit(becomeNobody() ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

/// As somebody who may have no process and no thread more.
static void needOneMore() {
  rlimit none = {1, 1};
  setrlimit(RLIMIT_NPROC, &none);
  becomeNobody();
  os::needThreads(8, 1 << 20);
  _exit(0);
}

TEST(Threads, TooMany) {
  os::needThreads(4, 1 << 20); // there may be so many
  if (!mayBecomeNobody())
    GTEST_SKIP() << "a limit of threads is for users other than root";
  EXPECT_EXIT(
      needOneMore(), testing::ExitedWithCode(1),
      "error: cannot start 8 threads with 1024 KiB of stack: no more processes and threads may");
  EXPECT_EXIT(os::needThreads(1 << 20, size_t(1) << 30), testing::ExitedWithCode(1),
              "cannot start 1048576 threads");
}
