//===- Opening.cpp - how JDBCRun begins -----------------------------------===//
#include "runtime/base/os.h"
#include "toolkits/jdbc/native/Values.h"
#include "toolkits/jdbc/operators/JDBCRun/JDBCRun.h"
#include <algorithm>
#include <strings.h>
#include <unistd.h>
#include <utility>

namespace sluice::jdbc {

constexpr int64_t kLook = 5 * os::kNanos; // how often checkConnection looks

/// The attributes that an rstring lists.
static bool listed(const TypeDesc &type, const std::string &names, std::vector<const Field *> &to,
                   std::string &missing) {
  for (size_t at = 0; at <= names.size() && !names.empty();) {
    size_t end = std::min(names.find(',', at), names.size());
    missing = names.substr(at, end - at);
    missing.erase(0, missing.find_first_not_of(" \t\n"));
    missing.erase(missing.find_last_not_of(" \t\n") + 1);
    const Field *field = columnOf(type, missing);
    if (!field)
      return false;
    to.push_back(field);
    at = end + 1;
  }
  return true;
}

/// The type of a parameter where PostgreSQL cannot find it out.
static Oid oidOf(const TypeDesc &type) {
  constexpr std::pair<Kind, Oid> known[] = {
      {Kind::Boolean, 16},    {Kind::Blob, 17},     {Kind::Int8, 21},     {Kind::UInt8, 21},
      {Kind::Int16, 21},      {Kind::UInt16, 23},   {Kind::Int32, 23},    {Kind::UInt32, 20},
      {Kind::Int64, 20},      {Kind::UInt64, 1700}, {Kind::Float32, 700}, {Kind::Float64, 701},
      {Kind::Timestamp, 1184}};
  if (type.kind == Kind::Optional)
    return oidOf(*type.fields[1].type);
  for (auto [kind, oid] : known)
    if (kind == type.kind)
      return oid;
  return isIn(type.kind, type_class::Decimal) ? 1700 : 25; // numeric; a text
}

int32_t JDBCRun::readStatement() {
  const TypeDesc &type = *desc->inTypes[0];
  if (bool(param("statement")) == bool(param("statementAttr")))
    return sl_error(ctx, "one of statement and statementAttr is needed");
  if (std::vector<uint32_t> given = attributes("statementAttr"); !given.empty()) {
    sql = &type.fields[given[0]];
    work.isDynamic = true;
    return 0;
  }
  work.statement = Statement::parse(text("statement", ""));
  std::string missing;
  if (!listed(type, text("statementParamAttrs", ""), columns, missing))
    return sl_error(ctx, "statementParamAttrs: the input has no attribute %s", missing.c_str());
  for (uint32_t i : attributes("statementParamAttributes"))
    columns.push_back(&type.fields[i]);
  if (columns.size() != work.statement.parameters)
    return sl_error(ctx, "the statement has %u parameters, and %zu attributes are given for them",
                    work.statement.parameters, columns.size());
  for (const Field *field : columns) {
    if (!isColumnType(*field->type))
      return sl_error(ctx, "the attribute %s must be %s", field->name, kColumnTypes);
    work.types.push_back(oidOf(*field->type));
  }
  return 0;
}

/// Which of the words a parameter is, in lower or upper case; the first without the parameter. 1:
/// sl_error has said that it is none.
static int32_t choose(ParamOp &op, const char *parameter, std::initializer_list<const char *> words,
                      size_t &result) {
  result = 0;
  if (!op.param(parameter))
    return 0;
  std::string given = op.text(parameter, ""), all;
  for (const char *word : words) {
    if (!strcasecmp(word, given.c_str()))
      return 0;
    all += (result++ ? ", " : "") + std::string(word);
  }
  return sl_error(op.ctx, "%s is one of %s, not \"%s\"", parameter, all.c_str(), given.c_str());
}

int32_t JDBCRun::readRules() {
  size_t action, policy, level;
  if (choose(*this, "sqlFailureAction", {"log", "rollback", "terminate"}, action) ||
      choose(*this, "reconnectionPolicy", {"InfiniteRetry", "BoundedRetry", "NoRetry"}, policy) ||
      choose(*this, "isolationLevel",
             {"READ_UNCOMMITTED", "READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"}, level))
    return 1;
  work.action = Action(action);
  interval = uint64_t(number("commitInterval", 0));
  batch = interval ? 1 : uint64_t(number("batchSize", 1));
  transaction = uint64_t(number("transactionSize", 1));
  batchOnPunct = flag("batchOnPunct", false);
  commitOnPunct = flag("commitOnPunct", false);
  isExact = sl_makes_checkpoints(ctx) &&
            text("commitPolicy", "OnCheckpoint") != "OnTransactionAndCheckpoint";
  work.isExact = isExact;
  work.isOwn = !isExact && !interval && !commitOnPunct && transaction == 1;
  work.needsOne = !work.isOwn || work.statement.isChange;
  isEndless = policy == 0;
  tries = policy == 1 ? uint64_t(number("reconnectionBound", 5)) : 0;
  pause = number("reconnectionInterval", 10);
  backoff = Backoff(pause, uint64_t(getpid()) * 31 + uint64_t(desc->name[0]));
  constexpr const char *levels[] = {"", "read\\ committed", "repeatable\\ read", "serializable"};
  if (level) // what PostgreSQL has for the first one is the second
    address.options = std::string(" -cdefault_transaction_isolation=") + levels[level];
  return 0;
}

int32_t JDBCRun::open() {
  std::string missing;
  if (!(lib = library(missing)))
    return sl_error(ctx, "%s", missing.c_str());
  home = ctx;
  if (readStatement() || outputs.layOut(*lib) || readRules() || address.read(*this))
    return 1;
  if (param("$control"))
    control = ControlPort::of(*this);
  work.session.configure(*lib, address);
  work.second.configure(*lib, address);
  connected = sl_make_metric(ctx, desc, "isConnected", "whether there is a connection",
                             MetricKind::Gauge, 0);
  failed = sl_make_metric(ctx, desc, "nFailedStatements", "statements that were refused",
                          MetricKind::Counter, 0);
  // What can never succeed ends the program here, and not at the first tuple.
  Problem problem;
  Limited patience(address.patience);
  Outcome outcome = work.connect(patience, problem);
  connected->value.store(outcome == Outcome::Good, std::memory_order_relaxed);
  if (outcome != Outcome::Good && (outcome == Outcome::Refused || (!isEndless && !tries)))
    return cannotConnect(problem);
  if (outcome != Outcome::Good)
    warnOf(outcome, problem);
  if (interval || flag("checkConnection", false)) {
    FlushTimer::shared().add(this, interval ? int64_t(interval) * os::kNanos : kLook);
    isTimed = true;
  }
  return 0;
}

} // namespace sluice::jdbc
