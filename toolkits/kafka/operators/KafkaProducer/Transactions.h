//===- Transactions.h - rows that Kafka gets in transactions ----*- C++ -*-===//
//
// The number of a transaction is an offset that a group of its own commits in it. The group and the
// transactional id have the same name.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/output/OutputLog.h"
#include "toolkits/kafka/native/Settings.h"
#include <functional>
#include <utility>

namespace sluice::kafka {

/// By the thread of the log, but for what comes before it begins.
class Transactions : public OutputTarget {
public:
  /// `warn`: told of what is wrong with the connection while it waits.
  explicit Transactions(std::function<void(const std::string &)> warn) : warn(std::move(warn)) {}
  ~Transactions() override { end(); }
  void open(const Library &library, const Settings &with) { lib = &library, settings = with; }
  /// Before the first row: who this is, and a topic, one of whose partitions the offset is about.
  void setNames(const std::string &id, const std::string &topic) { name = id, place = topic; }
  OutputResult begin(std::optional<uint64_t> &last, const os::Event &stop) override;
  OutputResult commit(uint64_t number, const OutputRows &, const os::Event &stop) override;

private:
  template <typename Call> OutputResult attempt(const char *what, const Call &);
  OutputResult resultOf(int code, const std::string &why) const;
  OutputResult connect(rd_kafka_type_t, rd_kafka_t *&);
  OutputResult awaitStart(const os::Event &stop);
  OutputResult findTopic(const os::Event &stop);
  OutputResult findLast(std::optional<uint64_t> &);
  OutputResult send(const OutputRows &, const os::Event &stop);
  OutputResult sendAll(const OutputRows &, const os::Event &stop);
  OutputResult mark(uint64_t number);
  void end();

  const std::function<void(const std::string &)> warn;
  const Library *lib = nullptr;
  Settings settings;
  std::string name, place;
  rd_kafka_t *client = nullptr;
  std::string reason;   // the last error of the connection
  OutputResult refused; // the first message that was not taken, if its kind is not Done
};

} // namespace sluice::kafka
