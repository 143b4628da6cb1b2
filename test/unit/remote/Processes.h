//===- Processes.h - tests of two processes ---------------------*- C++ -*-===//
//
// UCX must be opened after fork(): the process of the tests never opens it, its children do.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <csignal>
#include <cstdio>
#include <functional>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice::remote {

/// A child; the destructor ends it.
class Child {
public:
  /// `body` returns what is wrong, or nothing.
  explicit Child(const std::function<std::string()> &body) : pid(fork()) {
    if (pid)
      return;
    alarm(120); // a hang is a failure
    std::string wrong = body();
    if (!wrong.empty())
      fprintf(stderr, "process %d: %s\n", int(getpid()), wrong.c_str());
    fflush(nullptr);
    _exit(wrong.empty() ? 0 : 1);
  }
  ~Child() {
    if (pid > 0 && kill(pid, SIGKILL) == 0)
      waitpid(pid, nullptr, 0);
  }
  Child(const Child &) = delete;
  void signal(int number) const { kill(pid, number); }
  /// The exit code; 128 and the number of the signal that ended it.
  int join() {
    int status = 0;
    waitpid(pid, &status, 0);
    pid = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

private:
  pid_t pid;
};

} // namespace sluice::remote
