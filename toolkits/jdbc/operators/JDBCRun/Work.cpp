//===- Work.cpp - runs rows in transactions -------------------------------===//
#include "toolkits/jdbc/operators/JDBCRun/Work.h"
#include <utility>

namespace sluice::jdbc {

/// The number of the transaction, which the log of PostgreSQL then has; null: it has changed
/// nothing.
constexpr const char *kNumber =
    "SELECT txid_current_if_assigned(), CASE WHEN txid_current_if_assigned() IS NOT NULL THEN "
    "pg_logical_emit_message(true, 'sluice', '') END";
/// A transaction that is on disk when it has ended, with all that the log has before it.
constexpr const char *kSync = "SELECT pg_logical_emit_message(true, 'sluice', '')";
/// Servers differ in it, also a primary and its standby.
constexpr const char *kServer = "SELECT pg_postmaster_start_time()";
/// From here on what is committed is on disk.
constexpr const char *kDurable = "SELECT set_config('synchronous_commit', 'on', false) "
                                 "WHERE current_setting('synchronous_commit') = 'off'";
constexpr const char *kNoSuchNumber = "22023"; // what txid_status() says of one to come
constexpr int kTries = 10;                     // of a transaction that others are in the way of

//===--- transactions ---------------------------------------------------------===//

/// A connection that is made in time, or not.
struct Limit {
  Limit(Patience &patience, double seconds) : patience(patience) { patience.limit(seconds); }
  ~Limit() { patience.limit(0); }

  Patience &patience;
};

/// A refusal that says nothing about what was asked.
static Outcome lostIfRefused(Outcome outcome) {
  return outcome == Outcome::Refused ? Outcome::Lost : outcome;
}

/// So where the server, or the way to it, is going away; other refusals will not pass.
static Outcome lostIfPassing(Outcome outcome, const Problem &problem) {
  bool isPassing = problem.state.starts_with("57") || problem.state.starts_with("08");
  return isPassing ? lostIfRefused(outcome) : outcome;
}

/// Checkpoints of an earlier release have a place in the log behind the number.
void Work::restore(const std::string &transaction, size_t ran) {
  number = transaction.substr(0, transaction.find(' '));
  isCommitting = !number.empty();
  rows.ran = isCommitting ? ran : 0;
}

/// What has become of the transaction that was being committed; empty: it is not there.
Outcome Work::askStatus(std::string &status, Patience &patience, Problem &problem) {
  do {
    Outcome outcome = session.ask("SELECT txid_status(" + number + ")", status, patience, problem);
    // Of a database that was restored from a time before it.
    if (outcome == Outcome::Refused && problem.state == kNoSuchNumber)
      return Outcome::Good;
    if (outcome == Outcome::Good && status.empty()) {
      problem = {kNoSuchNumber, "PostgreSQL does not know any more whether the transaction " +
                                    number + " was committed"};
      return Outcome::Refused;
    }
    // The other end has not yet noticed that this one has gone.
    if (outcome == Outcome::Good && status == "in progress")
      outcome = session.run("SELECT pg_sleep(0.1)", patience, problem);
    outcome = lostIfPassing(outcome, problem);
    if (outcome == Outcome::Refused)
      problem.text = "PostgreSQL does not say whether the transaction " + number +
                     " was committed: " + problem.text;
    if (outcome != Outcome::Good)
      return outcome;
  } while (status == "in progress");
  return Outcome::Good;
}

Outcome Work::connect(Patience &patience, Problem &problem) {
  Limit limit(patience, session.patience());
  second.close(); // which may be to another server
  Outcome outcome = session.connect(patience, problem);
  if (outcome == Outcome::Good && isExact)
    outcome = lostIfRefused(session.run(kDurable, patience, problem));
  std::string status;
  if (outcome == Outcome::Good && isCommitting)
    outcome = askStatus(status, patience, problem);
  if (outcome != Outcome::Good) {
    session.close();
    return outcome;
  }
  if (status == "committed")
    rows.committed = rows.ran;
  rows.ran = rows.committed;
  isCommitting = isSealed = false;
  number.clear();
  return needsSecond ? openSecond(patience, problem) : Outcome::Good;
}

void Work::leave() {
  session.close();
  second.close();
  rows.ran = rows.committed;
  isCommitting = isSealed = false;
  number.clear();
  commitTries = 0;
  canCopy = Copy::Unknown;
}

Outcome Work::begin(Patience &patience, Problem &problem) {
  return session.isInTransaction() ? Outcome::Good : session.run("BEGIN", patience, problem);
}

Outcome Work::closeBoth(Outcome outcome) {
  session.close();
  second.close();
  return outcome;
}

/// The second connection, which is to the server of the first one. If it cannot be, the first one
/// is no use either.
Outcome Work::openSecond(Patience &patience, Problem &problem) {
  std::string answer;
  if (second.isOpen() && second.ask(kServer, answer, patience, problem) == Outcome::Good &&
      answer == server)
    return Outcome::Good; // else it may have been ended meanwhile
  Limit limit(patience, session.patience());
  Outcome outcome = lostIfRefused(session.ask(kServer, server, patience, problem));
  if (outcome == Outcome::Good)
    outcome = second.connect(patience, problem, &session);
  if (outcome == Outcome::Good)
    outcome = lostIfRefused(second.run(kDurable, patience, problem));
  if (outcome == Outcome::Good)
    outcome = lostIfRefused(second.ask(kServer, answer, patience, problem));
  if (outcome == Outcome::Good && answer != server) {
    problem = {"08006", "two connections to this address lead to two servers"};
    outcome = Outcome::Lost;
  }
  return outcome == Outcome::Good ? outcome : closeBoth(outcome);
}

/// The second connection is there before the number is given: so it is one to a server that has
/// given it, and has not begun again since.
Outcome Work::identify(Patience &patience, Problem &problem) {
  needsSecond = true;
  if (Outcome outcome = openSecond(patience, problem); outcome != Outcome::Good)
    return outcome;
  std::string given, position;
  Outcome outcome = lostIfPassing(session.ask(kNumber, given, patience, problem), problem);
  if (outcome == Outcome::Good && !given.empty())
    outcome = lostIfRefused(second.ask(kSync, position, patience, problem));
  if (outcome != Outcome::Good)
    return closeBoth(outcome);
  number = given;
  isSealed = true;
  return outcome;
}

Outcome Work::seal(Patience &patience, Problem &problem) {
  isSealed = false;
  number.clear();
  if (!session.isInTransaction())
    return Outcome::Good;
  Outcome outcome = identify(patience, problem);
  return isSealed && number.empty() ? commit(patience, problem) : outcome;
}

Outcome Work::commit(Patience &patience, Problem &problem) {
  if (session.isInTransaction()) {
    if (!isSealed)
      if (Outcome outcome = identify(patience, problem); outcome != Outcome::Good)
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
