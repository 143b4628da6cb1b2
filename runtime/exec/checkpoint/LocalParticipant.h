//===- LocalParticipant.h - this process in a checkpoint ----------*- C++ -*-===//
#pragma once
#include "runtime/exec/checkpoint/Participant.h"
#include "runtime/exec/checkpoint/Stand.h"
#include "runtime/exec/files/BlockSaving.h"
#include "runtime/exec/files/Directory.h"

namespace sluice {
struct Source;
}

namespace sluice::checkpoint {

/// By one thread at a time, which runs none of the program.
class LocalParticipant : public Participant {
public:
  LocalParticipant(Program &p, const Directory &directory);

  void order(const Order &given) override { answered = carryOut(given); }
  bool answer(Answer &to) override { return to = answered, true; }
  Answer carryOut(const Order &);
  // In place of Step::Write, for who keeps what was taken elsewhere:
  /// Syncs files of sinks and logs of sources. What is wrong; empty: nothing.
  std::string sync();
  const std::vector<Section> &sections() const { return taken; }
  /// Sources that wait for a checkpoint that they have asked for go on, and none waits any more.
  void letGo();
  /// All threads of the program have ended in this process.
  void setOver() { isOver = true; }

private:
  void look(Answer &) const;
  void ask(uint64_t number);
  void settle();
  void take(uint64_t number, Answer &);
  void write(uint64_t number, Answer &);

  Program &p;
  const Directory &directory;
  Stand stand;
  std::vector<Section> taken;
  BlockSaving blocks;           // of what was taken
  std::vector<Source *> asking; // for the checkpoint at hand
  bool isOver = false;
  Answer answered;
};

} // namespace sluice::checkpoint
