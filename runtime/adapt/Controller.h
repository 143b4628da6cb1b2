//===- Controller.h - carries out what a policy decides ---------*- C++ -*-===//
//
// One thread waits, measures an interval, asks the policy and carries out what that decides. In
// between it sleeps on events: the end, and the signals that pause and resume it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/adapt/Measure.h"
#include "runtime/exec/run/Adapter.h"
#include "runtime/queue/Ready.h"
#include "runtime/trace/Writer.h"

namespace sluice::adapt {

class Controller : public Adapter {
public:
  explicit Controller(Program &);
  /// Makes the policy and the trace. 0, or the exit code: what was asked for does not exist or
  /// cannot be written, which was reported.
  int prepare();
  /// True if there is something to adapt or to trace, or the user asked for it by name.
  bool isOfUse() const override { return policy || traces || asked(); }
  void run(const os::Event &end) override;
  void finish(int exitCode) override;
  std::string summary() const override;
  const trace::Header &header() const override { return head; }
  trace::Writer &writer() override { return *trace; }
  void pause(bool) override;

private:
  bool asked() const; // true if the user named a policy
  enum class Woken { Time, End, Pause };
  bool addBound(const char *name, double value);
  bool findPolicy();
  void makeHeader();
  bool wrong(const std::string &what) const;
  std::unique_ptr<elastic::Policy> makePolicy(std::string &error) const;
  Woken wait(double seconds);
  bool measureInterval(double seconds, elastic::Sample &);
  bool wasStopped(const elastic::Sample &, double asked);
  void changePause();
  void decide(elastic::Decision);
  void carryOut(const elastic::Decision &);
  void setThreads(uint32_t);
  double now() const;

  Program &p;
  const Nodes nodes;
  elastic::Machine machine;
  elastic::Constants constants;            // that the user has given
  elastic::Configuration set;              // the current configuration
  std::unique_ptr<elastic::Policy> policy; // null: off, or nothing to adapt
  std::unique_ptr<trace::Writer> trace;    // of --trace; else it only keeps what happens
  trace::Header head;                      // of that. Set before threads run
  bool traces = false;                     // --trace
  queue::Self<RealSys> self;               // its side of the queues, to wake workers
  elastic::Decision next;                  // the last one: how long to wait and measure

  const os::Event *end = nullptr;
  os::Event woken; // raised by a signal
  // Written by the signal handler and by pause(). relaxed: `woken` is raised after it and publishes
  // it.
  std::atomic<bool> pauseAsked{false};
  uint32_t stopped = 0; // intervals in succession in which the process was stopped
  bool paused = false;

  uint32_t decisions = 0, changes = 0;        // changes: decisions that changed something
  double lastChange = -1;                     // seconds since the program began; -1: none
  double spent = 0;                           // seconds of processor time, of the thread
  const double compiling = os::cpuTime().own; // seconds that the process took before the program
};

} // namespace sluice::adapt
