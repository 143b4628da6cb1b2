//===- JDBCRun.h - com.ibm.streamsx.jdbc::JDBCRun ---------------*- C++ -*-===//
#pragma once
#include "sluice/metrics.h"
#include "stdlib/native/connect/ControlPort.h"
#include "stdlib/native/connect/Retry.h"
#include "stdlib/operators/FileSink/FlushTimer.h"
#include "toolkits/jdbc/operators/JDBCRun/Outputs.h"
#include "toolkits/jdbc/operators/JDBCRun/Work.h"

namespace sluice::jdbc {

/// Waits so many seconds, on whatever thread.
class Limited : public Patience {
public:
  explicit Limited(double seconds) : left(seconds * 1000) {}
  bool wait(int socket, bool writes) override;

private:
  double left; // ms
};

class JDBCRun : public ParamOp, private Work::Owner, private Flushable {
public:
  Saves saves() const override {
    return Saves::unless(param("$control") ? "its control port may have led it to another database"
                                           : nullptr);
  }
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind) override;
  int32_t close() override;
  std::string persist() override;
  void save(Saver &) override;
  int32_t restore(const Loader &) override;
  void committed() override;

private:
  /// Waits as the thread of the operator does: as long as it takes; once the program is to end, no
  /// longer than half a minute in all.
  class Running : public Patience {
  public:
    explicit Running(JDBCRun &op) : op(op) {}
    bool wait(int socket, bool writes) override;
    /// Sleeps; true: it waits no longer.
    bool pause(double seconds);
    void limit(double seconds) override;
    bool hasEnded() const { return op.steps > kSteps; }

  private:
    static constexpr uint32_t kSteps = 1500; // of kStep ms
    static constexpr int kStep = 20;
    bool step(int socket, short events);

    JDBCRun &op;
    int64_t deadline = 0;
  };

  int32_t readStatement();
  int32_t readRules();
  int32_t reconnect(Running &);
  int32_t cannotConnect(const Problem &);
  int32_t lostAtEnd();
  void warnOf(Outcome, const Problem &);
  bool obey();
  int32_t drive(bool commits);
  int32_t settle();
  int32_t runBatch();
  void check(Rows::Row &);
  bool isSealed();
  std::string driveQuietly(bool commits, double seconds);
  void fill(const Rows::Row &, Parameters &) override;
  std::string sqlOf(const Rows::Row &) override;
  bool take(Rows::Row &, Result &, size_t &seen, Problem &, int32_t &failure) override;
  void refused(Rows::Row &) override;
  void flushByTimer() override;

  const Library *lib = nullptr;
  Ctx *home = nullptr; // for any thread
  Address address;
  std::shared_ptr<ControlPort> control; // null: there is none
  std::vector<const Field *> columns;   // the attributes that are parameters
  const Field *sql = nullptr;
  uint64_t batch = 1, transaction = 1, interval = 0;
  bool batchOnPunct = false, commitOnPunct = false;
  bool isExact = false; // commits behind checkpoints only
  bool isEndless = true, isTimed = false;
  uint64_t tries = 0;
  bool isElsewhere = false; // it has not tried to connect where the control port has led it
  double pause = 10;        // s, between attempts; the longest
  Problem trouble;          // why there is no connection
  Backoff backoff;
  Warnings warnings;
  Metric *connected = nullptr, *failed = nullptr;
  uint32_t steps = 0; // that it has waited since the program is to end
  os::Lock lock;      // guards what is below
  Outputs outputs{*this};
  Work work{*this};
  uint64_t batches = 0;   // since the last commit
  bool maySubmit = false; // the thread of the operator is at work
  // The transaction was saved, and is not yet committed.
  std::atomic<bool> sealed{false};
  bool hasEnded = false; // final punctuation has come
};

} // namespace sluice::jdbc
