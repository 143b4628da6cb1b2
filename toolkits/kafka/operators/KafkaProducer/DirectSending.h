//===- DirectSending.h - messages that are sent as they come ----*- C++ -*-===//
//
// librdkafka copies a message into its queue and sends it from a thread of its own. What became of
// it the operator hears in rd_kafka_poll and rd_kafka_flush, on whatever thread calls them.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "stdlib/native/connect/Retry.h"
#include "toolkits/kafka/operators/KafkaProducer/Confirmations.h"
#include "toolkits/kafka/operators/KafkaProducer/Outcomes.h"
#include "toolkits/kafka/operators/KafkaProducer/Sending.h"
#include <atomic>
#include <memory>

namespace sluice::kafka {

/// Kafka gets each message once while the process lives. One that it does not take goes to the
/// output, or ends the program if there is none.
class DirectSending : public Sending {
public:
  explicit DirectSending(ParamOp &op) : op(op) {}
  ~DirectSending() override { end(); }
  int32_t open(const Library &, const Settings &) override;
  int32_t send(const Message &) override;
  int32_t sent(const void *tuple) override;
  int32_t flush() override;
  int32_t finish() override;
  std::string persist() override;
  void save(Saver &) override { saved = confirmations.cut(); }
  std::string sync() override;
  int32_t close() override;

private:
  static constexpr uint64_t kNever = UINT64_MAX;
  void heard(const rd_kafka_message_t &);
  void refused(void *mark, const char *topic, rd_kafka_resp_err_t);
  int32_t makeRoom();
  /// Steps of waiting for Kafka once the program is to end.
  struct Wait {
    int steps = 0, still = 0; // of all; of those since a message was heard of
    uint64_t heard = 0;
  };
  bool mayWait(Wait &);
  std::string late(uint64_t left) const;
  std::string await(uint64_t set, bool forever);
  std::string broken() const;
  void error(int code, const char *why);
  void end();

  ParamOp &op;
  const Library *lib = nullptr;
  rd_kafka_t *client = nullptr;
  Confirmations confirmations;
  std::unique_ptr<Outcomes> outcomes;   // with an output
  uint64_t saved = 0;                   // the set of the last checkpoint; by who makes it
  bool hasEnded = false;                // all was sent, or given up
  Wait forRoom;                         // by the thread of the operator
  std::atomic<uint64_t> gaveUp{kNever}; // what was heard of when nobody was to wait any longer
  Ctx *home = nullptr;                  // for any thread
  Warnings warnings;
  mutable os::Lock lock; // guards what is below
  std::string fatal;     // why it cannot go on
};

} // namespace sluice::kafka
