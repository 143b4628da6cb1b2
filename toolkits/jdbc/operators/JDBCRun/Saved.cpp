//===- Saved.cpp - what of JDBCRun outlives the process -------------------===//
//
// With checkpoints the transaction stays open until the next one. save() keeps its rows and its
// number, and committed() commits it. After a crash the number says whether that had happened; if
// not, the rows run again.
//
//===----------------------------------------------------------------------===//
#include "toolkits/jdbc/operators/JDBCRun/JDBCRun.h"
#include <poll.h>

namespace sluice::jdbc {

constexpr double kBrief = 5; // s, that a checkpoint waits for PostgreSQL

//===--- waiting --------------------------------------------------------------===//

bool Limited::wait(int socket, bool writes) {
  constexpr int step = 20; // ms
  pollfd ready{socket, short(POLLIN | (writes ? POLLOUT : 0)), 0};
  for (; left > 0; left -= step)
    if (poll(&ready, 1, step) != 0)
      return true;
  return false;
}

void JDBCRun::Running::limit(double seconds) {
  deadline = seconds > 0 ? sl_now(op.ctx) + int64_t(seconds * double(os::kNanos)) : 0;
}

/// A step towards the end of the program. False: it was the last.
bool JDBCRun::Running::step(int socket, short events) {
  pollfd ready{socket, events, 0};
  if (poll(&ready, 1, kStep) == 0)
    ++op.steps;
  return !hasEnded();
}

bool JDBCRun::Running::wait(int socket, bool writes) {
  auto events = short(POLLIN | (writes ? POLLOUT : 0));
  pollfd ready{socket, events, 0};
  if (poll(&ready, 1, 1) != 0) // most answers come soon
    return true;
  bool ends = deadline || writes ? sl_wait(op.ctx, 0.002) : sl_await_readable(op.ctx, socket);
  if (ends)
    return step(socket, events);
  return !deadline || sl_now(op.ctx) < deadline;
}

bool JDBCRun::Running::pause(double seconds) {
  if (!sl_wait(op.ctx, seconds))
    return false;
  return !step(-1, 0);
}

//===--- other threads --------------------------------------------------------===//

/// Runs what waits, and commits it, without submitting anything. What is wrong; or empty.
std::string JDBCRun::driveQuietly(bool commits, double seconds) {
  Limited patience(seconds);
  Problem problem;
  Outcome outcome = Outcome::Good;
  obey();
  do {
    if (!work.session.isOpen())
      outcome = work.connect(patience, problem);
    if (outcome == Outcome::Good) {
      isElsewhere = false;
      outcome = work.run(patience, problem);
    }
    if (outcome == Outcome::Good && commits)
      outcome = work.commit(patience, problem);
  } while (outcome == Outcome::Good && work.rows.waiting());
  connected->value.store(work.session.isOpen(), std::memory_order_relaxed);
  return outcome == Outcome::Good ? "" : outcome == Outcome::Stopped ? "no answer" : problem.text;
}

/// While the thread of the operator is at work there is nothing to do; others wait for the timer.
void JDBCRun::flushByTimer() {
  if (!lock.tryLock())
    return;
  Problem problem;
  work.session.look(problem);
  if (!problem.text.empty())
    warnOf(Outcome::Lost, problem);
  if (interval && !isExact && work.rows.size() > work.rows.committed)
    driveQuietly(true, 1); // what fails is tried again
  connected->value.store(work.session.isOpen(), std::memory_order_relaxed);
  lock.unlock();
}

std::string JDBCRun::persist() {
  for (;;) {
    {
      os::Held held(lock);
      if (std::string wrong = driveQuietly(true, kBrief); wrong.empty())
        return "";
      else if (sl_is_shutdown(home))
        return address.shown + ": " + wrong;
    }
    Limited(0.1).wait(-1, false);
  }
}

//===--- checkpoints ----------------------------------------------------------===//

void JDBCRun::save(Saver &saver) {
  os::Held held(lock);
  Rows &rows = work.rows;
  Problem problem;
  Limited patience(kBrief);
  if (!isExact) {
    driveQuietly(true, kBrief);
  } else {
    bool isBroken = !work.session.isOpen() && rows.size() > rows.committed;
    if (isBroken || rows.waiting() >= batch)
      driveQuietly(false, kBrief);
    if (work.session.isOpen())
      if (Outcome outcome = work.seal(patience, problem); outcome != Outcome::Good)
        warnOf(outcome, problem);
    sealed.store(!work.transaction().empty(), std::memory_order_release); // as committed()
  }
  int64_t count = 0, ran = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    Rows::Row &row = rows[i];
    if (row.isSaid && (row.isBad || i < rows.committed))
      continue;
    std::string number = std::to_string(count++);
    ran += i < rows.ran;
    saver.value("row " + number, desc->inTypes[0], row.bytes());
    saver.number("said " + number, row.isSaid);
  }
  saver.number("rows", count);
  saver.number("ran", ran);
  saver.text("transaction", work.transaction());
}

int32_t JDBCRun::restore(const Loader &loader) {
  for (int64_t i = 0, count = loader.number("rows").value_or(0); i < count; ++i) {
    std::string number = std::to_string(i);
    Rows::Row &row = work.rows.make(desc->inTypes[0]);
    if (!loader.value("row " + number, ctx->heap, desc->inTypes[0], row.tuple.data()))
      return sl_error(ctx, "a tuple of the checkpoint is of another type");
    row.isSaid = loader.number("said " + number).value_or(0) != 0;
  }
  work.restore(std::string(loader.text("transaction").value_or("")),
               size_t(loader.number("ran").value_or(0)));
  return 0;
}

void JDBCRun::committed() {
  // acquire: pairs with save(). Without it the thread of the operator may be waiting for
  // PostgreSQL, with the lock.
  if (!sealed.load(std::memory_order_acquire))
    return;
  os::Held held(lock);
  sealed.store(false, std::memory_order_release); // pairs with isSealed()
  Limited patience(kBrief);
  Problem problem;
  // Else its rows run again, and are committed with the next checkpoint.
  if (work.isSaved())
    work.commit(patience, problem);
}

} // namespace sluice::jdbc
