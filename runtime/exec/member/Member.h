//===- Member.h - takes part in the checkpoints of a job ----------*- C++ -*-===//
#pragma once
#include "runtime/exec/checkpoint/Checkpoints.h"

namespace sluice::member {

/// In each PE but PE 0, which coordinates: does as it says, over the socket between them.
class Member : public checkpoint::Checkpoints {
public:
  explicit Member(Program &p) : Checkpoints(p) {}

  int32_t open() override;
  void runUntil(os::Event &end) override;
  void finish() override;

private:
  enum class Next { More, Ends, Alone };
  Next serve();
  void serveUntil(const os::Event *end);
  void leave();

  bool toldStop = false; // the coordinator knows that this process was told to end
  bool isLetGo = false;  // the program is to end: sources do not wait for checkpoints any more
};

/// The part that this process takes in checkpoints.
std::unique_ptr<checkpoint::Checkpoints> makeCheckpoints(Program &);

} // namespace sluice::member
