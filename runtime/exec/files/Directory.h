//===- Directory.h - checkpoints in a directory -------------------*- C++ -*-===//
//
//   DIR/000017/state       what the program remembered (StateFile.h)
//   DIR/000017/blocks.17   of large tables, beside it (BlockFile.h)
//   DIR/000017/MANIFEST    written last: a checkpoint without it is not complete
//   DIR/lock               held by the run that makes checkpoints, with the number of its process
//
// Functions return what went wrong, as a sentence for people; empty: nothing.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/files/Manifest.h"
#include "runtime/exec/files/StateFile.h"
#include <functional>
#include <string>
#include <vector>

namespace sluice::checkpoint {

class Directory {
public:
  explicit Directory(std::string path) : path(std::move(path)) {}
  ~Directory();
  Directory(const Directory &) = delete;

  /// For a run that makes checkpoints, by one of its processes: makes the directory if it is not
  /// there, keeps other runs out, and removes what was not completed.
  std::string lock();
  /// The numbers of complete checkpoints, in order.
  std::string list(std::vector<uint64_t> &numbers) const;
  std::string readManifest(uint64_t number, Manifest &) const;
  /// Reads a checkpoint and compares all checksums.
  std::string read(uint64_t number, Manifest &, std::vector<Section> &) const;
  /// Begins checkpoint `number`: several processes may write their files for it.
  std::string begin(uint64_t number) const;
  /// Writes the file `file.name` of a checkpoint that was begun, and fills in the rest of `file`.
  /// It outlives a loss of power once the checkpoint is complete.
  std::string write(uint64_t number, const std::vector<Section> &, Manifest::File &file) const;
  /// A file of a complete checkpoint is one of another, too. `lasts`: where that fails, it always
  /// will.
  std::string link(uint64_t from, uint64_t to, const std::string &name, bool &lasts) const;
  /// All files of the manifest were written: the checkpoint is complete once this has returned, and
  /// then outlives a loss of power.
  std::string complete(const Manifest &) const;
  std::string remove(uint64_t number) const;
  /// remove() of one that is not followed by another one: it does not come back in part.
  std::string removeForGood(uint64_t number) const;
  /// Removes all later ones, the last one first. They do not come back after a loss of power.
  std::string removeBehind(uint64_t number) const;
  /// Asks the run that makes checkpoints here for one, and waits until it is complete, for
  /// `patience` ns at most.
  std::string ask(int64_t patience, uint64_t &number) const;
  /// Removes the files of operators (sluice/beside.h), when no checkpoint is left.
  std::string removeBeside() const;
  /// Removes all but the last `count` checkpoints.
  std::string keep(uint64_t count) const;
  const std::string &name() const { return path; }
  std::string folder(uint64_t number) const;

private:
  std::string findRun(int &process) const;
  std::string findAsked(uint64_t behind, uint64_t &number) const;

  std::string path;
  int locked = -1;
};

} // namespace sluice::checkpoint
