//===- FileUses.h - which files the program reads and writes -----*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/native.h"
#include <vector>

namespace sluice {

/// The regular files that native operators use. None is read and written at the same time: a sink
/// empties its file, and a source that reads what is appended never ends. Hot files are not named,
/// as that is what they are for. What is written is locked against other programs (flock), once for
/// all operators that write it.
class FileUses {
public:
  ~FileUses();
  /// Whether the file may be used so, or why not: this program reads it or writes it, or another
  /// one writes it. Paths of files that are not there yet are free.
  enum class Answer { Yes, Reads, Writes, OtherWrites };
  Answer add(const char *path, FileUse);
  void remove(const char *path);

private:
  struct Known {
    os::FileIdentity file;
    bool isWritten;
    uint32_t count; // how often it was added to be written
    int lock;       // descriptor that holds the lock, or a negative number
  };
  os::Lock lock; // guards `known`
  std::vector<Known> known;
};

} // namespace sluice
