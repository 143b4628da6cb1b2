//===- Beginnings.h - where a consumer begins to read -----------*- C++ -*-===//
#pragma once
#include "stdlib/native/Params.h"
#include "toolkits/kafka/native/Library.h"
#include "toolkits/kafka/operators/KafkaConsumer/Positions.h"
#include <functional>

namespace sluice::kafka {

/// Finds the offsets at which partitions begin that are new to the consumer.
class Beginnings {
public:
  Beginnings(ParamOp &op, std::function<void(const std::string &)> warn)
      : op(op), warn(std::move(warn)) {}
  /// From the parameters topic, pattern and start... Handler return values.
  int32_t open();
  void begin(const Library &library, rd_kafka_t *with) { lib = &library, client = with; }

  /// Sets where the partitions begin: where this program was; else where the group was, unless it
  /// is only this operator's, at the start, and something else is wanted; else as startPosition
  /// says. Waits until Kafka answers. False: the program ends before.
  bool find(rd_kafka_topic_partition_list_t &, Positions &);

  /// The same for partitions whose offsets say where to begin: -1 is the end, -2 the beginning, and
  /// below that find() decides.
  bool findFrom(rd_kafka_topic_partition_list_t &, Positions &);

  bool ownGroup = false;     // nobody has named it
  bool isEarliest = false;   // auto.offset.reset
  bool isControlled = false; // what it reads is said by a control port

private:
  enum class Start { Default, Beginning, End, Time, Offset };

  template <typename Ask> bool ask(const Ask &);
  bool findNew(rd_kafka_topic_partition_list_t &, const Positions &);
  bool findTime(rd_kafka_topic_partition_t &);
  bool findEnd(rd_kafka_topic_partition_t &, bool first);

  ParamOp &op;
  std::function<void(const std::string &)> warn;
  const Library *lib = nullptr;
  rd_kafka_t *client = nullptr;
  Start start = Start::Default;
  bool hasBegun = false; // the consumer had partitions before
};

} // namespace sluice::kafka
