//===- Retry.h - trying again what has failed -------------------*- C++ -*-===//
//
// What a connector does while the system outside is not there.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/native.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice {

/// How long to wait before the next attempt: 0.1 s, doubled up to a limit. Each is up to a quarter
/// shorter by chance, so that many clients do not come back at one moment.
class Backoff {
public:
  /// `most` in s; `seed` differs between clients.
  explicit Backoff(double most = 10, uint64_t seed = 0) : most(most), chance(seed) {}
  /// In s, after an attempt that has failed.
  double next();
  /// An attempt has succeeded.
  void reset() { pause = kFirst; }

private:
  static constexpr double kFirst = 0.1;
  double most, pause = kFirst;
  uint64_t chance;
};

/// Warns of a reason once, and then at most once a minute. Any thread.
class Warnings {
public:
  /// True: it has warned. `why` has no secret in it. Where the same can be wrong with many values,
  /// `reason` says what is the same; else it is `why`.
  bool warn(Ctx *, const OperatorDesc *, const std::string &why, std::string_view reason = {});

private:
  static constexpr size_t kMost = 4; // reasons that are remembered
  os::Lock lock;
  std::vector<std::pair<std::string, int64_t>> said; // when; guarded by the lock
};

} // namespace sluice
