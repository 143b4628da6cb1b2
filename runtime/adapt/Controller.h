//===- Controller.h - carries out what a policy decides ---------*- C++ -*-===//
//
// One thread: waits, measures a window, asks the policy, carries out. Between two
// windows it sleeps on events: the end, and the signals that pause and resume it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/adapt/Measure.h"
#include "runtime/exec/program/Adapter.h"
#include "runtime/queue/Ready.h"
#include "runtime/trace/Writer.h"

namespace sluice::adapt {

class Controller : public Adapter {
public:
  explicit Controller(Program &);
  /// 0, or the exit code: what was asked for does not exist or cannot be written; that was said.
  int prepare();
  /// There is something to adapt or to trace, or somebody is to be told that there is not.
  bool isOfUse() const { return policy || trace || asked(); }
  void run(const os::Event &end) override;
  void finish(int exitCode) override;
  std::string summary() const override;

private:
  bool asked() const; // a policy, by name
  enum class Woken { Time, End, Pause };
  bool addBound(const char *name, double value);
  bool findPolicy();
  void beginTrace();
  bool wrong(const std::string &what) const;
  std::unique_ptr<elastic::Policy> makePolicy(std::string &error) const;
  Woken wait(double seconds);
  bool measureWindow(double seconds, elastic::Sample &);
  bool wasStopped(const elastic::Sample &, double asked);
  void changePause();
  void decide(elastic::Decision);
  void carryOut(const elastic::Decision &);
  void setThreads(uint32_t);
  double now() const;

  Program &p;
  const Nodes nodes;
  elastic::Machine machine;
  elastic::Constants constants;            // that were given
  elastic::Configuration set;              // what is
  std::unique_ptr<elastic::Policy> policy; // null: off, or nothing to adapt
  std::unique_ptr<trace::Writer> trace;    // null: not asked for
  queue::Self<RealSys> self;               // for what it tells the workers
  elastic::Decision next;                  // how long to wait and measure

  const os::Event *end = nullptr;
  os::Event woken; // a signal came
  std::atomic<bool> pauseAsked{false};
  uint32_t stopped = 0; // windows with a stop in them, one after the other
  bool paused = false;

  uint32_t decisions = 0, changes = 0; // changes: decisions among them that did
  double lastChange = -1;
  double spent = 0; // seconds of processor time, of the thread
};

} // namespace sluice::adapt
