//===- MQTTSink.h - com.ibm.streamsx.mqtt::MQTTSink -------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "stdlib/native/connect/ControlPort.h"
#include "stdlib/operators/FileSink/FlushTimer.h"
#include "toolkits/mqtt/native/Client.h"
#include "toolkits/mqtt/native/Errors.h"
#include <deque>
#include <map>

namespace sluice::mqtt {

class MQTTSink : public ParamOp, private Client::Owner, private Flushable {
public:
  Saves saves() const override { return param("$control") ? Saves::State : Saves::Stateless; }
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind) override;
  int32_t close() override;
  std::string persist() override;
  void save(Saver &) override;
  int32_t restore(const Loader &) override;
  std::string sync() override;

private:
  static constexpr int kStep = 20;                 // ms
  static constexpr int kSteps = 30 * 1000 / kStep; // once the program is to end

  struct Sent {
    uint64_t number; // of all that were sent
    size_t bytes;
    int qos;
    std::string topic, body; // empty without a control port: libmosquitto has them
  };

  int32_t layOut();
  int publish(const std::string &topic, std::string_view body, int qos, uint64_t number);
  void cannotSend(const std::string &topic, int wrong);
  int32_t send(const std::string &topic, std::string_view body, int qos);
  void sendAgain();
  void obey();
  bool hasRoom() const;
  size_t missing() const { return unconfirmed.size() + again.size(); }
  void drive();
  int32_t wait();
  std::string await(uint64_t upTo, bool forever);
  void confirmed(int id) override;
  void failed(const std::string &why) override { errors.add(why); }
  void flushByTimer() override;
  int32_t finish();
  std::string late() const;
  static bool isReady(int descriptor);

  const Field *data = nullptr, *topicField = nullptr, *qosField = nullptr;
  std::string topic;
  int level = 0;
  bool retains = false, isTimed = false, hasEnded = false;
  int steps = 0; // that it has waited since the program is to end
  Ctx *home = nullptr;
  Metric *failures = nullptr;
  Warnings warnings;
  uint64_t saved = 0;    // those up to here are in the last checkpoint; by who makes it
  mutable os::Lock lock; // guards what is below
  Client client{*this};
  Errors errors;
  uint64_t sent = 0;                    // messages
  size_t bytes = 0;                     // of those that were not confirmed
  std::map<int, Sent> unconfirmed;      // messages that were not confirmed, by id
  std::deque<Sent> again;               // those that the next broker gets first
  std::shared_ptr<ControlPort> control; // null: there is none
  bool gaveUp = false;
};

} // namespace sluice::mqtt
