//===- Session.cpp - a connection to PostgreSQL ---------------------------===//
#include "toolkits/jdbc/native/Session.h"
#include <cstring>
#include <utility>

namespace sluice::jdbc {

//===--- parameters -----------------------------------------------------------===//

void Parameters::clear() {
  bytes.clear();
  ends.clear();
}

void Parameters::add(bool isNull) {
  if (!isNull)
    bytes.put('\0');
  ends.push_back(isNull ? -1 : int64_t(bytes.size));
}

const char *const *Parameters::values() {
  pointers.clear();
  int64_t begin = 0;
  for (int64_t end : ends) {
    pointers.push_back(end < 0 ? nullptr : bytes.data + begin);
    begin = end < 0 ? begin : end;
  }
  return pointers.data();
}

//===--- the connection -------------------------------------------------------===//

void Session::configure(const Library &library, const Address &to) {
  lib = &library;
  address = &to;
}

void Session::close() {
  if (connection)
    lib->PQfinish(std::exchange(connection, nullptr));
  isPrepared = false;
}

static std::string firstLine(std::string_view text) {
  while (text.ends_with('\n'))
    text.remove_suffix(1);
  return std::string(text.substr(0, text.find('\n')));
}

Outcome Session::lost(Problem &problem) {
  problem = {"08006", firstLine(lib->PQerrorMessage(connection))};
  close();
  return Outcome::Lost;
}

Outcome Session::stopped() {
  close();
  return Outcome::Stopped;
}

/// Messages of a connection that is being made have `FATAL:  28P01: ` in them, and so its SQLSTATE.
static Problem loginProblem(std::string_view message) {
  Problem problem{"08001", firstLine(message)};
  size_t at = problem.text.find("FATAL:  ");
  if (at == problem.text.npos || problem.text.find(':', at + 8) != at + 13)
    return problem;
  problem.state = problem.text.substr(at + 8, 5);
  problem.text = problem.text.substr(at + 15);
  return problem;
}

Outcome Session::poll(Patience &patience, Problem &problem) {
  for (;;) {
    PostgresPollingStatusType status = lib->PQconnectPoll(connection);
    if (status == PGRES_POLLING_OK)
      return Outcome::Good;
    if (status == PGRES_POLLING_FAILED) {
      problem = loginProblem(lib->PQerrorMessage(connection));
      close();
      // Passwords, users and databases do not come by themselves.
      bool isHopeless = problem.state.starts_with("28") || problem.state == "3D000";
      return isHopeless ? Outcome::Refused : Outcome::Lost;
    }
    if (!patience.wait(lib->PQsocket(connection), status == PGRES_POLLING_WRITING))
      return stopped();
  }
}

/// Those of the address; the host is that of `beside`, even if it is one of many.
Properties Session::settings(const Session *beside) const {
  Properties settings = address->settings;
  if (!beside)
    return settings;
  settings["host"] = lib->PQhost(beside->connection);
  settings["port"] = lib->PQport(beside->connection);
  std::string_view number = lib->PQhostaddr(beside->connection); // empty: a file is its place
  bool isOfLink = number.starts_with("fe80:");                   // nothing without its link
  if (!number.empty() && !isOfLink)
    settings["hostaddr"] = number;
  return settings;
}

Outcome Session::connect(Patience &patience, Problem &problem, const Session *beside) {
  close();
  const Properties wanted = settings(beside);
  std::vector<const char *> names, values;
  for (const auto &[name, value] : wanted) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);
  connection = lib->PQconnectStartParams(names.data(), values.data(), 0);
  if (!connection) {
    problem = {"08001", "there is no memory for a connection"};
    return Outcome::Lost;
  }
  lib->PQsetErrorVerbosity(connection, PQERRORS_VERBOSE);
  lib->PQsetNoticeReceiver(connection, [](void *, const PGresult *) {}, nullptr);
  if (lib->PQstatus(connection) == CONNECTION_BAD) { // settings that do not go together
    lost(problem);
    return Outcome::Refused;
  }
  Outcome outcome = poll(patience, problem);
  return outcome == Outcome::Good ? setUp(patience, problem) : outcome;
}

Outcome Session::setUp(Patience &patience, Problem &problem) {
  lib->PQsetErrorVerbosity(connection, PQERRORS_DEFAULT);
  lib->PQsetnonblocking(connection, 1);
  return run("SET datestyle = 'ISO'; SET timezone = 'UTC'; SET bytea_output = 'hex'; "
             "SET extra_float_digits = 3; SET standard_conforming_strings = on",
             patience, problem);
}

bool Session::isInTransaction() const {
  return connection && lib->PQtransactionStatus(connection) != PQTRANS_IDLE;
}

void Session::look(Problem &problem) {
  if (!connection)
    return;
  if (!lib->PQconsumeInput(connection) || lib->PQstatus(connection) == CONNECTION_BAD)
    lost(problem);
}

//===--- results --------------------------------------------------------------===//

Outcome Session::flush(Patience &patience, Problem &problem) {
  for (;;) {
    int left = lib->PQflush(connection);
    if (left == 0)
      return Outcome::Good;
    if (left < 0)
      return lost(problem);
    if (!patience.wait(lib->PQsocket(connection), /*writes=*/true))
      return stopped();
    if (!lib->PQconsumeInput(connection))
      return lost(problem);
  }
}

/// The next result, or null where a statement has no more.
Outcome Session::next(Result &result, Patience &patience, Problem &problem) {
  if (Outcome sent = flush(patience, problem); sent != Outcome::Good)
    return sent;
  while (lib->PQisBusy(connection)) {
    if (!patience.wait(lib->PQsocket(connection), /*writes=*/false))
      return stopped();
    if (!lib->PQconsumeInput(connection))
      return lost(problem);
  }
  result = Result(lib->PQgetResult(connection), ClearResult{lib});
  if (!result || lib->PQresultStatus(result.get()) != PGRES_FATAL_ERROR)
    return Outcome::Good;
  const char *severity = lib->PQresultErrorField(result.get(), PG_DIAG_SEVERITY_NONLOCALIZED);
  bool isFatal = severity && (!strcmp(severity, "FATAL") || !strcmp(severity, "PANIC"));
  if (!isFatal && lib->PQstatus(connection) != CONNECTION_BAD)
    return Outcome::Good;
  return lost(problem);
}

Outcome Session::refused(const Result &result, Problem &problem) const {
  const char *state = lib->PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
  const char *text = lib->PQresultErrorField(result.get(), PG_DIAG_MESSAGE_PRIMARY);
  problem = {state ? state : "XX000", text ? text : "PostgreSQL has not said why"};
  return Outcome::Refused;
}

/// Takes all results of what was sent. Once one is refused, or `take` fails, the others are passed
/// over.
Outcome Session::results(Patience &patience, Problem &problem, const Take &take, int32_t &failure) {
  Outcome outcome = Outcome::Good;
  for (Result result;;) {
    if (Outcome got = next(result, patience, problem); got != Outcome::Good)
      return got;
    if (!result)
      return outcome;
    ExecStatusType status = lib->PQresultStatus(result.get());
    if (status == PGRES_FATAL_ERROR && outcome == Outcome::Good)
      outcome = refused(result, problem);
    else if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT) {
      problem = {"0A000", "a COPY in a statement is not supported"};
      close();
      return Outcome::Lost;
    } else if (take && !failure && outcome == Outcome::Good)
      failure = take(result);
  }
}

Outcome Session::run(const char *sql, Patience &patience, Problem &problem, const Take &take,
                     int32_t *failure) {
  int32_t ignored = 0;
  if (!lib->PQsendQuery(connection, sql))
    return lost(problem);
  if (take)
    lib->PQsetSingleRowMode(connection);
  return results(patience, problem, take, failure ? *failure : ignored);
}

Outcome Session::ask(const std::string &sql, std::string &answer, Patience &patience,
                     Problem &problem) {
  answer.clear();
  return run(sql.c_str(), patience, problem, [&](Result &result) {
    if (lib->PQntuples(result.get()) && !lib->PQgetisnull(result.get(), 0, 0))
      answer = lib->PQgetvalue(result.get(), 0, 0);
    return 0;
  });
}

Outcome Session::prepare(const Statement &statement, const std::vector<Oid> &types,
                         Patience &patience, Problem &problem) {
  if (isPrepared)
    return Outcome::Good;
  // The server finds out the types of the parameters. Where it cannot, those of the attributes
  // count.
  for (size_t given : {size_t(0), types.size()}) {
    if (!lib->PQsendPrepare(connection, "sluice", statement.sql.c_str(), int(given), types.data()))
      return lost(problem);
    int32_t ignored = 0;
    Outcome outcome = results(patience, problem, {}, ignored);
    isPrepared = outcome == Outcome::Good;
    bool isVague = problem.state == "42P18" || problem.state == "42725" || problem.state == "42P08";
    if (outcome != Outcome::Refused || !isVague || isInTransaction())
      return outcome;
  }
  return Outcome::Refused;
}

Outcome Session::row(Parameters &parameters, Patience &patience, Problem &problem, const Take &take,
                     int32_t &failure) {
  if (!lib->PQsendQueryPrepared(connection, "sluice", int(parameters.size()), parameters.values(),
                                nullptr, nullptr, 0))
    return lost(problem);
  lib->PQsetSingleRowMode(connection);
  return results(patience, problem, take, failure);
}

} // namespace sluice::jdbc
