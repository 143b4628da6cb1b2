//===- Coordinator.h - makes checkpoints of all processes of a job --*- C++ -*-===//
#pragma once
#include "runtime/exec/checkpoint/Checkpoints.h"
#include "runtime/exec/checkpoint/Consistency.h"
#include <vector>

namespace sluice::checkpoint {

/// Makes the checkpoints of a program of one process, or in PE 0 those of a job.
class Coordinator : public Checkpoints {
public:
  /// `others`: the other processes of the job.
  Coordinator(Program &, std::vector<std::unique_ptr<Participant>> others);
  ~Coordinator() override;

  int32_t open() override;
  void runUntil(os::Event &end) override;
  void finish() override;
  std::string summary() const override;

private:
  /// What all participants have answered, taken together.
  struct Together {
    bool failed = false, isStill = true, areOver = true, isEnd = true;
    uint64_t received = 0, sent = 0, digest = 0;
    int64_t stopped = 0, cost = 0;
    std::vector<Manifest::File> files;
    std::string text; // the first
  };
  Together all(Order);
  bool awaitStill(bool ends, std::string &moving);
  bool attempt(bool ends);
  bool make(bool ends);
  bool publish(const Together &taken, int64_t stopped);
  void go();
  void stop();
  bool sleep(const os::Event &end, int64_t nanos);
  bool isToEnd() const;
  Manifest manifestOf(const Together &taken, int64_t stopped) const;
  void noteStop(int64_t nanos);
  void noteMade();
  void warn(bool &isSaid, const std::string &why) const;
  bool takeAsked();
  bool takeWanted();
  int64_t nextDue(int64_t pause) const;

  std::vector<std::unique_ptr<Participant>> others;
  const Pace pace;
  uint64_t last = 0; // the number of the last one that is complete
  uint64_t next = 1;
  int64_t lastStop = 0;   // ns for which sources stood still last
  int64_t lastCut = 0;    // os::now() when they began to
  int64_t lastCost = 0;   // ns by which the program came less far for the last one
  uint64_t before = 0;    // digest of the state that was taken last
  bool hasFailed = false; // a process has: no checkpoint is made any more
  os::Event asked;        // by a signal (Directory::ask)
  bool isAsked = false;   // the next one is to be made, and to say so
  bool warned = false;    // that one could not be made
  bool waited = false;    // the same for one for which an operator did not stop
  struct {
    uint64_t made = 0, givenUp = 0, bytes = 0;
    int64_t stopped = 0, longest = 0, written = 0; // ns: sources stood still, at most; writing
    int64_t firstCut = 0, madeCut = 0; // os::now() of those that were made, the first and the last
    int64_t took = 0;                  // ns from the cut of the last one until it was complete
  } counts;
};

} // namespace sluice::checkpoint
