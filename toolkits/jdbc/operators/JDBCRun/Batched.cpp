//===- Batched.cpp - runs many rows at once -------------------------------===//
#include "toolkits/jdbc/operators/JDBCRun/Work.h"
#include <utility>

namespace sluice::jdbc {

/// Whether the table is one for which COPY does the same as INSERT: without rules, triggers, row
/// security, and columns that are always made.
Outcome Work::askCopy(Patience &patience, Problem &problem) {
  if (canCopy != Copy::Unknown)
    return Outcome::Good;
  canCopy = Copy::No;
  if (statement.table.empty())
    return Outcome::Good;
  std::string quoted;
  for (char c : statement.table)
    quoted += c == '\'' ? "''" : std::string(1, c);
  std::string answer;
  Outcome outcome = session.ask(
      "SELECT c.relkind IN ('r', 'p') AND NOT c.relhasrules AND NOT c.relrowsecurity AND NOT "
      "EXISTS "
      "(SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal) AND NOT EXISTS "
      "(SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND (a.attidentity = 'a' OR "
      "a.attgenerated <> '')) FROM pg_class c WHERE c.oid = to_regclass('" +
          quoted + "')",
      answer, patience, problem);
  if (outcome == Outcome::Good && answer == "t")
    canCopy = Copy::Yes;
  return outcome;
}

/// Refused: what it has done is undone.
Outcome Work::copied(const std::vector<size_t> &todo, Patience &patience, Problem &problem) {
  if (Outcome outcome = session.run("SAVEPOINT sluice", patience, problem);
      outcome != Outcome::Good)
    return outcome;
  auto fill = [&](size_t i, Parameters &to) { owner.fill(rows[todo[i]], to); };
  Problem why;
  Outcome outcome = session.copy(statement, todo.size(), fill, patience, why);
  if (outcome == Outcome::Good)
    return session.run("RELEASE sluice", patience, problem);
  problem = why;
  if (outcome != Outcome::Refused)
    return outcome;
  outcome = session.run("ROLLBACK TO sluice; RELEASE sluice", patience, problem);
  return outcome == Outcome::Good ? Outcome::Refused : outcome;
}

/// Runs some rows in a pipeline. Refused: row `bad` was, and what it has done is undone.
Outcome Work::part(const size_t *todo, size_t count, size_t &bad, Patience &patience,
                   Problem &problem) {
  if (Outcome outcome = session.run("SAVEPOINT sluice", patience, problem);
      outcome != Outcome::Good)
    return outcome;
  auto fill = [&](size_t i, Parameters &to) { owner.fill(rows[todo[i]], to); };
  std::vector<std::pair<size_t, Problem>> unfit; // rows whose results do not fit
  auto take = [&](size_t i, Result &result) {
    Rows::Row &row = rows[todo[i]];
    int32_t ended = 0;
    size_t seen = 0;
    Problem why;
    if (!owner.take(row, result, seen, why, ended))
      unfit.emplace_back(i, why);
    return ended;
  };
  Problem why;
  Outcome outcome = session.pipeline(count, fill, patience, why, take, failure, bad);
  problem = why;
  if (outcome == Outcome::Good && !unfit.empty()) {
    bad = unfit[0].first;
    why = unfit[0].second;
    outcome = Outcome::Refused;
  }
  if (outcome != Outcome::Good && (outcome != Outcome::Refused || isTransient(why)))
    return outcome;
  bool isRefused = outcome == Outcome::Refused;
  outcome = session.run(isRefused ? "ROLLBACK TO sluice; RELEASE sluice" : "RELEASE sluice",
                        patience, problem);
  problem = why;
  return outcome != Outcome::Good ? outcome : isRefused ? Outcome::Refused : failing();
}

/// A batch. Where a row is refused, those before it run again, and then those behind it.
Outcome Work::many(const std::vector<size_t> &todo, Patience &patience, Problem &problem) {
  if (Outcome outcome = askCopy(patience, problem); outcome == Outcome::Lost)
    return outcome;
  if (canCopy == Copy::Yes)
    if (Outcome outcome = copied(todo, patience, problem); outcome != Outcome::Refused)
      return outcome;
  size_t first = 0, end = todo.size();
  Problem why; // of row `end`, unless that is behind the last
  while (first < todo.size()) {
    size_t bad = 0;
    Outcome outcome = Outcome::Good;
    if (first < end)
      outcome = part(todo.data() + first, end - first, bad, patience, problem);
    if (outcome == Outcome::Refused && !isTransient(problem)) {
      end = first + bad;
      why = problem;
      continue;
    }
    if (outcome != Outcome::Good)
      return outcome;
    if (end < todo.size()) {
      if (outcome = refuse(todo[end], why, patience, problem); outcome != Outcome::Good)
        return outcome;
      if (action == Action::Rollback) // nothing is left to be run
        return outcome;
    }
    first = end + 1;
    end = todo.size();
  }
  return Outcome::Good;
}

} // namespace sluice::jdbc
