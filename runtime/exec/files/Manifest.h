//===- Manifest.h - what a checkpoint is of -----------------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::checkpoint {

/// A text of lines `key value`, the last of which is the digest of those before. A checkpoint
/// without one is not complete.
struct Manifest {
  struct File {
    std::string name;
    uint64_t bytes = 0, digest = 0;
    bool isLinked = false; // it is one of an earlier checkpoint, too. Not written
  };

  uint64_t number = 0;
  std::string program;  // name of the main composite
  int64_t seconds = 0;  // when it was made, since 1970
  bool isEnd = false;   // all sources had ended
  bool isAsked = false; // it was asked for (Directory::ask), and begun behind that
  uint64_t boot = 0;    // os::bootNumber() of where it was made; 0: an older version has made it
  int64_t stopped = 0;  // ns for which the sources stood still
  std::vector<File> files;
  std::vector<std::pair<std::string, std::string>> values; // of submission time

  /// Whether the system was started again since, so that it may have lost power; or is another one.
  bool isOfOtherBoot() const;
};

std::string writeManifest(const Manifest &);
/// Returns what is wrong with the text; empty: nothing is.
std::string readManifest(std::string_view text, Manifest &);

} // namespace sluice::checkpoint
