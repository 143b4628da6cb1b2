//===- ObjectCache.h - runs a compiler, or finds what it would make -*- C++ -*-===//
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace sluice::driver {

/// A command that makes one file. The file's name, in the cache, is made of the command and of
/// `content`, so that it is never out of date.
struct CacheEntry {
  std::vector<std::string> command; // without `-o FILE`
  std::string content;              // what the command reads
  llvm::StringRef ending;           // of the file: "o", "so"
  std::string file;                 // filled by makeAll()
};

/// Why nothing can be written to the cache; empty: it can.
std::string cacheProblem();

/// Makes the files that are not there yet, as many at a time as there are processors. What the
/// commands print goes to standard error. Returns the first problem; empty: there is none.
std::string makeAll(llvm::MutableArrayRef<CacheEntry> entries);

/// Writes a text to the cache; returns its path.
std::string cachedText(llvm::StringRef text, llvm::StringRef ending);

} // namespace sluice::driver
