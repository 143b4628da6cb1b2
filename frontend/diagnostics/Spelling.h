//===- Spelling.h - which names a misspelt one may mean ---------*- C++ -*-===//
#pragma once
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace sluice {

/// How far `other` is from `name`, if it may be what was meant by it: 0 if they differ in case
/// alone. Short names are all alike, so that of two letters or fewer nothing else is near.
std::optional<unsigned> nearness(llvm::StringRef name, llvm::StringRef other);

inline bool isNear(llvm::StringRef name, llvm::StringRef other) {
  return nearness(name, other).has_value();
}

} // namespace sluice
