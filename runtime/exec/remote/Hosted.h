//===- Hosted.h - other PEs that a host carries frames to -------*- C++ -*-===//
#pragma once
#include "runtime/exec/remote/Remote.h"
#include "runtime/remote/host/PipeLinks.h"
#include <map>

namespace sluice {

/// A PE whose host (Job::host) carries all its links. It knows no other PE.
class Hosted : public Remote {
public:
  explicit Hosted(Program &p);
  ~Hosted() override;

  std::string start() override;
  remote::ReceiveLink &receiver(uint32_t op) override { return *receivers.at(op); }
  void drop(uint32_t op) override;
  std::unique_ptr<remote::SendLink> connect(uint32_t sender, int64_t nanos,
                                            std::string &error) override;
  void enter(uint32_t, Reconnects &) override {}
  void leave(uint32_t) override {}
  void callSender(uint32_t) override {}
  void endOthers() override;
  int64_t patience() const override { return 0; }

private:
  Program &p;
  remote::HostPipe &pipe;
  std::map<uint32_t, std::unique_ptr<remote::PipeReceiveLink>> receivers; // by operator
};

} // namespace sluice
