//===- Processes.h - processes that cannot be started -----------*- C++ -*-===//
#pragma once
#include "support/ProcessLimit.h"
#include "llvm/ADT/StringRef.h"
#include <cerrno>
#include <string>
#include <system_error>

namespace sluice {

/// Whether what somebody said of a process is that no more may be started.
inline bool saysTooMany(llvm::StringRef said) {
  return said.contains("posix_spawn failed: " + std::generic_category().message(EAGAIN)) ||
         said.contains("Couldn't fork: " + std::generic_category().message(EAGAIN));
}

/// What LLVM says of a process that could not be started, in words for users.
inline std::string whyNotStarted(llvm::StringRef said) {
  return saysTooMany(said) ? kProcessLimit : said.str();
}

} // namespace sluice
