//===- HostMember.h - makes the checkpoints that a host asks for --*- C++ -*-===//
#pragma once
#include "runtime/exec/checkpoint/Checkpoints.h"
#include "runtime/remote/host/HostPipe.h"

namespace sluice::member {

/// In a PE whose host asks for checkpoints and keeps them.
class HostMember : public checkpoint::Checkpoints {
public:
  explicit HostMember(Program &);

  int32_t open() override;
  void runUntil(os::Event &end) override;
  void finish() override;

private:
  enum class Next { More, Ends };
  Next serve();
  void cut(const remote::HostOrder &);
  std::string awaitStill(uint64_t received);
  void letGo();

  remote::HostPipe &pipe;
  const int64_t patience; // ns until a cut is given up
  bool isLetGo = false;   // the program is to end: sources do not wait for checkpoints any more
};

} // namespace sluice::member
