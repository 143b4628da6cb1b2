//===- Session.h - a connection to PostgreSQL -------------------*- C++ -*-===//
//
// One conversation at a time, by one thread at a time. No call waits but by its Patience.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "toolkits/jdbc/native/Address.h"
#include "toolkits/jdbc/native/Library.h"
#include "toolkits/jdbc/native/Statement.h"
#include "value/Text.h"
#include <functional>

namespace sluice::jdbc {

/// What PostgreSQL has refused: a SQLSTATE of five characters, and the message.
struct Problem {
  std::string state, text;
};

/// How a conversation has ended.
enum class Outcome {
  Good,
  Refused, // by PostgreSQL, with a Problem; the connection is there
  Lost,    // there is no connection any more; the Problem says why
  Stopped  // the Patience has ended, and with it the connection
};

/// Waits for the other end.
struct Patience {
  /// Until the socket can be read or, with `writes`, written. False: it waits no longer.
  virtual bool wait(int socket, bool writes) = 0;
  /// From now on a wait ends after so many seconds; 0: it does not. One that is limited anyway
  /// stays as it is.
  virtual void limit(double) {}

protected:
  ~Patience() = default;
};

/// The parameters of one row, as texts.
class Parameters {
public:
  void clear();
  /// Adds the text that was put into text(), or null.
  void add(bool isNull = false);
  TextOut &text() { return bytes; }
  size_t size() const { return ends.size(); }
  /// Pointers for libpq, which stay until clear().
  const char *const *values();
  /// Adds a line of COPY.
  void line(TextOut &) const;

private:
  TextOut bytes;
  std::vector<int64_t> ends; // of each text, with a zero byte; below 0: null, and there is no text
  std::vector<const char *> pointers;
};

class Session {
public:
  Session() = default;
  Session(const Session &) = delete;
  ~Session() { close(); }
  void configure(const Library &, const Address &);

  /// Refused: it is no use to try again. `beside`: an open one, whose host is taken.
  Outcome connect(Patience &, Problem &, const Session *beside = nullptr);
  /// How many seconds that may take.
  double patience() const { return address->patience; }
  bool isOpen() const { return connection; }
  void close();
  /// Looks whether the other end has closed the connection. Does not wait.
  void look(Problem &);
  bool isInTransaction() const;

  /// Each result of a statement, or each row of it: an int other than 0 ends the program.
  using Take = std::function<int32_t(Result &)>;
  /// Runs SQL without parameters, perhaps several statements. `failure`: what `take` has returned.
  Outcome run(const char *sql, Patience &, Problem &, const Take &take = {}, int32_t *failure = {});
  /// The first column of the only row; empty: it is null.
  Outcome ask(const std::string &sql, std::string &answer, Patience &, Problem &);
  /// Prepares the statement of this connection, once.
  Outcome prepare(const Statement &, const std::vector<Oid> &types, Patience &, Problem &);
  /// Runs it with one row; results come row by row.
  Outcome row(Parameters &, Patience &, Problem &, const Take &, int32_t &failure);
  /// Runs it with `count` rows, which `fill` makes one after the other, in a pipeline. If one is
  /// refused, `bad` is its number, and nothing of them is done once the transaction has gone back.
  using Fill = std::function<void(size_t row, Parameters &)>;
  using TakeOf = std::function<int32_t(size_t row, Result &)>;
  Outcome pipeline(size_t count, const Fill &, Patience &, Problem &, const TakeOf &,
                   int32_t &failure, size_t &bad);
  /// The same of an INSERT by COPY.
  Outcome copy(const Statement &, size_t count, const Fill &, Patience &, Problem &);

private:
  Properties settings(const Session *beside) const;
  Outcome lost(Problem &);
  Outcome stopped();
  Outcome poll(Patience &, Problem &);
  Outcome setUp(Patience &, Problem &);
  Outcome flush(Patience &, Problem &);
  Outcome next(Result &, Patience &, Problem &);
  Outcome refused(const Result &, Problem &) const;
  Outcome results(Patience &, Problem &, const Take &, int32_t &failure);
  Outcome sendCopy(size_t count, const Fill &, Patience &, Problem &);
  Outcome rowOfPipeline(size_t row, Patience &, Problem &, const TakeOf &, int32_t &failure,
                        bool &isBad);

  const Library *lib = nullptr;
  const Address *address = nullptr;
  PGconn *connection = nullptr;
  bool isPrepared = false;
};

} // namespace sluice::jdbc
