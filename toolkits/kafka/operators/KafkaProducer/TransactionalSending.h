//===- TransactionalSending.h - messages that Kafka has once ----*- C++ -*-===//
#pragma once
#include "toolkits/kafka/operators/KafkaProducer/Sending.h"
#include "toolkits/kafka/operators/KafkaProducer/Transactions.h"
#include <utility>

namespace sluice::kafka {

/// Kafka gets what has come before a checkpoint when that is complete, in a transaction: once, for
/// those who read what is committed.
class TransactionalSending : public Sending {
public:
  /// `topic`: the first one; empty: the first message has it.
  TransactionalSending(ParamOp &op, std::string topic) : op(op), topic(std::move(topic)) {}
  int32_t open(const Library &, const Settings &) override;
  int32_t send(const Message &) override;
  void save(Saver &) override;
  int32_t restore(const Loader &) override;
  void committed() override { log.committed(); }
  int32_t close() override { return log.close(op.ctx); }

private:
  ParamOp &op;
  std::string name;  // of the transactional id and the group, in Kafka
  std::string topic; // where the group has its offset
  std::string row;
  Transactions transactions{[this](const std::string &why) { log.warn(why); }};
  OutputLog log{transactions};
};

} // namespace sluice::kafka
