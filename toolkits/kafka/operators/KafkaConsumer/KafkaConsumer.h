//===- KafkaConsumer.h - com.ibm.streamsx.kafka::KafkaConsumer --*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/metrics.h"
#include "stdlib/native/connect/ControlPort.h"
#include "stdlib/native/connect/Retry.h"
#include "toolkits/kafka/operators/KafkaConsumer/Beginnings.h"
#include "toolkits/kafka/operators/KafkaConsumer/Orders.h"
#include <set>

namespace sluice::kafka {

class KafkaConsumer : public ParamOp {
public:
  ~KafkaConsumer() { end(); }
  Saves saves() const override { return Saves::State; }
  bool hasSavePoints() const override { return true; }
  bool finishes() const override { return true; }
  int32_t open() override;
  int32_t process() override;
  int32_t close() override;
  void save(Saver &) override;
  int32_t restore(const Loader &) override;
  void committed() override;

private:
  enum class Part { Message, Key, Topic, Partition, Offset, Timestamp };
  struct Column {
    const Field *field;
    Part part;
  };

  int32_t layOut();
  int32_t connect();
  int32_t begin();
  rd_kafka_topic_partition_list_t *topics(bool partitions);
  int32_t take(const rd_kafka_message_t &);
  int32_t trouble(const rd_kafka_message_t &);
  bool fill(const rd_kafka_message_t &);
  void rebalance(rd_kafka_resp_err_t, rd_kafka_topic_partition_list_t &);
  int32_t assign();
  int32_t subscribe();
  int32_t beginControlled();
  int32_t obey();
  int32_t follow(const Order &, std::string &wrong);
  bool commitNow();
  bool isThere();
  void warn(const std::string &);
  void end();

  const Library *lib = nullptr;
  rd_kafka_t *client = nullptr;
  rd_kafka_queue_t *queue = nullptr;
  int wakes = -1; // the descriptor that says that there are messages
  std::vector<Column> columns;
  std::vector<uint64_t> tuple;
  Positions positions;
  rd_kafka_topic_partition_list_t *saved = nullptr; // of the last checkpoint; as committed() says
  os::Lock lock;                                    // guards `saved`
  Beginnings beginnings{*this, [this](const std::string &why) { warn(why); }};
  std::shared_ptr<ControlPort> control; // null: there is none
  enum class Controlled { Nothing, Topics, Parts } controlled = Controlled::Nothing; // of the two
  std::set<std::string> controlledTopics;
  bool closes = false; // it is about to end
  bool checkpoints = false;
  uint64_t commitEvery = 0, sinceCommit = 0;
  uint64_t triggerEvery = 0, sinceTrigger = 0; // 0: it does not trigger checkpoints
  Warnings warnings;
  std::string fatal; // why it cannot go on
  Metric *malformed = nullptr, *rebalances = nullptr, *assigned = nullptr;
};

} // namespace sluice::kafka
