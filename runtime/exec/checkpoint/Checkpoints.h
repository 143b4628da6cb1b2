//===- Checkpoints.h - a run makes checkpoints ----------------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/exec/checkpoint/Directory.h"
#include "runtime/exec/checkpoint/Restore.h"
#include "runtime/exec/checkpoint/RestoreProgress.h"
#include <memory>
#include <string>

namespace sluice::checkpoint {

/// By the main thread, but for runUntil().
class Checkpoints {
public:
  explicit Checkpoints(Program &);
  ~Checkpoints();

  /// Before operators are made: takes the directory, and reads the checkpoint from which the run is
  /// to go on. 0, or -1 after a message.
  int32_t open();
  /// When operators are open: 0, or -1 after a message that names those that cannot be saved.
  int32_t checkOperators();
  /// What the run goes on from; null: it begins anew.
  Restore *restore() const { return restored.get(); }
  /// Restores all else that stands before threads run (Restore::states). 0, or -1 after a message.
  int32_t restoreStates();

  /// A thread of its own: makes a checkpoint from time to time, and the last one where the program
  /// is told to end.
  void runUntil(os::Event &end);
  /// When all threads have ended: makes the last checkpoint, unless one has ended the program or it
  /// has failed.
  void finish();
  /// For --stats.
  std::string summary() const;

private:
  int32_t fail(const std::string &message);
  int32_t report(const std::string &wrong);
  int32_t readFrom(uint64_t number);
  void warn(bool &isSaid, const std::string &why) const;
  bool isAsBefore(const std::vector<Section> &sections);
  void takeAsked();
  void noteStop(int64_t nanos);
  bool make(bool ends);
  bool publish(std::vector<Section> sections, int64_t stopped);

  Program &p;
  Directory directory;
  std::unique_ptr<Restore> restored;
  std::unique_ptr<RestoreProgress> progress; // until all is restored
  uint64_t last = 0;                         // the number of the last one that is complete
  uint64_t next = 1;
  int64_t lastStop = 0; // ns for which sources stood still last
  uint64_t before = 0;  // digest of the state that was taken last
  bool isCut = false;   // the program was told to end and could not be saved: it did not end itself
  bool warned = false;  // that one could not be made
  os::Event asked;      // by a signal (Directory::ask)
  bool isAsked = false; // the next one is to be made, and to say so
  bool waited = false;  // the same for one for which an operator did not stop
  struct {
    uint64_t made = 0, givenUp = 0, bytes = 0;
    int64_t stopped = 0, longest = 0, written = 0; // ns: sources stood still, at most; writing
  } counts;
};

} // namespace sluice::checkpoint
