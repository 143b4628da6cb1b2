//===- Work.cpp - runs rows in transactions -------------------------------===//
#include "toolkits/jdbc/operators/JDBCRun/Work.h"
#include <utility>

namespace sluice::jdbc {

/// The number of the transaction, and of the last checkpoint of PostgreSQL; null without a number.
constexpr const char *kNumber = "SELECT txid_current_if_assigned() || ' ' || checkpoint_lsn "
                                "FROM pg_control_checkpoint()";
constexpr int kTries = 10; // of a transaction that others are in the way of

/// Asks what has become of a transaction. After a crash PostgreSQL gives numbers again that it had
/// given, and of which nothing was written: those from that on which the checkpoint behind the
/// recovery names. Such a transaction may be another's.
static std::string statusOf(const std::string &number) {
  size_t blank = number.find(' ');
  std::string id = number.substr(0, blank), checkpoint = number.substr(blank + 1);
  return "SELECT CASE WHEN checkpoint_lsn = '" + checkpoint +
         "' OR (split_part(next_xid, ':', 1)::bigint << 32 | split_part(next_xid, ':', 2)::bigint) "
         "> " +
         id + " THEN txid_status(" + id + ") END FROM pg_control_checkpoint()";
}

//===--- transactions ---------------------------------------------------------===//

void Work::restore(std::string transaction, size_t ran) {
  number = std::move(transaction);
  isCommitting = !number.empty();
  rows.ran = isCommitting ? ran : 0;
}

Outcome Work::connect(Patience &patience, Problem &problem) {
  if (Outcome outcome = session.connect(patience, problem); outcome != Outcome::Good)
    return outcome;
  std::string status = isCommitting ? "in progress" : "";
  while (status == "in progress") {
    Outcome outcome = session.ask(statusOf(number), status, patience, problem);
    // It is refused where a crash has taken the number back: nothing of it is there.
    if (outcome != Outcome::Good && outcome != Outcome::Refused)
      return outcome;
    // The other end has not yet noticed that this one has gone.
    if (status == "in progress")
      if (outcome = session.run("SELECT pg_sleep(0.1)", patience, problem);
          outcome != Outcome::Good)
        return outcome;
  }
  if (status == "committed")
    rows.committed = rows.ran;
  rows.ran = rows.committed;
  isCommitting = isSealed = false;
  number.clear();
  return Outcome::Good;
}

void Work::leave() {
  session.close();
  rows.ran = rows.committed;
  isCommitting = isSealed = false;
  number.clear();
  commitTries = 0;
  canCopy = Copy::Unknown;
}

Outcome Work::begin(Patience &patience, Problem &problem) {
  return session.isInTransaction() ? Outcome::Good : session.run("BEGIN", patience, problem);
}

Outcome Work::seal(Patience &patience, Problem &problem) {
  isSealed = false;
  number.clear();
  if (!session.isInTransaction())
    return Outcome::Good;
  Outcome outcome = session.ask(kNumber, number, patience, problem);
  isSealed = outcome == Outcome::Good;
  return isSealed && number.empty() ? commit(patience, problem) : outcome;
}

Outcome Work::commit(Patience &patience, Problem &problem) {
  if (session.isInTransaction()) {
    if (!isSealed)
      if (Outcome outcome = session.ask(kNumber, number, patience, problem);
          outcome != Outcome::Good)
        return outcome;
    isCommitting = !number.empty();
    Outcome outcome = session.run("COMMIT", patience, problem);
    if (outcome == Outcome::Lost || outcome == Outcome::Stopped)
      return outcome;
    isCommitting = isSealed = false;
    number.clear();
    if (outcome == Outcome::Refused) { // and so rolled back
      if (isTransient(problem) && ++commitTries < kTries) {
        rows.ran = rows.committed;
        return Outcome::Good;
      }
      dropTransaction(problem, rows.ran);
      if (action == Action::Terminate)
        return Outcome::Refused;
    }
  }
  rows.committed = rows.ran;
  commitTries = 0;
  return Outcome::Good;
}

/// The rows of the transaction were refused with it.
void Work::dropTransaction(const Problem &problem, size_t upTo) {
  for (size_t i = rows.committed; i < upTo; ++i) {
    Rows::Row &row = rows[i];
    if (row.isBad)
      continue;
    row.isBad = true;
    row.problem = problem;
    rows.unsay(i);
    owner.refused(row);
  }
}

/// A row is refused. With Action::Log the others go on; else the transaction, and what waits, is
/// given up.
Outcome Work::refuse(size_t i, const Problem &why, Patience &patience, Problem &problem) {
  Rows::Row &row = rows[i];
  row.isBad = true;
  rows.unsay(i);
  row.problem = why;
  owner.refused(row);
  problem = why;
  if (action == Action::Log)
    return Outcome::Good;
  if (session.isInTransaction())
    if (Outcome outcome = session.run("ROLLBACK", patience, problem); outcome != Outcome::Good)
      return outcome;
  if (action == Action::Terminate)
    return Outcome::Refused;
  dropTransaction({why.state, "rolled back with a statement that failed: " + why.text},
                  rows.size());
  rows.ran = rows.committed = rows.size();
  return Outcome::Good;
}

//===--- single rows ----------------------------------------------------------===//

/// Runs the statement of one row.
Outcome Work::execute(Rows::Row &row, Patience &patience, Problem &problem) {
  Problem bad;
  size_t seen = 0;
  auto take = [&](Result &result) {
    int32_t ended = 0;
    if (bad.state.empty())
      owner.take(row, result, seen, bad, ended);
    return ended;
  };
  Outcome outcome;
  if (isDynamic) {
    outcome = session.run(owner.sqlOf(row).c_str(), patience, problem, take, &failure);
  } else {
    Parameters parameters;
    owner.fill(row, parameters);
    outcome = session.row(parameters, patience, problem, take, failure);
  }
  if (outcome != Outcome::Good || bad.state.empty())
    return outcome == Outcome::Good ? failing() : outcome;
  problem = bad;
  return Outcome::Refused;
}

/// Outside of any transaction of ours.
Outcome Work::bare(size_t i, Patience &patience, Problem &problem) {
  Problem why;
  Outcome outcome = execute(rows[i], patience, why);
  problem = why;
  bool isRefused = outcome == Outcome::Refused && !isTransient(why);
  return isRefused ? refuse(i, why, patience, problem) : outcome;
}

Outcome Work::one(size_t i, Patience &patience, Problem &problem) {
  bool isAlone = isOwn && rows.ran == rows.committed && rows.waiting() == 1;
  bool isSaved = !isAlone && action == Action::Log;
  if (isSaved)
    if (Outcome outcome = session.run("SAVEPOINT sluice", patience, problem);
        outcome != Outcome::Good)
      return outcome;
  Problem why;
  Outcome outcome = execute(rows[i], patience, why);
  if (outcome == Outcome::Good)
    return isSaved ? session.run("RELEASE sluice", patience, problem) : outcome;
  problem = why;
  if (outcome != Outcome::Refused || isTransient(why))
    return outcome;
  if (isSaved || isAlone)
    if (Outcome undone = session.run(isSaved ? "ROLLBACK TO sluice; RELEASE sluice" : "ROLLBACK",
                                     patience, problem);
        undone != Outcome::Good)
      return undone;
  return refuse(i, why, patience, problem);
}

//===--- all that wait --------------------------------------------------------===//

Outcome Work::attempt(Patience &patience, Problem &problem) {
  std::vector<size_t> todo;
  for (size_t i = rows.ran; i < rows.size(); ++i)
    if (!rows[i].isBad)
      todo.push_back(i);
  if (!todo.empty() && !isDynamic) {
    Outcome outcome = session.prepare(statement, types, patience, problem);
    if (outcome == Outcome::Refused) {
      Problem why = problem;
      for (size_t i : todo)
        if (!rows[i].isBad)
          if (outcome = refuse(i, why, patience, problem); outcome != Outcome::Good)
            return outcome;
      todo.clear();
    } else if (outcome != Outcome::Good) {
      return outcome;
    }
  }
  if (!todo.empty()) {
    bool isBare = isOwn && !needsOne && todo.size() == 1;
    Outcome outcome = isBare ? bare(todo[0], patience, problem) : begin(patience, problem);
    if (!isBare && outcome == Outcome::Good)
      outcome = todo.size() > 1 && !isDynamic ? many(todo, patience, problem) : outcome;
    if (!isBare && (todo.size() == 1 || isDynamic))
      for (size_t i : todo)
        if (outcome == Outcome::Good && !rows[i].isBad)
          outcome = one(i, patience, problem);
    if (outcome != Outcome::Good)
      return outcome;
  }
  rows.ran = rows.size();
  return Outcome::Good;
}

Outcome Work::run(Patience &patience, Problem &problem) {
  for (int tries = 1;; ++tries) {
    Outcome outcome = attempt(patience, problem);
    if (outcome != Outcome::Refused || !isTransient(problem))
      return outcome;
    Problem why = problem;
    if (session.isInTransaction())
      if (outcome = session.run("ROLLBACK", patience, problem); outcome != Outcome::Good)
        return outcome;
    rows.ran = rows.committed;
    if (tries < kTries)
      continue;
    dropTransaction(why, rows.size());
    rows.ran = rows.committed = rows.size();
    problem = why;
    return action == Action::Terminate ? Outcome::Refused : Outcome::Good;
  }
}

} // namespace sluice::jdbc
