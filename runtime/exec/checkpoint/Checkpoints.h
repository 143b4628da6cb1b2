//===- Checkpoints.h - a run makes checkpoints ----------------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/exec/checkpoint/LocalParticipant.h"
#include "runtime/exec/checkpoint/Restore.h"
#include "runtime/exec/checkpoint/RestoreProgress.h"
#include "runtime/exec/files/Directory.h"
#include "runtime/exec/files/Relaunches.h"
#include <memory>
#include <string>

namespace sluice {
class Spool;
}

namespace sluice::checkpoint {

/// What a process does for the checkpoints of its job: it goes on from one, and takes part in
/// others. By the main thread, but for runUntil().
class Checkpoints {
public:
  explicit Checkpoints(Program &);
  virtual ~Checkpoints() = default;

  /// Before operators are made: reads the checkpoint from which the run is to go on. 0, or -1
  /// after a message.
  virtual int32_t open() = 0;
  /// When native operators are made: finds the sources that have a log, and what is in their logs.
  /// 0, or -1 after a message.
  int32_t openLogs();
  /// When operators are open: 0, or -1 after a message that names those that cannot be saved.
  int32_t checkOperators();
  /// What the run goes on from; null: it begins anew.
  Restore *restore() const { return restored.get(); }
  /// Restores all else that stands before threads run (Restore::states). 0, or -1 after a message.
  int32_t restoreStates();

  /// A thread of its own: checkpoints are made from time to time, and the last one where the
  /// program is told to end.
  virtual void runUntil(os::Event &end) = 0;
  /// When all threads have ended: the last checkpoint is made, unless one has ended the program or
  /// it has failed. Waits for the other processes of the job.
  virtual void finish() = 0;
  /// For --stats.
  virtual std::string summary() const { return ""; }

protected:
  int32_t fail(const std::string &message);
  /// Another process has said what is wrong.
  int32_t failQuietly();
  /// The checkpoints that are there, and the one from which the run is to go on: 0 is none. 0, or
  /// -1 after a message.
  int32_t choose(std::vector<uint64_t> &numbers, uint64_t &chosen);
  int32_t readFrom(uint64_t number);
  /// The run is to go on from these. 0, or -1 after a message.
  int32_t take(Manifest, std::vector<Section>);
  /// By one process: counts the run, which is to go on from that checkpoint or begins anew (0), and
  /// refuses it where too many have ended there. 0, or -1 after a message.
  int32_t countStart(uint64_t from);
  /// By the others: what was counted.
  void noteStart(uint64_t from, const Relaunches &);

  Program &p;
  Directory directory;
  LocalParticipant local;
  bool isCut = false; // the program was told to end and could not be saved: it did not end itself

private:
  int32_t report(const std::string &wrong);
  std::string openLog(Spool &);
  bool isLetGo(uint32_t op) const;

  const int64_t began; // ns
  std::unique_ptr<Restore> restored;
  std::unique_ptr<RestoreProgress> progress; // until all is restored
};

} // namespace sluice::checkpoint
