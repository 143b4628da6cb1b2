//===- Work.h - runs rows in transactions -----------------------*- C++ -*-===//
//
// Rows stay until the transaction that they are part of is committed. When the connection is lost
// they run again; whether a COMMIT without an answer was carried out says the number of its
// transaction (txid_status). PostgreSQL gives a number again after its own crash, unless it is in
// the log on its disk. So before a number counts, a second connection commits a transaction, which
// writes the log to disk. It is there before the number is given, and to the same server: one that
// is made later may be to a server that has never heard of the number, and gives it again.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "toolkits/jdbc/operators/JDBCRun/Rows.h"

namespace sluice::jdbc {

/// What happens once a statement is refused.
enum class Action { Log, Rollback, Terminate };

/// Others were in the way: the same may succeed now.
inline bool isTransient(const Problem &problem) {
  return problem.state == "40001" || problem.state == "40P01";
}

class Work {
public:
  /// What the operator does for it.
  struct Owner {
    virtual void fill(const Rows::Row &, Parameters &) = 0;
    /// The SQL of a row, where statementAttr says it.
    virtual std::string sqlOf(const Rows::Row &) = 0;
    /// Takes a result of a row. `seen`: the rows of results of this run before it, which is added
    /// to. False: with a problem. `failure`: what a submission has returned.
    virtual bool take(Rows::Row &, Result &, size_t &seen, Problem &, int32_t &failure) = 0;
    /// A row is refused, or is gone with its transaction: it is bad and has its problem.
    virtual void refused(Rows::Row &) = 0;

  protected:
    ~Owner() = default;
  };

  explicit Work(Owner &owner) : owner(owner) {}

  /// Connects, and finds out what has become of the last transaction.
  Outcome connect(Patience &, Problem &);
  /// Goes away from the database: what was not committed is to run at another.
  void leave();
  /// Runs the rows that wait. Good: they were run or are bad. Refused: the program is to end.
  Outcome run(Patience &, Problem &);
  /// Commits what was run.
  Outcome commit(Patience &, Problem &);
  /// Learns the number of the transaction, before its rows are saved: commit() asks no more. A
  /// transaction that has changed nothing has none, and is committed.
  Outcome seal(Patience &, Problem &);

  /// How a transaction is saved: its number, and how many rows it has. Of a new process, before
  /// connect(): these rows are the first, and may be committed.
  const std::string &transaction() const { return number; }
  void restore(const std::string &transaction, size_t ran);
  /// The open transaction is the one that was saved. False: the connection was lost since, and the
  /// open one has more rows.
  bool isSaved() const { return session.isOpen() && isSealed; }

  Session session, second; // the second one only writes the log to disk
  Rows rows;
  Statement statement;
  std::vector<Oid> types; // of the parameters, where PostgreSQL cannot find them out
  bool isDynamic = false; // the tuple has the SQL
  bool isOwn = true;      // a transaction for each statement, or batch
  bool needsOne = false;  // a transaction is needed even for a single statement
  bool isExact = false;   // what is committed must outlive a crash of PostgreSQL
  Action action = Action::Log;

private:
  Outcome attempt(Patience &, Problem &);
  Outcome begin(Patience &, Problem &);
  Outcome askStatus(std::string &status, Patience &, Problem &);
  /// Learns the number of the transaction, which nobody else gets any more.
  Outcome identify(Patience &, Problem &);
  Outcome openSecond(Patience &, Problem &);
  Outcome closeBoth(Outcome);
  Outcome bare(size_t row, Patience &, Problem &);
  Outcome one(size_t row, Patience &, Problem &);
  Outcome execute(Rows::Row &, Patience &, Problem &);
  Outcome many(const std::vector<size_t> &todo, Patience &, Problem &);
  Outcome part(const size_t *todo, size_t count, size_t &bad, Patience &, Problem &);
  Outcome copied(const std::vector<size_t> &todo, Patience &, Problem &);
  Outcome askCopy(Patience &, Problem &);
  Outcome refuse(size_t row, const Problem &, Patience &, Problem &);
  void dropTransaction(const Problem &, size_t upTo);
  Outcome giveUp(Patience &, Problem &);
  Outcome failing() const { return failure ? Outcome::Stopped : Outcome::Good; }

  Owner &owner;
  std::string number;        // of the transaction that is being committed, or was sealed
  bool isCommitting = false; // the answer to COMMIT is not known
  bool isSealed = false;     // the number is known
  bool needsSecond = false;  // from the first commit on
  std::string server;        // that both connections are to
  int commitTries = 0;       // since the last commit
  enum class Copy { Unknown, Yes, No } canCopy = Copy::Unknown;

public:
  int32_t failure = 0; // what a submission has returned; then the program ends
};

} // namespace sluice::jdbc
