//===- MoveLog.h - files that were moved behind a checkpoint ----*- C++ -*-===//
//
// What was moved cannot be found again where it was. So each move is noted in a file before it is
// made, and who goes on from a checkpoint submits what was noted behind that. At each checkpoint
// another file begins, whose number is part of it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/saved.h"
#include <deque>
#include <string>

namespace sluice {

/// A file that was to be moved, as it was before that.
struct MovedFile {
  std::string name;
  int64_t size, accessed, modified; // bytes; seconds
  int64_t changed;                  // ns

  /// Both are notes of one file: the first time it was not moved.
  bool isSame(const MovedFile &other) const {
    return name == other.name && changed == other.changed;
  }
};

class MoveLog {
public:
  MoveLog() = default;
  ~MoveLog();
  MoveLog(const MoveLog &) = delete;

  /// `path`: what the names of its files begin with; empty: nothing is noted. `goesOn`: finds what
  /// is to be submitted again; else what an earlier run has left goes. What went wrong; empty:
  /// nothing.
  std::string open(const std::string &path, bool goesOn);
  /// The same. It outlives a loss of power from then on.
  std::string note(const MovedFile &);

  /// What was noted behind the checkpoint from which the program goes on. Who has submitted one
  /// takes it out.
  std::deque<MovedFile> again;

  // Checkpoints, as NativeOp has it.
  void save(Saver &);
  void restore(const Loader &);
  void committed();

private:
  std::string fileOf(int64_t number) const;
  std::string begin();
  std::string read();
  void removeAll() const;

  std::string path;
  int fd = -1;        // of the last file; below 0: it is not made yet
  int64_t number = 0; // its
  int64_t behind = 0; // the first one behind the checkpoint from which the program goes on
  int64_t saved = 0;  // the first one behind the checkpoint that is being made
};

} // namespace sluice
