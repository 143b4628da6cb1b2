//===- Removals.h - files that go when they were read -----------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "stdlib/native/Params.h"
#include <set>
#include <string>
#include <vector>

namespace sluice {

/// What the parameters deleteFile and moveFileToDirectory of a FileSource do. Where checkpoints are
/// made a file stays until one covers its end: until then it may have to be read again.
class Removals {
public:
  /// 0, or 1 after sl_error.
  int32_t configure(const ParamOp &);
  bool areWanted() const { return deletes || !moveTo.empty(); }
  /// The file was read to its end. What went wrong, with it or with one before; empty: nothing.
  std::string add(const std::string &path);

  // Checkpoints, as NativeOp has it.
  void save(Saver &);
  void restore(const Loader &);
  std::string sync();
  void committed();

private:
  struct File {
    std::string path;
    os::FileIdentity identity;
  };
  std::string takeAway(const std::string &path) const;
  void takeAll(const std::vector<File> &);

  bool deletes = false, waits = false;
  std::string moveTo;
  std::vector<File> read;        // not covered by a checkpoint
  std::vector<File> covered;     // by the one that is being made
  std::set<std::string> changed; // directories, since sync()
  os::Lock lock;                 // guards the next
  std::string problem;           // with a file that a checkpoint covered
};

} // namespace sluice
