//===- JDBCRun.cpp - com.ibm.streamsx.jdbc::JDBCRun -----------------------===//
//
// Tuples become rows of Work, which runs them in transactions; the thread of the operator submits
// what is to be said of them (settle). Threads of checkpoints and of the timer run and commit rows,
// too, but submit nothing.
//
//===----------------------------------------------------------------------===//
#include "toolkits/jdbc/operators/JDBCRun/JDBCRun.h"
#include "runtime/base/os.h"
#include "toolkits/jdbc/native/Values.h"
#include <utility>

namespace sluice::jdbc {

constexpr double kAwaitCommit = 1; // s, for a checkpoint to be complete

//===--- what Work asks for ---------------------------------------------------===//

void JDBCRun::fill(const Rows::Row &row, Parameters &to) {
  for (const Field *field : columns)
    to.add(!putText(to.text(), *field->type, row.bytes() + field->offset));
}

std::string JDBCRun::sqlOf(const Rows::Row &row) {
  return std::string(viewOf(*reinterpret_cast<const Str *>(row.bytes() + sql->offset)));
}

bool JDBCRun::take(Rows::Row &row, Result &result, size_t &seen, Problem &problem,
                   int32_t &failure) {
  auto count = size_t(lib->PQntuples(result.get()));
  seen += count;
  if (count && !row.isSaid && !row.isUnfit && seen > row.taken) {
    row.taken = seen;
    if (maySubmit)
      row.isUnfit = !outputs.rows(row.bytes(), result, row.problem, failure);
    else
      row.results.push_back(std::move(result)); // settle() submits it
  }
  if (row.isUnfit)
    problem = row.problem;
  return !row.isUnfit;
}

void JDBCRun::refused(Rows::Row &row) {
  failed->value.fetch_add(1, std::memory_order_relaxed);
  warnings.warn(home, desc, "SQLSTATE " + row.problem.state + ": " + row.problem.text,
                row.problem.state);
}

/// PostgreSQL has no texts with zero bytes in them.
void JDBCRun::check(Rows::Row &row) {
  for (const Field *field : columns)
    if (hasZero(*field->type, row.bytes() + field->offset)) {
      row.isBad = true;
      row.problem = {"22021", std::string("the attribute ") + field->name + " has a zero byte"};
      return refused(row);
    }
}

//===--- the connection -------------------------------------------------------===//

void JDBCRun::warnOf(Outcome outcome, const Problem &problem) {
  trouble = outcome == Outcome::Stopped ? Problem{"08001", "no answer"} : problem;
  if (isEndless || tries)
    warnings.warn(home, desc, address.shown + ": " + trouble.text + "; it tries again");
}

int32_t JDBCRun::cannotConnect(const Problem &problem) {
  return sl_error(ctx, "%s: %s (SQLSTATE %s)", address.shown.c_str(), problem.text.c_str(),
                  problem.state.c_str());
}

/// Does what the control port says: what was not committed runs again, at the other database. True:
/// there is another.
bool JDBCRun::obey() {
  bool hasMoved = false;
  while (std::optional<std::string> order = control ? control->take() : std::nullopt)
    if (std::string wrong = address.follow(*this, *order); wrong.empty())
      hasMoved = true;
    else
      sl_warn(home, desc, "the control port: %s; that is left out", wrong.c_str());
  if (!hasMoved)
    return false;
  work.leave();
  isElsewhere = true;
  backoff.reset();
  connected->value.store(0, std::memory_order_relaxed);
  return true;
}

/// Connects, as often as reconnectionPolicy says.
int32_t JDBCRun::reconnect(Running &patience) {
  for (uint64_t attempts = 0;; ++attempts) {
    if (obey())
      attempts = 0;
    if (!isEndless && attempts >= tries && !isElsewhere)
      return cannotConnect(trouble);
    if (attempts > 0 && patience.pause(isEndless ? backoff.next() : pause))
      return lostAtEnd();
    if (obey()) // what has come meanwhile
      attempts = 0;
    isElsewhere = false;
    Problem problem;
    Outcome outcome = work.connect(patience, problem);
    connected->value.store(outcome == Outcome::Good, std::memory_order_relaxed);
    if (outcome == Outcome::Good) {
      backoff.reset();
      return 0;
    }
    if (outcome == Outcome::Refused)
      return cannotConnect(problem);
    if (patience.hasEnded())
      return lostAtEnd();
    warnOf(outcome, problem);
  }
}

int32_t JDBCRun::lostAtEnd() {
  size_t left = work.rows.size() - work.rows.committed;
  return sl_error(ctx, "%s has not confirmed %zu %s within 30 s: they are lost",
                  address.shown.c_str(), left, left == 1 ? "tuple" : "tuples");
}

//===--- tuples ---------------------------------------------------------------===//

/// Runs what waits and, `commits`, commits it; again, until the connection has held.
int32_t JDBCRun::drive(bool commits) {
  Running patience(*this);
  for (;;) {
    obey();
    if (!work.session.isOpen())
      if (int32_t result = reconnect(patience))
        return result;
    Problem problem;
    Outcome outcome = work.run(patience, problem);
    if (outcome == Outcome::Good && commits)
      outcome = work.commit(patience, problem);
    if (work.failure)
      return std::exchange(work.failure, 0);
    if (outcome == Outcome::Good && !work.rows.waiting())
      return 0;
    if (outcome == Outcome::Stopped && patience.hasEnded())
      return lostAtEnd();
    if (outcome == Outcome::Refused) {
      if (int32_t result = settle())
        return result;
      return sl_error(ctx, "SQLSTATE %s: %s", problem.state.c_str(), problem.text.c_str());
    }
    if (outcome == Outcome::Lost || outcome == Outcome::Stopped) {
      connected->value.store(0, std::memory_order_relaxed);
      warnOf(outcome, problem);
    }
  }
}

/// Submits what is to be said of rows that were run, and forgets those that were committed.
int32_t JDBCRun::settle() {
  Rows &rows = work.rows;
  while (rows.said < rows.ran) {
    Rows::Row &row = rows[rows.said++];
    if (std::exchange(row.isSaid, true))
      continue;
    int32_t result = 0;
    for (const Result &later : std::exchange(row.results, {}))
      if (!row.isBad && !result)
        row.isBad = !outputs.rows(row.bytes(), later, row.problem, result);
    if (!result)
      result = row.isBad ? outputs.error(row.bytes(), row.problem)
                         : outputs.done(row.bytes(), row.taken > 0);
    if (result)
      return result;
  }
  rows.dropCommitted();
  return 0;
}

int32_t JDBCRun::tuple(uint32_t, const void *tuple) {
  os::Held held(lock);
  maySubmit = true;
  check(work.rows.add(ctx, desc->inTypes[0], tuple));
  int32_t result = 0;
  if (work.rows.waiting() >= batch && !isSealed())
    result = runBatch();
  maySubmit = false;
  return result;
}

int32_t JDBCRun::runBatch() {
  ++batches;
  bool commits = !isExact && !interval && !commitOnPunct && batches >= transaction;
  if (commits)
    batches = 0;
  int32_t result = drive(commits);
  return result ? result : settle();
}

/// A transaction was saved and is not yet committed: no more may become part of it. That takes as
/// long as a checkpoint is written; then what waits is run, here or with the next tuple.
bool JDBCRun::isSealed() {
  auto isLeft = [this] { return sealed.load(std::memory_order_acquire); }; // as committed()
  for (double waited = 0; isLeft() && waited < kAwaitCommit; waited += 0.002) {
    lock.unlock();
    bool ends = sl_wait(ctx, 0.002);
    lock.lock();
    if (ends)
      break;
  }
  return isLeft();
}

int32_t JDBCRun::punct(uint32_t, PunctuationKind kind) {
  os::Held held(lock);
  maySubmit = true;
  bool ends = isFinal(kind), isMark = kind == PunctuationKind::Window;
  int32_t result = 0;
  if (ends || (isMark && (batchOnPunct || commitOnPunct)))
    if (!isSealed()) {
      result = drive(!isExact && (ends || commitOnPunct));
      if (!result)
        result = settle();
    }
  hasEnded |= ends && !result;
  maySubmit = false;
  return result;
}

int32_t JDBCRun::close() {
  if (isTimed)
    FlushTimer::shared().remove(this);
  isTimed = false;
  os::Held held(lock);
  int32_t result = 0;
  // The last checkpoint was not made: nobody else commits this.
  if (hasEnded && work.rows.size() > work.rows.committed)
    result = drive(true);
  work.session.close();
  work.second.close();
  work.rows.free(ctx, desc->inTypes[0]);
  return result;
}

RegisterNative withControl("com.ibm.streamsx.jdbc::JDBCRun.control",
                           [] { return static_cast<NativeOp *>(new ControlInput); });
RegisterNative registered("com.ibm.streamsx.jdbc::JDBCRun",
                          [] { return static_cast<NativeOp *>(new JDBCRun); });

} // namespace sluice::jdbc
