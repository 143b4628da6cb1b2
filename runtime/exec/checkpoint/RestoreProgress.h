//===- RestoreProgress.h - says that a restore takes long ---------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include <string>

namespace sluice::checkpoint {

/// While it lives there is, from `patience` ns on, a line on a terminal that says what is done and
/// for how long. It is wiped out in the end.
class RestoreProgress {
public:
  static constexpr int64_t kPatience = 2'000'000'000;

  /// `fd`: standard error, if it is a terminal; else nothing is said.
  explicit RestoreProgress(std::string what, int fd = 2, int64_t patience = kPatience);
  ~RestoreProgress();
  RestoreProgress(const RestoreProgress &) = delete;

private:
  void run(int64_t patience) const;

  const std::string what;
  const int fd;
  const int64_t began;
  os::Event end;
  os::Thread thread;
};

} // namespace sluice::checkpoint
