//===- Sending.h - how messages come to Kafka -------------------*- C++ -*-===//
#pragma once
#include "sluice/saved.h"
#include "toolkits/kafka/native/Settings.h"
#include "toolkits/kafka/operators/KafkaProducer/Message.h"

namespace sluice::kafka {

/// How a KafkaProducer sends. The functions with names of NativeOp's are called by those.
class Sending {
public:
  virtual ~Sending() = default;
  virtual int32_t open(const Library &, const Settings &) = 0;
  /// Takes over a message, and waits while there is no room. Handler return values.
  virtual int32_t send(const Message &) = 0;
  /// All messages of a tuple were sent. Handler return values.
  virtual int32_t sent(const void *tuple) { return (void)tuple, 0; }
  /// Waits until Kafka has all. Handler return values.
  virtual int32_t flush() { return 0; }
  /// No more comes. Handler return values.
  virtual int32_t finish() { return 0; }
  virtual std::string persist() { return {}; }
  virtual void save(Saver &) {}
  virtual int32_t restore(const Loader &) { return 0; }
  virtual std::string sync() { return {}; }
  virtual void committed() {}
  virtual int32_t close() = 0;
};

} // namespace sluice::kafka
